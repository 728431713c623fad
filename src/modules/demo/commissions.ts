import type { Campaign, Commission, Sale } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import { calculateRemaining } from '../commissions/calculate.ts'
import { newCommission } from '../commissions/new-commission.ts'
import type { Member } from './affiliates.ts'
import { minutesAfter } from './calendar.ts'
import type { World } from './world.ts'

/** Adds the commission of a sale. Before they are due, a few are refunded, and a few amended. */
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
  if (changesAt >= period.now) return commission
  if (change < 0.03) refund(world, sale, commission, sale.amountCents, changesAt)
  else if (change < 0.045)
    refund(world, sale, commission, (sale.amountCents * BigInt(random.pick([25, 50]))) / 100n, changesAt)
  else if (change < 0.055) amendTo(world, commission, earned.amountCents / 2n, 'amended', changesAt)
  return commission
}

function refund(world: World, sale: Sale, commission: Commission, amountCents: bigint, at: Date): void {
  if (amountCents === 0n) return
  const { random, rows } = world
  const externalId = `re_${random.code(16)}`
  const id = random.id(at)
  rows.refunds.push({
    programId: sale.programId,
    id,
    saleId: sale.id,
    externalId,
    amountCents,
    items: null,
    occurredAt: null,
    createdAt: at,
    reversedAt: null,
    reversalReason: null,
  })
  sale.refundedCents = amountCents
  sale.updatedAt = at
  const remaining = sale.amountCents - amountCents
  if (remaining === 0n) voidAt(world, commission, at, id)
  else amendTo(world, commission, calculateRemaining(commission, remaining, []), 'refunded', at, id)
}

function amendTo(
  world: World,
  commission: Commission,
  amountCents: bigint,
  kind: MoneyEventKind,
  at: Date,
  refundId: string | null = null,
): void {
  const deltaCents = amountCents - commission.amountCents
  if (deltaCents === 0n) return
  commission.amountCents = amountCents
  commission.updatedAt = at
  addFact(world, commission, kind, deltaCents, at, refundId)
}

export function voidSuspicious(world: World, { affiliate, activeUntil }: Member, commissions: Commission[]): void {
  if (affiliate.state !== 'suspicious') return
  for (const commission of commissions) {
    const isPending = commission.dueAt > activeUntil && commission.updatedAt < activeUntil
    if (isPending && !commission.voidedAt && world.random.chance(0.7)) voidAt(world, commission, activeUntil)
  }
}

function voidAt(world: World, commission: Commission, at: Date, refundId: string | null = null): void {
  commission.voidedAt = at
  commission.updatedAt = at
  addFact(world, commission, 'voided', 0n, at, refundId)
}

export function addFact(
  { random, rows }: World,
  { programId, id: commissionId, currency }: Commission,
  kind: MoneyEventKind,
  deltaCents: bigint,
  at: Date,
  refundId: string | null = null,
): void {
  const actor = {
    actorKind: 'system',
    actorId: null,
    requestId: 'demo',
    reason: null,
    withheldCents: null,
    dueAt: null,
    paidAt: null,
  } as const
  rows.money_events.push({
    programId,
    id: random.id(at),
    commissionId,
    kind,
    deltaCents,
    currency,
    refundId,
    ...actor,
    at,
  })
}
