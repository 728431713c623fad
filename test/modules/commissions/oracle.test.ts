import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMonths } from '../../../src/kernel/calendar.ts'
import { percentOf } from '../../../src/kernel/money/amounts.ts'
import { calculateCommission, type Rule } from '../../../src/modules/commissions/calculate.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

// What the rules say, said a second time and in another way; nothing here calls what it examines.

const cents = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }),
  fc.bigInt({ min: 0n, max: 20_000n }),
  fc.constantFrom(0n, 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 53n - 2n, 2n ** 53n - 1n),
)
const basisPoints = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }),
  fc.constantFrom(0, 1, 4_999, 5_000, 5_001, 9_999, 10_000),
)

/** Half up in the decimal digits, as on paper: the share is product / 10^4, so four digits follow the point. */
function shareOnPaper(amount: bigint, points: number): bigint {
  const digits = (amount * BigInt(points)).toString().padStart(5, '0')
  const [whole, firstAfterPoint] = [digits.slice(0, -4), digits.at(-4) ?? '0']
  return BigInt(whole) + (firstAfterPoint >= '5' ? 1n : 0n)
}

it('a share is rounded half up, exactly, at every size', () => {
  fc.assert(
    fc.property(cents, basisPoints, (amount, points) => {
      expect(percentOf(amount, points)).toBe(shareOnPaper(amount, points))
    }),
    { numRuns: 2_000 },
  )
})

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number) => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)

/** In the text of the date, one month after another, knowing only how many days each has. */
function monthsOnPaper(iso: string, months: number): string {
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

it('months are calendar months, to the last day of a shorter one, from 1 to 1,200', () => {
  fc.assert(
    fc.property(fc.oneof(anyDate, lateDate), fc.integer({ min: 1, max: 1_200 }), (from, months) => {
      expect(addMonths(from, months).toISOString()).toBe(monthsOnPaper(from.toISOString(), months))
    }),
    { numRuns: 3_000 },
  )
})

type Limits = { max: number | null; months: number | null; points: number }
type Step = { sale: { amount: bigint; day: number } } | { voidNth: number }
type Booked = { occurredAt: string; amount: bigint; isVoid: boolean }

const limits = fc.record({
  max: fc.option(fc.integer({ min: 1, max: 4 })),
  months: fc.option(fc.integer({ min: 1, max: 14 })),
  points: fc.constantFrom(1, 1_000, 3_333, 10_000),
})
const saleStep = fc.record({
  sale: fc.record({ amount: fc.bigInt({ min: 0n, max: 20_000n }), day: fc.integer({ min: 0, max: 600 }) }),
})
const voidStep = fc.record({ voidNth: fc.nat({ max: 5 }) })
const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof({ weight: 4, arbitrary: saleStep }, { weight: 1, arbitrary: voidStep }), {
    minLength: 1,
    maxLength,
  })

const start = Date.UTC(2024, 0, 31, 10)
const dateOf = (day: number) => new Date(start + day * 86_400_000)

/** What each sale earns, or why it earns nothing, in the order in which the sales are reported. */
function outcomesOnPaper({ max, months, points }: Limits, all: Step[]): string[] {
  const booked: Booked[] = []
  const outcomes: string[] = []
  for (const step of all) {
    if ('voidNth' in step) {
      const commission = booked[step.voidNth]
      if (commission) commission.isVoid = true
      continue
    }
    const occurredAt = dateOf(step.sale.day).toISOString()
    const first = booked.map((commission) => commission.occurredAt).sort()[0]
    const amount = shareOnPaper(step.sale.amount, points)
    if (max !== null && booked.filter(({ isVoid }) => !isVoid).length >= max) outcomes.push('max_commissions_reached')
    else if (months !== null && first && occurredAt >= monthsOnPaper(first, months))
      outcomes.push('commission_period_over')
    else if (amount === 0n) outcomes.push('amount_rounds_to_zero')
    else {
      outcomes.push(String(amount))
      booked.push({ occurredAt, amount, isVoid: false })
    }
  }
  return outcomes
}

it('limits hold for every sequence of sales and voids', () => {
  fc.assert(
    fc.property(limits, steps(12), (limit, all) => {
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
      for (const step of all) {
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
      expect(outcomes).toEqual(outcomesOnPaper(limit, all))
    }),
    { numRuns: 1_000 },
  )
})

const app = await createTestApp()
const program = await app.createProgram()

it('limits hold for every sequence of sales and voids that is reported', async () => {
  await fc.assert(
    fc.asyncProperty(limits, steps(7), async (limit, all) => {
      const { coupon } = await createSeller(program, {
        commission_percent: limit.points / 100,
        max_commissions: limit.max,
        max_commission_period_in_months: limit.months,
        days_before_commissions_are_due: 36_500,
      })
      const [ids, outcomes]: [string[], string[]] = [[], []]
      for (const step of all) {
        if ('voidNth' in step) {
          const id = ids[step.voidNth]
          if (id) expect((await program.delete(`/commissions/${id}`)).status).toBe(200)
          continue
        }
        const { commission, sale_id: id } = await reportSale(program, {
          coupon,
          email: `${coupon}@example.com`,
          amount_cents: Number(step.sale.amount),
          occurred_at: dateOf(step.sale.day).toISOString(),
        })
        const key = { programId_id: { programId: program.id, id } }
        const { noCommissionReason } = await app.database.db.sale.findUniqueOrThrow({ where: key })
        outcomes.push(noCommissionReason ?? String(commission.amount))
        if (commission) ids.push(commission.id)
      }
      expect(outcomes).toEqual(outcomesOnPaper(limit, all))
    }),
    { numRuns: 12 },
  )
})
