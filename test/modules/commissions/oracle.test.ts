import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMonths } from '../../../src/kernel/dates.ts'
import { percentOf } from '../../../src/kernel/money/rounding.ts'
import { calculateCommission } from '../../../src/modules/commissions/calculate.ts'
import type { Rule } from '../../../src/modules/commissions/rule.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

// The expected values come from a second, independent implementation of the rules, which calls nothing from `src`.

const cents = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
  fc.bigInt({ min: 0n, max: 20_000n }),
  fc.constantFrom(0n, 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 53n - 2n, 2n ** 53n - 1n),
)
const basisPoints = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }),
  fc.constantFrom(0, 1, 4_999, 5_000, 5_001, 9_999, 10_000),
)

/** Rounds half up in the decimal digits. The share is product / 10^4, so the last four digits are the fraction. */
function expectedShare(amount: bigint, points: number): bigint {
  const digits = (amount * BigInt(points)).toString().padStart(5, '0')
  const [whole, firstAfterPoint] = [digits.slice(0, -4), digits.at(-4) ?? '0']
  return BigInt(whole) + (firstAfterPoint >= '5' ? 1n : 0n)
}

it('percentOf rounds half up, exactly, for every amount', () => {
  fc.assert(
    fc.property(cents, basisPoints, (amount, points) => {
      expect(percentOf(amount, points)).toBe(expectedShare(amount, points))
    }),
    { numRuns: 2_000 },
  )
})

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)

