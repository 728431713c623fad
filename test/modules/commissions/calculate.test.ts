import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculateCommission, type History } from '../../../src/modules/commissions/calculate.ts'
import type { Rule } from '../../../src/modules/commissions/rule.ts'

const percentRule: Rule = {
  rewardType: 'percent',
  commissionBasisPoints: 2000,
  commissionAmountCents: null,
  commissionCurrency: 'eur',
  maxCommissions: null,
  maxCommissionPeriodInMonths: null,
}
const amountRule: Rule = {
  ...percentRule,
  rewardType: 'amount',
  commissionBasisPoints: null,
  commissionAmountCents: 1500n,
}
const none: History = { commissions: 0, firstOccurredAt: null }
const saleOf = (amountCents: bigint, occurredAt = '2026-03-10T12:00:00.000Z') => ({
  amountCents,
  currency: 'usd',
  occurredAt: new Date(occurredAt),
})

describe('the amount', () => {
  it("is a percentage of the sale, in the sale's currency", () => {
    expect(calculateCommission(percentRule, saleOf(4999n), none)).toEqual({ amountCents: 1000n, currency: 'usd' })
  })

  it("is the campaign's fixed amount in the campaign's currency, for a sale of any amount", () => {
    for (const cents of [0n, 1n, 10n ** 9n]) {
      expect(calculateCommission(amountRule, saleOf(cents), none)).toEqual({ amountCents: 1500n, currency: 'eur' })
    }
  })

  it.each([
    ['a sale of 0', percentRule, 0n],
    ['less than half a cent', percentRule, 2n],
    ['0 percent', { ...percentRule, commissionBasisPoints: 0 }, 10_000n],
    ['a fixed amount of 0', { ...amountRule, commissionAmountCents: 0n }, 10_000n],
  ])('is null for %s, and the reason is amount_rounds_to_zero', (_label, rule, cents) => {
    expect(calculateCommission(rule, saleOf(cents), none)).toEqual({ reason: 'amount_rounds_to_zero' })
  })

  it('is rounded half up, exactly', () => {
    const cents = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (amount, basisPoints) => {
        const earned = calculateCommission({ ...percentRule, commissionBasisPoints: basisPoints }, saleOf(amount), none)
        const twice = (2n * amount * BigInt(basisPoints)) / 10_000n
        const expected = twice / 2n + (twice % 2n)
        expect('amountCents' in earned ? earned.amountCents : 0n).toBe(expected)
      }),
    )
  })
})

describe('max_commissions', () => {
  it.each([
    [1, 0, true],
    [1, 1, false],
    [3, 2, true],
    [3, 3, false],
    [3, 4, false],
    [null, 1_000_000, true],
  ])('of %s after %i: %s', (maxCommissions, commissions, earns) => {
    const earned = calculateCommission({ ...percentRule, maxCommissions }, saleOf(100n), { ...none, commissions })
    expect(earned).toEqual(earns ? { amountCents: 20n, currency: 'usd' } : { reason: 'max_commissions_reached' })
  })
})

describe('max_commission_period_in_months', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T09:59:59.999Z', true],
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.001Z', false],
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T09:59:59.999Z', true],
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.001Z', false],
    ['2024-02-29T10:00:00.000Z', 12, '2025-02-28T09:59:59.999Z', true],
    ['2024-02-29T10:00:00.000Z', 12, '2025-02-28T10:00:00.001Z', false],
    ['2026-03-10T12:00:00.000Z', 12, '2027-03-10T11:59:59.999Z', true],
    ['2026-03-10T12:00:00.000Z', 12, '2027-03-10T12:00:00.001Z', false],
    ['2026-03-10T12:00:00.000Z', 12, '2020-01-01T00:00:00.000Z', true],
    ['2026-03-10T12:00:00.000Z', null, '2099-01-01T00:00:00.000Z', true],
  ])('from %s for %s months, a sale at %s earns: %s', (first, months, occurredAt, earns) => {
    const earned = calculateCommission(
      { ...percentRule, maxCommissionPeriodInMonths: months },
      saleOf(100n, occurredAt),
      {
        commissions: 1,
        firstOccurredAt: new Date(first),
      },
    )
    expect('amountCents' in earned).toBe(earns)
    if (!earns) expect(earned).toEqual({ reason: 'commission_period_over' })
  })

  it('does not limit the first commission', () => {
    const rule = { ...percentRule, maxCommissionPeriodInMonths: 1 }
    expect(calculateCommission(rule, saleOf(100n, '2099-01-01T00:00:00.000Z'), none)).toHaveProperty('amountCents')
  })
})
