import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { type Dimension, sumsOf } from './facts.ts'
import { type DimensionValue, readDimensionValues } from './labels.ts'
import { type Amount, evaluate, formulas, hasCurrency, kindsOf, type Metric, rate } from './metrics.ts'
import { termOf, termsOf } from './series.ts'
import type { Analytics } from './service.ts'
import { nilId } from './where.ts'

export type RankedItem = DimensionValue & {
  rank: number
  amount: Amount
  isRate: boolean
  currency: string
  base: bigint | null
}

const maxRanked = 100

/** @throws INVALID_INPUT unless a ranking can have so many entries */
export function demandRankable(limit: number): void {
  if (limit < 1 || limit > maxRanked) throw invalid([problem('limit', `must be from 1 to ${maxRanked}`)])
}

/**
 * A condition on keys: not that of facts without a link or without a coupon. It is a literal, because many rows are
 * compared.
 */
export const isKnown = (dimension: Dimension | null | undefined): Prisma.Sql =>
  dimension && dimension !== 'currency' ? Prisma.raw(`key <> '${nilId}'::uuid`) : Prisma.sql`true`

/**
 * Ranks a dimension by a metric, largest first, without empty values. Currencies are ranked by their numbers of facts.
 * @throws INVALID_INPUT
 */
export async function readTop(
  ctx: ProgramCtx,
  { query, ...span }: Analytics,
  { by, dimension, limit, minimum }: { by: Metric; dimension: Dimension; limit: number; minimum: number },
): Promise<RankedItem[]> {
  demandRankable(limit)
  const formula = formulas[by]
  const byCurrency = dimension === 'currency'
  if (byCurrency && !kindsOf(formula).every(hasCurrency))
    throw invalid([problem('dimension', "can't be currency: visitors, leads and conversions have none")])
  const facts = sumsOf({ ...query, dimension, ...(byCurrency && { currency: null }) }, kindsOf(formula), [span])
  const sum = termOf(formula.sum)
  const base = formula.per ? termOf({ ...formula.per, of: 'count' }) : Prisma.sql`0`
  const divisor = formula.per && Prisma.sql`nullif(${termOf(formula.per)}, 0)`
  const size =
    byCurrency && formula.unit === 'money'
      ? termOf({ ...formula.sum, of: 'count' })
      : divisor
        ? Prisma.sql`${sum} / ${divisor}`
        : sum
  const hasValue = divisor ? Prisma.sql`${divisor} is not null and ${base} >= ${minimum}` : Prisma.sql`${sum} <> 0`
  const rows = await ctx.db.$queryRaw<{ key: string; sum: string; divisor: string; base: string }[]>`
    select key, ${termsOf(formula)}, ${base}::text as base from (${facts}) sums where ${isKnown(dimension)}
    group by key having ${hasValue} order by ${size} desc, ${sum} desc, key limit ${limit}`
  const valueFor = await readDimensionValues(
    ctx,
    dimension,
    rows.map(({ key }) => key),
  )
  return rows.map(({ key, sum, divisor, base }, n) => ({
    ...valueFor(key),
    rank: n + 1,
    base: formula.per ? BigInt(base) : null,
    amount: evaluate(formula, BigInt(sum), BigInt(divisor)),
    isRate: formula.unit === 'rate',
    currency: byCurrency ? key : query.currency,
  }))
}

export type Funnel = DimensionValue & {
  visitors: bigint
  leads: bigint
  conversions: bigint
  sales: bigint
  leadRate: number | null
  conversionRate: number | null
}

type FunnelRow = { key: string | null; visitors: string; leads: string; conversions: string; sales: string }

/** Reads the funnel of all, or those of a dimension with the most visitors. @throws INVALID_INPUT for the currency */
export async function readFunnel(
  ctx: ProgramCtx,
  { query, ...span }: Analytics,
  dimension: Dimension | null | undefined,
): Promise<Funnel[]> {
  if (dimension === 'currency')
    throw invalid([problem('by', "can't be currency: visitors, leads and conversions have none")])
  const facts = sumsOf(
    { ...query, dimension: dimension ?? undefined },
    ['visitor', 'lead', 'conversion', 'sale'],
    [span],
  )
  const count = (kind: 'visitor' | 'lead' | 'conversion' | 'sale') => termOf({ kind, of: 'count' })
  const rows = await ctx.db.$queryRaw<FunnelRow[]>`
    select key, ${count('visitor')}::text as visitors, ${count('lead')}::text as leads,
      ${count('conversion')}::text as conversions, ${count('sale')}::text as sales
    from (${facts}) sums where ${isKnown(dimension)}
    group by key having bool_or(count <> 0) order by ${count('visitor')} desc, ${count('sale')} desc, key limit ${maxRanked}`
  if (!dimension) {
    const none = { key: null, visitors: '0', leads: '0', conversions: '0', sales: '0' }
    return [funnel(rows[0] ?? none, { id: null, label: 'all' })]
  }
  const valueFor = await readDimensionValues(
    ctx,
    dimension,
    rows.map(({ key }) => key),
  )
  return rows.map((row) => funnel(row, valueFor(row.key)))
}

function funnel(row: FunnelRow, value: DimensionValue): Funnel {
  const [visitors, leads, conversions, sales] = [row.visitors, row.leads, row.conversions, row.sales].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const rates = { leadRate: rate(leads, visitors), conversionRate: rate(conversions, visitors) }
  return { ...value, visitors, leads, conversions, sales, ...rates }
}
