import { expect, it } from 'vitest'
import type { MoneyEvent } from '../../../src/generated/prisma/client.ts'
import type { MoneyEventKind } from '../../../src/generated/prisma/enums.ts'
import { mintId } from '../../../src/kernel/ids.ts'
import { commissionHistory } from '../../../src/modules/commissions/history.ts'

const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** The history, oldest entry first, of facts recorded on the 1st, the 2nd, ... of January. */
function historyLines(dueAt: Date, ...facts: [kind: MoneyEventKind, delta: bigint, reason?: string][]) {
  const events = facts.map(([kind, deltaCents, reason = null], index): MoneyEvent => {
    const at = day(index + 1)
    const row = { programId: 'p', commissionId: 'c', currency: 'usd', requestId: 'r', actorId: null }
    return { ...row, id: mintId(at), kind, deltaCents, reason, actorKind: 'system', at } as MoneyEvent
  })
  const lines = commissionHistory(dueAt, events).map(({ action, changes, reason }) =>
    [action, ...changes.map(({ field, from, to }) => `${field} ${from} -> ${to}`), ...(reason ? [reason] : [])].join(
      ', ',
    ),
  )
  return lines.reverse()
}

it('amounts are the running sum, exact beyond the safe integers', () => {
  expect(historyLines(day(1), ['earned', 2n ** 53n - 1n], ['refunded', -(2n ** 52n)], ['amended', 1n])).toEqual([
    'earned, amountCents null -> 9007199254740991, state null -> due',
    'refunded, amountCents 9007199254740991 -> 4503599627370495',
    'amended, amountCents 4503599627370495 -> 4503599627370496',
  ])
})

it('a held commission stays pending after its due date, until it is approved', () => {
  const reason = 'self_referral_email'
  expect(
    historyLines(day(3), ['earned', 5n], ['held', 0n, reason], ['amended', 1n], ['approved', 0n], ['paid', 0n]),
  ).toEqual([
    'earned, amountCents null -> 5, state null -> pending',
    'held, held false -> true, self_referral_email',
    'amended, amountCents 5 -> 6',
    'approved, state pending -> due, held true -> false',
    'paid, state due -> paid, paidAt null -> 2026-01-05T00:00:00.000Z',
  ])
})

it('a full refund lowers the amount to 0 and voids the commission', () => {
  expect(historyLines(day(9), ['earned', 5n], ['refunded', -5n], ['voided', 0n])).toEqual([
    'earned, amountCents null -> 5, state null -> pending',
    'refunded, amountCents 5 -> 0',
    'voided, state pending -> void',
  ])
})

it('a debt starts with a negative amount', () => {
  expect(historyLines(day(1), ['earned', -300n])).toEqual(['earned, amountCents null -> -300, state null -> due'])
})
