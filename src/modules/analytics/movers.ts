import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import type { Comparison } from './buckets.ts'
import { type Dimension, sumsOf } from './facts.ts'
import type { Interval } from './intervals.ts'
import { type DimensionValue, readDimensionValues } from './labels.ts'
import { type Amount, evaluate, formulas, kindsOf, type Metric, rate } from './metrics.ts'
import { demandRankable, isKnown } from './ranking.ts'
import { termOf } from './series.ts'
import type { Analytics } from './service.ts'
import { comparedSpan } from './totals.ts'

export type Mover = DimensionValue & {
  rank: number
  amount: Amount
  comparison: Amount
  change: Amount
  /** change / comparison. Null if it was 0. */
  changeRate: number | null
  currency: string
}

type MoverArgs = { by: Metric; dimension: Dimension; compareTo: Comparison; interval: Interval; limit: number }

/**
 * Ranks a dimension by how much a count or an amount has changed, up or down, from the time that the range is compared
 * with: the largest change first. What fell to 0 is among them.
 * @throws INVALID_INPUT
 */
export async function readMovers(
  ctx: ProgramCtx,
  analytics: Analytics,
  { by, dimension, limit, ...compared }: MoverArgs,
): Promise<Mover[]> {
  const formula = formulas[by]
  demandRankable(limit)
  if (formula.per) throw invalid([problem('by', "can't be a rate or an average: choose a count or an amount")])
  if (dimension === 'currency')
    throw invalid([problem('dimension', "can't be currency: amounts in different currencies have no order")])
  const { query } = analytics
  const sums = (span: { from: number; to: number }) => Prisma.sql`
    select key, ${termOf(formula.sum)} as sum
    from (${sumsOf({ ...query, dimension }, kindsOf(formula), [span])}) sums where ${isKnown(dimension)} group by key`
  const rows = await ctx.db.$queryRaw<{ key: string; now: string; before: string }[]>`
    select key::text, coalesce(n.sum, 0)::text as now, coalesce(b.sum, 0)::text as before
    from (${sums({ from: analytics.from, to: analytics.to })}) n
      full join (${sums(comparedSpan(analytics, compared))}) b using (key)
    where coalesce(n.sum, 0) <> coalesce(b.sum, 0)
    order by abs(coalesce(n.sum, 0) - coalesce(b.sum, 0)) desc, key limit ${limit}`
  const valueFor = await readDimensionValues(
    ctx,
    dimension,
    rows.map(({ key }) => key),
  )
  return rows.map(({ key, now, before }, n) => {
    const [current, earlier] = [BigInt(now), BigInt(before)]
    const amountOf = (sum: bigint) => evaluate(formula, sum, 1n)
    return {
      ...valueFor(key),
      rank: n + 1,
      amount: amountOf(current),
      comparison: amountOf(earlier),
      change: amountOf(current - earlier),
      changeRate: rate(current - earlier, earlier),
      currency: query.currency,
    }
  })
}
