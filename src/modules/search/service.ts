import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { literal } from '../../listing/rule.ts'
import { couponKey } from '../affiliates/coupons/code.ts'
import { defaultHits, searchInput } from './input.ts'

/** The tables that are searched. */
const tables = {
  affiliates: 'affiliates',
  customers: 'customers',
  sales: 'sales',
  coupons: 'affiliate_coupons',
  payouts: 'payouts',
  campaigns: 'campaigns',
  unattributedSales: 'unattributed_sales',
  feedEvents: 'feed_events',
} as const

export type HitKind = keyof typeof tables

/** The ids of the records that were found, in order. */
export type Hits = {
  programId: string
  /** The text, in each case that ids of other systems have. Empty if an id was looked for. */
  texts: readonly string[]
  first: number
  ids: Readonly<Record<HitKind, readonly string[]>>
}

/** Trigram indexes do not find shorter parts of a text, but they find shorter beginnings of a word. */
const shortestPart = 3

/** Words that many rows have are found among this number of the newest rows. */
const newestRows = 1_000

/** Finds records of every kind in one statement. Each part of it reads an index. @throws INVALID_INPUT */
export async function search({ db, program }: ProgramCtx, raw: unknown): Promise<Hits> {
  const { text, first = defaultHits } = await parseInput(searchInput, raw)
  const id = text.toLowerCase()
  const isOfRecord = isId(id)
  const looks = isOfRecord ? byId(program.id, id) : byText(program.id, text, first)
  const found = await db.$queryRaw<{ kind: HitKind; id: string }[]>(Prisma.join(looks, ' union all '))
  const idsOf = (kind: HitKind) =>
    [...new Set(found.filter((hit) => hit.kind === kind).map(({ id }) => id))].slice(0, first)
  const ids = Object.fromEntries(kinds.map((kind) => [kind, idsOf(kind)])) as Record<HitKind, string[]>
  return { programId: program.id, texts: isOfRecord ? [] : inEachCase(text), first, ids }
}

const kinds = Object.keys(tables) as HitKind[]

const byId = (programId: string, id: string): Prisma.Sql[] =>
  kinds.map((kind) => Prisma.sql`(select ${kind} as kind, id::text ${rowsOf(kind, programId)} and id = ${id}::uuid)`)

const byText = (programId: string, text: string, first: number): Prisma.Sql[] => {
  const beginning = (kind: HitKind, column: string, one: string) => {
    const name = Prisma.raw(column)
    // The index has the order of the bytes, so only as many rows are read as are wanted.
    return Prisma.sql`(select ${kind} as kind, id::text ${rowsOf(kind, programId)}
      and ${name} like ${`${literal(one)}%`} order by ${name} using ~<~ limit ${first})`
  }
  return [
    withWords('affiliates', programId, text, ['email_key', 'first_name', 'last_name'], first),
    withWords('customers', programId, text, ['email_key', 'name'], first),
    ...inEachCase(text).map((one) => beginning('sales', 'external_id', one)),
    beginning('coupons', 'token_key', couponKey(text)),
    ...inEachCase(text).map((one) => beginning('payouts', 'reference', one)),
    withWords('unattributedSales', programId, text, lostColumns, first),
    Prisma.sql`(select 'campaigns' as kind, id::text ${rowsOf('campaigns', programId)}
      and name ilike ${`%${literal(text)}%`} order by id desc limit ${first})`,
  ]
}

const lostColumns = ['external_id', 'email', 'customer_name', 'billing_customer_id']

const rowsOf = (kind: HitKind, programId: string) =>
  Prisma.sql`from ${Prisma.raw(tables[kind])} where program_id = ${programId}::uuid`

/**
 * Looks through the newest rows, then asks the trigram indexes about the others. PostgreSQL would choose one way for
 * all rows by an estimate, and read them all where two words are common, but not together. The first part is in order,
 * so it ends with enough rows, and then the second does not begin.
 */
const withWords = (kind: HitKind, programId: string, text: string, columns: readonly string[], first: number) => {
  const condition = hasWords(text, columns)
  const rows = rowsOf(kind, programId)
  return Prisma.sql`
    (with others as materialized (select id ${rows} and ${condition}
      and id < (select id ${rows} order by id desc offset ${newestRows - 1} limit 1))
    select ${kind} as kind, id::text from (
      (select id from (select id, ${Prisma.raw(columns.join())} ${rows} order by id desc limit ${newestRows}) newest
        where ${condition} order by id desc limit ${first})
      union all (select id from others order by id desc)
    ) found limit ${first})`
}

/** Each word has to be contained in one of the columns. */
function hasWords(text: string, columns: readonly string[]): Prisma.Sql {
  const conditions = text.split(/\s+/).map((word) => {
    const pattern = (part: string) => `${[...part].length < shortestPart ? '' : '%'}${literal(part)}%`
    // Keys are folded already. Comparing without regard to case takes several times as long.
    const anywhere = columns.map((column) =>
      column.endsWith('_key')
        ? Prisma.sql`${Prisma.raw(column)} like ${pattern(emailKey(word))}`
        : Prisma.sql`${Prisma.raw(column)} ilike ${pattern(word)}`,
    )
    return Prisma.join(anywhere, ' or ', '(', ')')
  })
  return Prisma.join(conditions, ' and ')
}

/** Ids of other systems keep their case, and people type them in small letters. */
const inEachCase = (text: string): string[] => [...new Set([text, text.toUpperCase(), text.toLowerCase()])]
