import type { BillingInterval } from '../../generated/prisma/enums.ts'

/**
 * What an event of a billing system says, in the words of this service. Each kind of feed reads its events into facts;
 * `derive` makes sales, refunds and leads of them, in the same way for all kinds. Amounts are whole minor units as
 * text, because facts are stored as JSON. Times are ISO 8601.
 */
export type Fact = Payment | Signals | Link | Refund | RefundedTotal | Release | Dispute | Void | Lead | Code

/** What names a customer, and connects them with an affiliate. */
export type Who = {
  customer?: string | undefined
  email?: string | undefined
  /** Addresses that are tried after `email`. */
  emails?: string[] | undefined
  name?: string | undefined
  /** A value where a referral is expected. It can be something else, such as the shop's own user id. */
  referral?: string | undefined
  /** Values that are tried after `referral`. */
  referrals?: string[] | undefined
  /** Codes, or ids of promotion codes that a fact `code` translates. The first that an affiliate has counts. */
  coupons?: string[] | undefined
  /** What the checkout of an agent said: `affiliateAttribution` of a report. */
  agents?: unknown[] | undefined
}

/** A line of what was sold. Without a product, its id is empty. A credit line has a negative amount. */
export type Item = { productId: string; name?: string | undefined; amountCents: string; quantity?: number | undefined }

export type Payment = {
  kind: 'payment'
  /** The external id of the sale. */
  id: string
  /** Other ids of the same payment: its payment intent, its charge. */
  objects: string[]
  /** Contracts that the payment belongs to: a subscription. */
  of: string[]
  /** What was paid, with taxes and shipping, after discounts. */
  totalCents: string
  taxCents: string
  shippingCents: string
  discountCents: string
  currency: string
  at: string
  billingInterval?: BillingInterval | undefined
  /** 1: the billing system says that it is the first payment of its subscription. */
  paymentNumber?: number | undefined
  /** What was sold, net as the sale is by default. */
  items?: Item[] | undefined
  /** Whether the billing system sent only the first lines. */
  linesAreCut?: boolean | undefined
  who: Who
  /** Which of several descriptions of one payment counts: the highest. */
  rank: number
  /** A payment that may belong to an invoice or a checkout. It counts by itself if none comes for some seconds. */
  isBare?: boolean | undefined
  /** Why it does not count by itself: the object that it belongs to. */
  belongsTo?: string | undefined
  /** Whether it counts by itself if what it belongs to does not come for a day. */
  standsAlone?: boolean | undefined
  /** Only a checkout says it. */
  isCheckout?: boolean | undefined
}

/** Who is behind objects of the billing system. */
export type Signals = {
  kind: 'signals'
  objects: string[]
  at: string
  who: Who
  isCheckout?: boolean | undefined
  /** How often the subscription is billed. */
  billingInterval?: BillingInterval | undefined
}

/** Ids of one payment. */
export type Link = { kind: 'link'; objects: string[] }

/** One refund. Without an amount, it is of all that was paid. */
export type Refund = {
  kind: 'refund'
  id: string
  of: string[]
  amountCents: string | null
  state: 'done' | 'failed'
  at: string
  /** It was given back otherwise than by a refund of a charge, so the sum of a charge does not contain it. */
  isApart?: boolean | undefined
}

/** All that was refunded of a payment, or of one of its charges, until now. */
export type RefundedTotal = {
  kind: 'refunded_total'
  id: string
  of: string[]
  totalCents: string
  at: string
  /** It is the sum of the whole payment, whichever of its objects says it. */
  isWhole?: boolean | undefined
}

/** What was authorised and then not captured. It was never paid, so it is no refund, although it can look like one. */
export type Release = {
  kind: 'release'
  /** The payment. */
  id: string
  of: string[]
  cents: string
  /** When the rest was captured. Null if the event does not say it. */
  at: string | null
}

export type Dispute = {
  kind: 'dispute'
  id: string
  of: string[]
  amountCents: string | null
  state: 'open' | 'lost' | 'won'
  at: string
}

/** The invoice is void, or will not be paid. */
export type Void = { kind: 'void'; of: string[]; at: string; why: string }

export type Lead = Omit<Signals, 'kind'> & { kind: 'lead'; what: string }

/** The code behind an id. */
export type Code = { kind: 'code'; id: string; code: string }

/** An event that could not be read now. `isTry`: its mapping was stopped, which may happen a few times only. */
export type Postponed = { postponed: string; waitMs: number; isTry: boolean }

/** What a kind reads from an event: its facts, or the reason why it has none. */
export type Reading = { facts: Fact[] } | { ignored: string } | { failed: string } | Postponed

/** Objects that connect events. Events of one customer are derived together. */
export function objectsOf(facts: readonly Fact[]): string[] {
  const objects = facts.flatMap((fact): (string | undefined)[] => {
    if (fact.kind === 'payment') return [fact.id, ...fact.objects, ...fact.of, fact.belongsTo, ...whoOf(fact.who)]
    if (fact.kind === 'signals' || fact.kind === 'lead') return [...fact.objects, ...whoOf(fact.who)]
    if (fact.kind === 'link') return fact.objects
    if (fact.kind === 'refund' || fact.kind === 'dispute') return [fact.id, ...fact.of]
    if (fact.kind === 'code') return [mark + fact.id]
    return fact.of
  })
  return [...new Set(objects.filter((object) => object !== undefined && object !== ''))] as string[]
}

const whoOf = ({ customer, coupons = [] }: Who) => [customer, ...coupons.map((code) => mark + code)]

/** All addresses, in the order in which they are tried. */
export const emailsOf = ({ email, emails = [] }: Who): string[] => unique([email, ...emails])

/** All values where a referral is expected, in the order in which they are tried. */
export const referralsOf = ({ referral, referrals = [] }: Who): string[] => unique([referral, ...referrals])

/** The addresses and referrals of an object, in the order in which they are tried. A referral is no address. */
export function candidatesOf(given: { emails?: readonly Given[]; referrals?: readonly Given[] }): Partial<Who> {
  const [email, ...emails] = unique(given.emails ?? [])
  const [referral, ...referrals] = unique(given.referrals ?? []).filter((value) => !value.includes('@'))
  return {
    email,
    referral,
    ...(emails.length > 0 && { emails }),
    ...(referrals.length > 0 && { referrals }),
  }
}

type Given = string | undefined
const unique = (values: readonly Given[]): string[] => [...new Set(values.filter((value) => value !== undefined))]

/** Marks codes, which many customers use: events with the same code are not derived together. */
const mark = 'code:'
export const connects = (object: string): boolean => !object.startsWith(mark)
export const codeObject = (id: string): string => mark + id
