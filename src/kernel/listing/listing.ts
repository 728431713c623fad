import { isId } from '../ids.ts'

/**
 * What of a noun can be asked in a list: what `where` looks at, what `orderBy` sorts by, what can be summed and grouped.
 * Each noun's `listing.ts` is the only place that says so; lists, aggregates and their GraphQL types are derived from it.
 */
export type Listing = {
  /** The noun as GraphQL names its type: "AffiliateLink". */
  noun: string
  /** Prisma's model, as the client names it: "affiliateLink". */
  model: ListedModel
  fields: Record<string, Field>
  /** Columns that `search` looks through; each has a trigram index. */
  search?: readonly string[]
  /** What rows can be sorted by, to the column that is indexed for it. Newest first is always there. */
  orders: Record<string, string>
  /** Columns of whole numbers that can be summed: amounts of money in the row's currency, or counts. */
  numbers: Record<string, { column: string; isMoney?: boolean }>
  /** Whether an affiliate may list and sum up their own of these. */
  forAffiliate?: boolean
  /** Fields of `fields` that rows can be grouped by. */
  groups: readonly string[]
}

export type ListedModel =
  | 'affiliate'
  | 'affiliateCoupon'
  | 'affiliateLink'
  | 'campaign'
  | 'commission'
  | 'customer'
  | 'payout'
  | 'referral'
  | 'refund'
  | 'sale'
  | 'unattributedSale'

type Rule = Record<string, unknown>

/** A field of `where`, and how the database is asked about it. */
export type Field = { description?: string } & (
  | { kind: 'id'; column: string; nullable?: boolean }
  | { kind: 'text'; column: string; nullable?: boolean; fold?: (text: string) => string; searchable?: boolean }
  | { kind: 'instant'; column: string; nullable?: boolean }
  /** A whole number: 32 bits for what is counted, 64 for amounts in minor units. */
  | { kind: 'integer'; column: string; bits: 32 | 64 }
  | { kind: 'flag'; column: string }
  | { kind: 'word'; column: string; nullable?: boolean; enumName: string }
  /** A word that follows from other columns and the clock. */
  | { kind: 'state'; enumName: string; words: readonly string[]; rule: (word: never, now: Date) => Rule }
  | { kind: 'one'; relation: string; of: string }
  | { kind: 'many'; relation: string; of: string }
)

export const id = (column: string, more: { nullable?: boolean } = {}): Field => ({ kind: 'id', column, ...more })

export const instant = (column: string, more: { nullable?: boolean; description?: string } = {}): Field => ({
  kind: 'instant',
  column,
  ...more,
})

export const counter = (column: string): Field => ({ kind: 'integer', column, bits: 32 })

/** In minor units of the row's currency. */
export const cents = (column: string): Field => ({ kind: 'integer', column, bits: 64 })

export const flag = (column: string): Field => ({ kind: 'flag', column })

/** A text that is compared as it is, or folded (in lower case) where the column holds it so. */
export const text = (
  column: string,
  more: {
    nullable?: boolean
    fold?: (text: string) => string
    /** Parts of it can be looked for: a trigram index is there. */
    searchable?: boolean
    description?: string
  } = {},
): Field => ({ kind: 'text', column, ...more })

/** A currency's code, in lower case as it is stored. */
export const currency = (column: string): Field => text(column, { fold: (code) => code.toLowerCase() })

export const word = (column: string, enumName: string, more: { nullable?: boolean } = {}): Field => ({
  kind: 'word',
  column,
  enumName,
  ...more,
})

export const state = <W extends string>(
  enumName: string,
  words: readonly W[],
  rule: (word: W, now: Date) => Rule,
): Field => ({ kind: 'state', enumName, words, rule: rule as (word: never, now: Date) => Rule })

/** The row's one `relation`, which is of the noun `of`; what is asked of it is asked by that noun's `where`. */
export const one = (relation: string, of: string): Field => ({ kind: 'one', relation, of })

/** The row's many `relation`. */
export const many = (relation: string, of: string): Field => ({ kind: 'many', relation, of })

/** Every listing has these two. */
export const made = {
  id: id('id'),
  createdAt: instant('createdAt'),
} satisfies Record<string, Field>

/** An id of no valid form is carried by no row; PostgreSQL would answer an error. */
export const onlyIds = (ids: readonly string[]) => ids.filter(isId)
