import type { Field, Listing } from '../kernel/listing/listing.ts'
import { hasMoney, type Summary } from '../kernel/listing/summarise.ts'
import { builder, publicOnly } from './builder.ts'
import { enumOf } from './enums.ts'
import { type Money, MoneyType } from './money.ts'
import { capitals } from './where.ts'

/** What rows come to in one currency, or what their counters come to. */
type Total = { summary: Summary | null; count: number; currency: string | null }

type TotalRef = ReturnType<typeof builder.objectRef<Total>>

/** How many rows there are, and in one currency what they come to. */
export function totalOf(listing: Listing, summaries: Summary[], asked: string | null, usual: string): Total {
  if (!hasMoney(listing)) return { summary: summaries[0] ?? null, count: summaries[0]?.count ?? 0, currency: null }
  const currency = asked ?? usual
  const summary = summaries.find(({ keys }) => keys.currency === currency) ?? null
  const count = asked ? (summary?.count ?? 0) : summaries.reduce((sum, { count: of }) => sum + of, 0)
  return { summary, count, currency }
}

type Statistic = 'sum' | 'average' | 'minimum' | 'maximum'

/** The nearest whole number; halves away from zero. */
export function divideRounded(sum: bigint, count: number): bigint {
  const size = BigInt(count)
  const twice = (sum < 0n ? -sum : sum) * 2n + size
  const quotient = twice / (size * 2n)
  return sum < 0n ? -quotient : quotient
}

function statisticOf({ summary, currency }: Total, column: string, statistic: Statistic, isMoney: boolean) {
  const sum = summary?.sum[column] ?? 0n
  const count = summary?.count ?? 0
  if (statistic === 'average' && !isMoney) return count === 0 ? null : Number(sum) / count
  const whole =
    statistic === 'sum'
      ? sum
      : statistic === 'average'
        ? count === 0
          ? undefined
          : divideRounded(sum, count)
        : summary?.[statistic][column]
  if (whole === undefined) return null
  return isMoney ? ({ amountCents: whole, currency: currency as string } satisfies Money) : whole
}

const ofStatistic: Record<Statistic, string> = {
  sum: 'Added up; 0 where there are no rows.',
  average: 'The sum divided by the number of rows, amounts rounded half up to minor units; null where there are none.',
  minimum: 'The least; null where there are no rows.',
  maximum: 'The most; null where there are no rows.',
}

const summed = new Map<string, TotalRef>()

/** `SaleSum`, `SaleAverage`, …: one number of each that can be summed. */
function statisticType(listing: Listing, statistic: Statistic): TotalRef {
  const name = `${listing.noun}${statistic.charAt(0).toUpperCase()}${statistic.slice(1)}`
  const known = summed.get(name)
  if (known) return known
  const { forAffiliate = false } = listing
  const ref = builder.objectRef<Total>(name)
  summed.set(name, ref)
  ref.implement({
    description: ofStatistic[statistic],
    subGraphs: publicOnly,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(listing.numbers).map(([number, { column, isMoney = false }]) => [
          number,
          t.field({
            forAffiliate,
            type: (isMoney ? MoneyType : statistic === 'average' ? 'Float' : 'SafeInt') as 'SafeInt',
            nullable: statistic !== 'sum',
            resolve: (total: Total) => statisticOf(total, column, statistic, isMoney) as never,
          }),
        ]),
      ),
  })
  return ref
}

type TotalFields = Parameters<NonNullable<Parameters<TotalRef['implement']>[0]['fields']>>[0]

function totalFields(listing: Listing, t: TotalFields, forAffiliate: boolean) {
  const statistic = (of: Statistic) =>
    t.field({
      forAffiliate,
      type: statisticType(listing, of),
      description: ofStatistic[of],
      resolve: (total: Total) => total,
    })
  const moment = (of: 'firstCreatedAt' | 'lastCreatedAt', description: string) =>
    t.field({
      forAffiliate,
      type: 'DateTime',
      nullable: true,
      description,
      resolve: ({ summary }: Total) => summary?.[of] ?? null,
    })
  return {
    count: t.exposeInt('count', { forAffiliate, description: 'How many rows.' }),
    firstCreatedAt: moment('firstCreatedAt', 'When the oldest of them was made.'),
    lastCreatedAt: moment('lastCreatedAt', 'When the newest of them was made.'),
    ...(Object.keys(listing.numbers).length > 0 && {
      sum: statistic('sum'),
      avg: statistic('average'),
      min: statistic('minimum'),
      max: statistic('maximum'),
    }),
  }
}

/** `SaleAggregate`: what the rows of a connection come to, on all its pages. */
export function aggregateType(listing: Listing) {
  const { forAffiliate = false } = listing
  return builder.objectRef<Total>(`${listing.noun}Aggregate`).implement({
    description: hasMoney(listing)
      ? 'What all rows of a connection come to. Amounts are of one currency: currencies are never added up.'
      : 'What all rows of a connection come to.',
    subGraphs: publicOnly,
    fields: (t) => ({
      ...totalFields(listing, t, forAffiliate),
      ...(hasMoney(listing) && {
        currency: t.expose('currency', {
          forAffiliate,
          type: 'Currency',
          nullable: true,
          description: 'Of the amounts.',
        }),
      }),
    }),
  })
}

type Group = Total & { of: Summary }

/** What is a column of the group, and what follows from the clock. */
export const groupsOf = (listing: Listing, fields: readonly string[]) => ({
  columns: fields.flatMap((name) => columnOf(listing.fields[name] as Field) ?? []),
  state: fields.find((name) => listing.fields[name]?.kind === 'state'),
})

const columnOf = (field: Field): string | undefined => ('column' in field ? field.column : undefined)

export const groupOf = (listing: Listing, summary: Summary): Group => ({
  of: summary,
  summary,
  count: summary.count,
  currency: hasMoney(listing) ? (summary.keys.currency as string) : null,
})

/** `SaleGroup` and the enum of what sales can be grouped by; null where there is nothing. */
export function groupType(listing: Listing) {
  if (listing.groups.length === 0) return null
  const by = builder.enumType(`${listing.noun}GroupField`, {
    description: 'What rows can be grouped by.',
    subGraphs: publicOnly,
    values: Object.fromEntries(listing.groups.map((name) => [capitals(name), { value: name }])),
  })
  const group = builder.objectRef<Group>(`${listing.noun}Group`).implement({
    description: hasMoney(listing)
      ? 'Rows that are alike in what they are grouped by, and in their currency. What they are not grouped by is null.'
      : 'Rows that are alike in what they are grouped by. What they are not grouped by is null.',
    subGraphs: publicOnly,
    fields: (t) => ({
      ...Object.fromEntries(
        [...new Set([...listing.groups, ...(hasMoney(listing) ? ['currency'] : [])])].map((name) => [
          name,
          t.field({
            type: keyType(listing.fields[name] as Field) as 'String',
            nullable: true,
            resolve: ({ of }: Group) => {
              const field = listing.fields[name] as Field
              const key = field.kind === 'state' ? of.states[name] : of.keys[columnOf(field) as string]
              return (key ?? null) as string | null
            },
          }),
        ]),
      ),
      ...totalFields(listing, t as never, false),
    }),
  })
  return { by, group }
}

function keyType(field: Field) {
  if (field.kind === 'id') return 'ID'
  if (field.kind === 'flag') return 'Boolean'
  return field.kind === 'word' || field.kind === 'state' ? enumOf(field.enumName) : 'String'
}