/** Adds the months one by one in the text of the date, and limits the day to the length of the last month. */
function expectedDate(iso: string, months: number): string {
  let [year, month] = [Number(iso.slice(0, 4)), Number(iso.slice(5, 7))]
  for (let n = 0; n < months; n += 1) {
    month += 1
    if (month === 13) [year, month] = [year + 1, 1]
  }
  const last = month === 2 && isLeap(year) ? 29 : (daysOfMonths[month - 1] as number)
  const day = Math.min(Number(iso.slice(8, 10)), last)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)}${iso.slice(10)}`
}

const anyDate = fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31T23:59:59.999Z'), noInvalidDate: true })
const lateDate = fc
  .tuple(fc.integer({ min: 1970, max: 2199 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 3 }))
  .map(([year, month, before]) => new Date(Date.UTC(year, month, -before, 23, 59, 59, 999)))

it('addMonths adds 1 to 1,200 calendar months, and limits the day to the last day of a shorter month', () => {
  fc.assert(
    fc.property(fc.oneof(anyDate, lateDate), fc.integer({ min: 1, max: 1_200 }), (from, months) => {
      expect(addMonths(from, months).toISOString()).toBe(expectedDate(from.toISOString(), months))
    }),
    { numRuns: 3_000 },
  )
})

type Limits = { max: number | null; months: number | null; points: number }
type Step = { sale: { amount: bigint; day: number } } | { voidNth: number }
type Earned = { occurredAt: string; amount: bigint; isVoid: boolean }

const limits = fc.record({
  max: fc.option(fc.integer({ min: 1, max: 4 })),
  months: fc.option(fc.integer({ min: 1, max: 14 })),
  points: fc.constantFrom(1, 1_000, 3_333, 10_000),
})
const saleStep = fc.record({
  sale: fc.record({ amount: fc.bigInt({ min: 0n, max: 20_000n }), day: fc.integer({ min: 0, max: 600 }) }),
})
const voidStep = fc.record({ voidNth: fc.nat({ max: 5 }) })
const stepList = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof({ weight: 4, arbitrary: saleStep }, { weight: 1, arbitrary: voidStep }), {
    minLength: 1,
    maxLength,
  })

const start = Date.UTC(2024, 0, 31, 10)
const dateOf = (day: number) => new Date(start + day * 86_400_000)

/**
 * The amount that each sale earns, or the reason why it earns nothing, in the order of the reports. The order in which
 * they occurred decides, and a void counts for sales after it: here for none.
 */
function expectedOutcomes({ max, months, points }: Limits, steps: Step[]): string[] {
  const earned: Omit<Earned, 'isVoid'>[] = []
  const sales = steps
    .flatMap((step) => ('sale' in step ? [step.sale] : []))
    .map((sale, number) => ({ ...sale, number }))
  const outcomes: string[] = []
  for (const { day, amount: cents, number } of sales.toSorted((a, b) => a.day - b.day || a.number - b.number)) {
    const occurredAt = dateOf(day).toISOString()
    const first = earned[0]?.occurredAt
    const amount = expectedShare(cents, points)
    const isOver = months !== null && first !== undefined && occurredAt >= expectedDate(first, months)
    if (max !== null && earned.length >= max) outcomes[number] = 'max_commissions_reached'
    else if (isOver) outcomes[number] = 'commission_period_over'
    else if (amount === 0n) outcomes[number] = 'amount_rounds_to_zero'
    else {
      outcomes[number] = String(amount)
      earned.push({ occurredAt, amount })
    }
  }
  return outcomes
}

/** As `expectedOutcomes`, of sales that occur in the order of the steps, with voids between them. */
function expectedInOrder({ max, months, points }: Limits, steps: Step[]): string[] {
  const earned: Earned[] = []
  const outcomes: string[] = []
  for (const step of steps) {
    if ('voidNth' in step) {
      const commission = earned[step.voidNth]
      if (commission) commission.isVoid = true
      continue
    }
    const occurredAt = dateOf(step.sale.day).toISOString()
    const first = earned.map((commission) => commission.occurredAt).sort()[0]
    const amount = expectedShare(step.sale.amount, points)
    if (max !== null && earned.filter(({ isVoid }) => !isVoid).length >= max) outcomes.push('max_commissions_reached')
    else if (months !== null && first && occurredAt >= expectedDate(first, months))
      outcomes.push('commission_period_over')
    else if (amount === 0n) outcomes.push('amount_rounds_to_zero')
    else {
      outcomes.push(String(amount))
      earned.push({ occurredAt, amount, isVoid: false })
    }
  }
  return outcomes
}

it('calculateCommission applies the limits in every sequence of sales and voids', () => {
  fc.assert(
    fc.property(limits, stepList(12), (limit, steps) => {
      const rule: Rule = {
        rewardType: 'percent',
        commissionBasisPoints: limit.points,
        commissionAmountCents: null,
        commissionCurrency: 'usd',
        maxCommissions: limit.max,
        maxCommissionPeriodInMonths: limit.months,
      }
      const earned: { at: number; isVoid: boolean }[] = []
      const outcomes: string[] = []
      for (const step of steps) {
        if ('voidNth' in step) {
          const commission = earned[step.voidNth]
          if (commission) commission.isVoid = true
          continue
        }
        const occurredAt = dateOf(step.sale.day)
        const history = {
          commissions: earned.filter(({ isVoid }) => !isVoid).length,
          firstOccurredAt: earned.length ? new Date(Math.min(...earned.map(({ at }) => at))) : null,
        }
        const outcome = calculateCommission(
          rule,
          { amountCents: step.sale.amount, currency: 'usd', occurredAt },
          history,
        )
        outcomes.push('reason' in outcome ? outcome.reason : String(outcome.amountCents))
        if ('amountCents' in outcome) earned.push({ at: occurredAt.getTime(), isVoid: false })
      }
      expect(outcomes).toEqual(expectedInOrder(limit, steps))
    }),
    { numRuns: 1_000 },
  )
})

const app = await createTestApp()
const program = await app.createProgram()

it('reported sales respect the limits in every sequence of sales and voids', async () => {
  await fc.assert(
    fc.asyncProperty(limits, stepList(7), async (limit, steps) => {
      const { coupon } = await createSeller(program, {
        commission_percent: limit.points / 100,
        max_commissions: limit.max,
        max_commission_period_in_months: limit.months,
        days_before_commissions_are_due: 36_500,
      })
      const ids: string[] = []
      const commissions: string[] = []
      const voided = new Set<string>()
      for (const step of steps) {
        if ('voidNth' in step) {
          const id = commissions[step.voidNth]
          if (!id || (await program.get(`/commissions/${id}`)).body.state === 'void') continue
          expect((await program.delete(`/commissions/${id}`)).status).toBe(200)
          voided.add(id)
          continue
        }
        const { commission, sale_id: id } = await reportSale(program, {
          coupon,
          email: `${coupon}@example.com`,
          amount_cents: Number(step.sale.amount),
          occurred_at: dateOf(step.sale.day).toISOString(),
        })
        ids.push(id)
        if (commission) commissions.push(commission.id)
      }
      const where = { programId: program.id, id: { in: ids } }
      const sales = await app.database.db.sale.findMany({ where, include: { commissions: true } })
      const expected = expectedOutcomes(limit, steps)
      for (const [index, id] of ids.entries()) {
        const sale = sales.find((one) => one.id === id)
        const [commission] = sale?.commissions ?? []
        if (commission && voided.has(commission.id)) continue
        expect(sale?.noCommissionReason ?? String(commission?.amountCents)).toBe(expected[index])
      }
    }),
    { numRuns: 12 },
  )
})
