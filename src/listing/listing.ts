import { isId } from '../kernel/ids.ts'
import type { CountedListing } from './kept-counts.ts'
import type { Rule } from './rule.ts'

/** The filters, orders, sums and groups of a noun's lists, from which GraphQL types are derived. */
export type Listing = {
  /** The name of the noun's GraphQL type: "AffiliateLink". */
  noun: string
  /** The name of the model in the Prisma client: "affiliateLink". */
  model: ListedModel
  fields: Record<string, Field>
  /** The columns that `search` searches; each has a trigram index. */
  search?: readonly string[]
  /** The fields of `orderBy`, each with its indexed column. Every listing can also be sorted by `createdAt`. */
  orders: Record<string, string>
  /** The integer columns that can be summed: amounts in the row's currency, or counts. */
  numbers: Record<string, { column: string; isMoney?: boolean }>
  /** Whether an affiliate token can list and sum the affiliate's own rows. */
  forAffiliate?: boolean
  groups: readonly string[]
  /** How the number of rows is kept, so that totals need no counting. Null if it is not kept. */
  kept: CountedListing | null
  /** Where REST returns all rows at once, if it does: "/v1/exports/sales". Errors about too large pages name it. */
  exportPath?: string
}

export type ListedModel =
  | 'affiliate'
  | 'affiliateCoupon'
  | 'affiliateLink'
  | 'application'
  | 'campaign'
  | 'commission'
  | 'customer'
  | 'event'
  | 'failedRequest'
  | 'feed'
  | 'feedEvent'
  | 'invoice'
  | 'mail'
  | 'affiliateGroup'
  | 'payout'
  | 'payoutRun'
  | 'payoutRunItem'
  | 'proposal'
  | 'referral'
  | 'refund'
  | 'sale'
  | 'statement'
  | 'unattributedSale'
  | 'visit'
  | 'waitingRefund'
  | 'webhookDelivery'
  | 'webhookEndpoint'

/** A field of `where`, and how it is compared in the database. */
export type Field = { description?: string } & (
  | { kind: 'id'; column: string; nullable?: boolean }
  /** An id that any number of rows beside the record have: those of `relation` that match `present`. */
  | { kind: 'ids'; relation: string; column: string; present: Rule }
  | { kind: 'text'; column: string; nullable?: boolean; fold?: (text: string) => string; searchable?: boolean }
  | { kind: 'instant'; column: string; nullable?: boolean }
  /** An integer: 32 bits for counts, 64 for amounts in minor units. */
  | { kind: 'integer'; column: string; bits: 32 | 64; nullable?: boolean }
  | { kind: 'flag'; column: string }
  | { kind: 'word'; column: string; nullable?: boolean; enumName: string }
  /** An enum value that follows from other columns and the clock. */
  | { kind: 'state'; enumName: string; words: readonly string[]; rule: (word: never, now: Date) => Rule }
  /** Values in a column of JSON, by names that a program has defined. */
  | { kind: 'own'; column: string }
  | { kind: 'one'; relation: string; of: string }
  | { kind: 'many'; relation: string; of: string }
)

export const id = (column: string, more: { nullable?: boolean } = {}): Field => ({ kind: 'id', column, ...more })

export const ids = (relation: string, column: string, present: Rule, description: string): Field => ({
  kind: 'ids',
  relation,
  column,
  present,
  description,
})

/** The program's own fields. */
export const own = (column: string, description: string): Field => ({ kind: 'own', column, description })

export const instant = (column: string, more: { nullable?: boolean; description?: string } = {}): Field => ({
  kind: 'instant',
  column,
  ...more,
})

export const counter = (column: string): Field => ({ kind: 'integer', column, bits: 32 })

/** In minor units of the row's currency. */
export const cents = (column: string, more: { nullable?: boolean; description?: string } = {}): Field => ({
  kind: 'integer',
  column,
  bits: 64,
  ...more,
})

export const flag = (column: string, more: { description?: string } = {}): Field => ({ kind: 'flag', column, ...more })

/** A text. `fold` converts values as the column stores them: to lower case, for example. */
export const text = (
  column: string,
  more: {
    nullable?: boolean
    fold?: (text: string) => string
    /** Whether `contains` and `startsWith` are allowed. The column has a trigram index. */
    searchable?: boolean
    description?: string
  } = {},
): Field => ({ kind: 'text', column, ...more })

/** A currency code. It is stored in lower case. */
export const currency = (column: string, more: { nullable?: boolean; description?: string } = {}): Field =>
  text(column, { ...more, fold: (code) => code.toLowerCase() })

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

/** A relation to one row of the noun `of`. Its conditions are the `where` of that noun. */
export const one = (relation: string, of: string): Field => ({ kind: 'one', relation, of })

export const many = (relation: string, of: string): Field => ({ kind: 'many', relation, of })

export const baseFields = {
  id: id('id'),
  createdAt: instant('createdAt'),
} satisfies Record<string, Field>

/** Drops text that is not an id: no row has it, and PostgreSQL rejects it. */
export const onlyIds = (ids: readonly string[]) => ids.filter(isId)
