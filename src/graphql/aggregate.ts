import { memoize } from '../kernel/memoize.ts'
import { pluralOf } from '../kernel/text.ts'
import type { Listing } from '../listing/listing.ts'
import { hasMoney, type Summary } from '../listing/summarise.ts'
import { builder, type ObjectFields, publicOnly } from './builder.ts'
import { type Money, MoneyType } from './money.ts'
import { capitalized, inWords } from './names.ts'

/** The count and statistics of some rows: of all currencies if rows have no amounts, else in one currency. */
export type Total = { summary: Summary | null; count: number; currency: string | null }

/** @param requested count only rows in this currency @param usual the currency of the amounts if none is requested */
export function totalOf(listing: Listing, summaries: Summary[], requested: string | null, usual: string): Total {
  if (!hasMoney(listing)) return { summary: summaries[0] ?? null, count: summaries[0]?.count ?? 0, currency: null }
  const currency = requested ?? usual
  const summary = summaries.find(({ keys }) => keys.currency === currency) ?? null
  const count = requested ? (summary?.count ?? 0) : summaries.reduce((sum, { count: rows }) => sum + rows, 0)
  return { summary, count, currency }
}

const statistics = ['sum', 'average', 'minimum', 'maximum'] as const
type Statistic = (typeof statistics)[number]

/** The nearest whole number; halves are rounded away from zero. */
export function divideRounded(sum: bigint, count: number): bigint {
  const size = BigInt(count)
  const twice = (sum < 0n ? -sum : sum) * 2n + size
  const quotient = twice / (size * 2n)
  return sum < 0n ? -quotient : quotient
}

function wholeStatistic({ summary }: Total, column: string, statistic: Statistic): bigint | null {
  const sum = summary?.sum[column] ?? 0n
  if (statistic === 'sum') return sum
  if (statistic === 'average') return summary && summary.count > 0 ? divideRounded(sum, summary.count) : null
  return summary?.[statistic][column] ?? null
}

function moneyStatistic(total: Total, column: string, statistic: Statistic): Money | null {
  const amountCents = wholeStatistic(total, column, statistic)
  return amountCents === null || total.currency === null ? null : { amountCents, currency: total.currency }
}

function exactAverage({ summary }: Total, column: string): number | null {
  return summary && summary.count > 0 ? Number(summary.sum[column] ?? 0n) / summary.count : null
}

const meaningOf: Record<Statistic, string> = {
  sum: 'The sum over the rows; 0 when there are no rows.',
  average:
    'The sum divided by the number of rows; null when there are no rows. Amounts are rounded to minor units, halves away from zero.',
  minimum: 'The smallest value; null when there are no rows.',
  maximum: 'The largest value; null when there are no rows.',
}

const statisticFieldMeaning: Record<Statistic, (field: string) => string> = {
  sum: (field) => `Sum of \`${field}\`; 0 when there are no rows.`,
  average: (field) => `Average of \`${field}\`; null when there are no rows.`,
  minimum: (field) => `Smallest \`${field}\`; null when there are no rows.`,
  maximum: (field) => `Largest \`${field}\`; null when there are no rows.`,
}

/** `SaleSum`, `SaleAverage`, …: one statistic of each number in the listing. */
const statisticTypesOf = memoize(
  (listing: Listing) =>
    Object.fromEntries(statistics.map((statistic) => [statistic, statisticType(listing, statistic)])) as Record<
      Statistic,
      ReturnType<typeof statisticType>
    >,
)

function statisticType(listing: Listing, statistic: Statistic) {
  return builder.objectRef<Total>(`${listing.noun}${capitalized(statistic)}`).implement({
    description: meaningOf[statistic],
    subGraphs: publicOnly,
    fields: (t) =>
      Object.fromEntries(
        Object.keys(listing.numbers).map((number) => [number, statisticField(t, listing, statistic, number)]),
      ),
  })
}

function statisticField(t: ObjectFields<Total>, listing: Listing, statistic: Statistic, number: string) {
  const { column, isMoney = false } = listing.numbers[number] as Listing['numbers'][string]
  const options = {
    forAffiliate: listing.forAffiliate ?? false,
    // `true` for the type: a sum's resolver may return null as well, but does not.
    nullable: (statistic !== 'sum') as true,
    description: statisticFieldMeaning[statistic](column),
  }
  if (isMoney)
    return t.field({ ...options, type: MoneyType, resolve: (total) => moneyStatistic(total, column, statistic) })
  if (statistic === 'average') return t.float({ ...options, resolve: (total) => exactAverage(total, column) })
  return t.field({ ...options, type: 'SafeInt', resolve: (total) => wholeStatistic(total, column, statistic) })
}

export function totalFields<T extends Total>(listing: Listing, t: ObjectFields<T>, forAffiliate: boolean) {
  const nouns = pluralOf(inWords(listing.noun))
  const statistic = (name: Statistic) =>
    t.field({
      forAffiliate,
      type: statisticTypesOf(listing)[name],
      description: meaningOf[name],
      resolve: (total) => total,
    })
  const time = (name: 'firstCreatedAt' | 'lastCreatedAt', description: string) =>
    t.field({
      forAffiliate,
      type: 'DateTime',
      nullable: true,
      description,
      resolve: ({ summary }) => summary?.[name] ?? null,
    })
  return {
    count: t.int({ forAffiliate, description: `The number of ${nouns}.`, resolve: ({ count }) => count }),
    firstCreatedAt: time('firstCreatedAt', `When the oldest of these ${nouns} was created; null when there is none.`),
    lastCreatedAt: time('lastCreatedAt', `When the newest of these ${nouns} was created; null when there is none.`),
    ...(Object.keys(listing.numbers).length > 0 && {
      sum: statistic('sum'),
      avg: statistic('average'),
      min: statistic('minimum'),
      max: statistic('maximum'),
    }),
  }
}

/** `SaleAggregate`: the total of a connection's rows on all pages. */
export function aggregateType(listing: Listing) {
  const { forAffiliate = false } = listing
  const nouns = pluralOf(inWords(listing.noun))
  return builder.objectRef<Total>(`${listing.noun}Aggregate`).implement({
    description: hasMoney(listing)
      ? `Count and statistics of all ${nouns} of a connection. Amounts are in one currency; currencies are never added up.`
      : `Count and statistics of all ${nouns} of a connection.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      ...totalFields(listing, t, forAffiliate),
      ...(hasMoney(listing) && {
        currency: t.expose('currency', {
          forAffiliate,
          type: 'Currency',
          nullable: true,
          description: 'The currency of the amounts.',
        }),
      }),
    }),
  })
}
