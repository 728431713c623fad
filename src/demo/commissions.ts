import { newCommission } from '../commissions/row.ts'
import type { Campaign, Commission, Sale } from '../generated/prisma/client.ts'
import type { MoneyEventKind } from '../generated/prisma/enums.ts'
import type { Member } from './affiliates.ts'
import { minutesAfter } from './calendar.ts'
import type { World } from './world.ts'

/**
 * The commission a sale earned. A few are void or amended within twenty days, as the customer got the money back,
 * or a part of it: always before the commission is due, and so before it can be in a payout.
 */
export function addCommission(
  world: World,
  campaign: Campaign,
  sale: Sale,
  earned: { amountCents: bigint; currency: string },
): Commission {
  const { random, period, rows } = world
  const commission = newCommission(random.id(sale.createdAt), sale, campaign, earned, sale.createdAt)
  rows.commissions.push(commission)
  addFact(world, commission, 'earned', earned.amountCents, sale.createdAt)
  const changesAt = minutesAfter(sale.createdAt, random.between(0.2, 20) * 1440)
  const change = random.unit()
  if (changesAt < period.now && change < 0.03) voidAt(world, commission, changesAt)
  else if (changesAt < period.now && change < 0.045) {
    commission.amountCents = (earned.amountCents * BigInt(random.pick([25, 50, 75]))) / 100n
    commission.updatedAt = changesAt
    addFact(world, commission, 'amended', commission.amountCents - earned.amountCents, changesAt)
  }
  return commission
}

/** When an affiliate turned out to be suspicious, most of what was not due yet was voided. */
export function voidSuspicious(world: World, { affiliate, activeUntil }: Member, commissions: Commission[]): void {
  if (affiliate.state !== 'suspicious') return
  for (const commission of commissions) {
    const isPending = commission.dueAt > activeUntil && commission.updatedAt < activeUntil
    if (isPending && !commission.voidedAt && world.random.chance(0.7)) voidAt(world, commission, activeUntil)
  }
}

function voidAt(world: World, commission: Commission, at: Date): void {
  commission.voidedAt = at
  commission.updatedAt = at
  addFact(world, commission, 'voided', 0n, at)
}

/** What happened to a commission, as the verbs write it down. */
export function addFact(
  { random, rows }: World,
  { programId, id: commissionId, currency }: Commission,
  kind: MoneyEventKind,
  deltaCents: bigint,
  at: Date,
): void {
  const actor = { actorKind: 'system', actorId: null, requestId: 'demo', reason: null } as const
  rows.money_events.push({ programId, id: random.id(at), commissionId, kind, deltaCents, currency, ...actor, at })
}
