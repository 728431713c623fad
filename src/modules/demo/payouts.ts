import type { Commission, Payout } from '../../generated/prisma/client.ts'
import { groupBy } from '../../kernel/group-by.ts'
import { minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import type { Member } from './affiliates.ts'
import { daysBetween, minutesAfter } from './calendar.ts'
import { addFact } from './commissions.ts'
import { madeAt } from './rows.ts'
import type { World } from './world.ts'

const payDay = 5
const secondsBetweenPayments = 7

/** Adds payouts that are collected every morning, and paid on the fifth of each month from the minimum on. */
export function addPayouts(world: World, members: Member[], commissionsOf: (member: Member) => Commission[]): void {
  const reads = readsOf(world)
  members.forEach((member, order) => {
    const byCurrency = groupBy(commissionsOf(member), ({ currency }) => currency)
    for (const commissions of byCurrency.values()) settleOverTime(world, member, commissions, reads, order)
  })
}

/** A time at which payouts are read, and at which they are paid if `paysAt` is not null. */
type PayoutRead = { at: Date; paysAt: Date | null }

function readsOf({ period: { start, now } }: World): PayoutRead[] {
  const mornings = [...daysBetween(start, now)].map((day) => ({
    at: minutesAfter(day, 7 * 60),
    paysAt: day.getUTCDate() === payDay ? minutesAfter(day, 9 * 60) : null,
  }))
  return [...mornings.filter(({ at }) => at > start && at < now), { at: now, paysAt: null }]
}

function settleOverTime(
  world: World,
  member: Member,
  commissions: Commission[],
  reads: PayoutRead[],
  order: number,
): void {
  const waiting = commissions.filter(({ voidedAt }) => !voidedAt).sort((a, b) => b.dueAt.getTime() - a.dueAt.getTime())
  let open: { payout: Payout; collected: Commission[] } | null = null
  for (const { at, paysAt } of reads) {
    for (let next = waiting.at(-1); next && next.dueAt <= at; next = waiting.at(-1)) {
      open ??= { payout: addPayout(world, next, at), collected: [] }
      open.payout.amountCents += next.amountCents
      open.payout.updatedAt = at
      next.payoutId = open.payout.id
      open.collected.push(next)
      waiting.pop()
    }
    const paidAt = paysAt && minutesAfter(paysAt, (order * secondsBetweenPayments) / 60)
    if (open && paidAt && paidAt < world.period.now && isPayable(member, open.payout, paidAt)) {
      for (const row of [open.payout, ...open.collected]) Object.assign(row, { paidAt, updatedAt: paidAt })
      for (const commission of open.collected) addFact(world, commission, 'paid', 0n, paidAt)
      open = null
    }
  }
}

/** Payouts below the minimum and payouts of suspicious affiliates are not paid. */
function isPayable({ affiliate, campaign, activeUntil }: Member, payout: Payout, at: Date): boolean {
  const isSuspected = affiliate.state === 'suspicious' && at >= activeUntil
  return !isSuspected && payout.amountCents >= minimumPayoutIn(campaign, payout.currency)
}

function addPayout({ programId, random, rows }: World, { affiliateId, currency }: Commission, at: Date): Payout {
  const payout = {
    programId,
    id: random.id(at),
    affiliateId,
    currency,
    amountCents: 0n,
    paidAt: null,
    sentAt: null,
    failedAt: null,
    reference: null,
    paidById: null,
    dueNotedAt: null,
    isPayable: false,
    ...madeAt(at),
  }
  rows.payouts.push(payout)
  return payout
}
