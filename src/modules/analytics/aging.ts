import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { dayMs } from '../../kernel/time-zone.ts'
import { sumsOf } from './facts.ts'
import { type DimensionValue, readDimensionValues } from './labels.ts'
import { demandRankable } from './ranking.ts'
import type { Analytics } from './service.ts'

export const ages = ['over90', 'days61To90', 'days31To60', 'days0To30', 'notDue'] as const
type Age = (typeof ages)[number]

/** What is owed in one currency, by how long it has been due. */
export type AgedAmounts = Record<Age, bigint> & { owed: bigint; currency: string }
export type Aging = AgedAmounts & { affiliates: (AgedAmounts & DimensionValue)[] }

/** The end of time, for facts in the future. */
const always = new Date(8_640_000_000_000_000)
const [start, end] = [Date.UTC(1970, 0), Date.UTC(9_999, 0)]

type Row = { key: string | null; owed: string } & Record<Age, string>

/**
 * What is owed now in the currency, by age, of all and of the affiliates who are owed most. Held commissions are not
 * included. @throws INVALID_INPUT for the limit
 */
export async function readAging(ctx: ProgramCtx, { query }: Analytics, limit: number): Promise<Aging> {
  demandRankable(limit)
  const now = query.now.getTime() + 1
  const cuts = [start, now - 90 * dayMs, now - 60 * dayMs, now - 30 * dayMs, now, end]
  const spans = ages.map((_, index) => ({ from: cuts[index] as number, to: cuts[index + 1] as number }))
  const facts = sumsOf({ ...query, dimension: 'affiliate', now: always }, ['due'], spans)
  const sums = ages.map(
    (age, index) =>
      Prisma.sql`coalesce(sum(amount) filter (where bucket = ${Prisma.raw(String(index))}), 0)::text as ${Prisma.raw(`"${age}"`)}`,
  )
  const rows = await ctx.db.$queryRaw<Row[]>`
    with facts as materialized (${facts})
    (select null::text as key, coalesce(sum(amount), 0)::text as owed, ${Prisma.join(sums)} from facts)
    union all
    (select key::text, sum(amount)::text as owed, ${Prisma.join(sums)} from facts
      group by key having sum(amount) <> 0 order by sum(amount) desc, key limit ${limit})`
  const valueFor = await readDimensionValues(
    ctx,
    'affiliate',
    rows.map(({ key }) => key),
  )
  const amountsOf = (row: Row): AgedAmounts => ({
    ...(Object.fromEntries(ages.map((age) => [age, BigInt(row[age])])) as Record<Age, bigint>),
    owed: BigInt(row.owed),
    currency: query.currency,
  })
  const affiliates = rows.flatMap((row) => (row.key === null ? [] : [{ ...amountsOf(row), ...valueFor(row.key) }]))
  return { ...amountsOf(rows.find(({ key }) => key === null) as Row), affiliates }
}
