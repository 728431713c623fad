import type { Commission, Payout } from '../../generated/prisma/client.ts'
import type { Member } from './affiliates.ts'
import { daysBetween, minutesAfter } from './calendar.ts'
import { addFact } from './commissions.ts'
import { groupBy, madeAt } from './rows.ts'
import type { World } from './world.ts'

const payDay = 5
const secondsBetweenPayments = 7

/**
 * The payouts as they came about: somebody looks at them every morning, which gathers what became due, and on the fifth
 * of each month pays those that reach the minimum. What is due now is in an open payout, as after a look at this moment.
 */
export function addPayouts(world: World, members: Member[], commissionsOf: (member: Member) => Commission[]): void {
  const looks = looksOf(world)
  members.forEach((member, order) => {
    const byCurrency = groupBy(commissionsOf(member), ({ currency }) => currency)
    for (const commissions of byCurrency.values()) settleOverTime(world, member, commissions, looks, order)
  })
}

type Look = { at: Date; paysAt: Date | null }

function looksOf({ period: { start, now } }: World): Look[] {
  const mornings = [...daysBetween(start, now)].map((day) => ({
    at: minutesAfter(day, 7 * 60),
    paysAt: day.getUTCDate() === payDay ? minutesAfter(day, 9 * 60) : null,
  }))
  return [...mornings.filter(({ at }) => at > start && at < now), { at: now, paysAt: null }]
}

/** One affiliate's payouts in one currency. */
function settleOverTime(world: World, member: Member, commissions: Commission[], looks: Look[], order: number): void {
  const waiting = commissions.filter(({ voidedAt }) => !voidedAt).sort((a, b) => b.dueAt.getTime() - a.dueAt.getTime())
  let open: { payout: Payout; held: Commission[] } | null = null
  for (const { at, paysAt } of looks) {
    for (let next = waiting.at(-1); next && next.dueAt <= at; next = waiting.at(-1)) {
      open ??= { payout: addPayout(world, next, at), held: [] }
      open.payout.amountCents += next.amountCents
      open.payout.updatedAt = at
      next.payoutId = open.payout.id
      open.held.push(next)
      waiting.pop()
    }
    const paidAt = paysAt && minutesAfter(paysAt, (order * secondsBetweenPayments) / 60)
    if (open && paidAt && paidAt < world.period.now && isPayable(member, open.payout, paidAt)) {
      for (const row of [open.payout, ...open.held]) Object.assign(row, { paidAt, updatedAt: paidAt })
      for (const commission of open.held) addFact(world, commission, 'paid', 0n, paidAt)
      open = null
    }
  }
}

/** Below the minimum nothing is paid out, and the payouts of suspicious affiliates are held back. */
function isPayable({ affiliate, campaign, activeUntil }: Member, payout: Payout, at: Date): boolean {
  const isSuspected = affiliate.state === 'suspicious' && at >= activeUntil
  return !isSuspected && payout.amountCents >= campaign.minimumPayoutCents
}

function addPayout({ programId, random, rows }: World, { affiliateId, currency }: Commission, at: Date): Payout {
  const payout = {
    programId,
    id: random.id(at),
    affiliateId,
    currency,
    amountCents: 0n,
    paidAt: null,
    reference: null,
    ...madeAt(at),
  }
  rows.payouts.push(payout)
  return payout
}
