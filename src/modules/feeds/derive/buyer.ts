import { emailsOf, referralsOf, type Who } from '../facts.ts'

/** What a fact says about who is behind objects. `payments` are those of them that it describes as a payment. */
export type BuyerStatement = {
  payments: readonly string[]
  objects: readonly string[]
  at: string
  who: Who
  isCheckout: boolean
}

/** The customer of a payment or a trial, with all that can connect it with an affiliate: the best first. */
export type Buyer = {
  customer: string | undefined
  name: string | undefined
  referrals: string[]
  /** Those of them that the payment, its subscription and its checkout name. */
  ownReferrals: string[]
  /** Codes of the payment, its subscription and its checkout. */
  coupons: string[]
  /** Codes that the customer has used otherwise. */
  otherCoupons: string[]
  /** What agents said of the payment, its subscription and its checkout. */
  agents: unknown[]
  emails: string[]
}

/**
 * Who paid. What the payment says comes first, then its subscription, its checkout, and what else is known of the
 * customer; of each, the earliest first. It does not depend on the order of the facts.
 */
export function buyerOf(
  objects: readonly string[],
  customer: string | undefined,
  known: readonly BuyerStatement[],
): Buyer {
  const own = new Set(objects)
  const isOwn = (object: string) => own.has(object)
  const source = ({ payments, isCheckout }: BuyerStatement) => (isCheckout ? 2 : payments.some(isOwn) ? 0 : 1)
  const direct = known.filter((one) => one.objects.some(isOwn)).sort((a, b) => source(a) - source(b) || byTime(a, b))
  const named = customer ?? direct.find(({ who }) => who.customer)?.who.customer
  const ofCustomer = named === undefined ? [] : known.filter(({ who }) => who.customer === named).sort(byTime)
  const ordered = [...direct, ...ofCustomer.filter((one) => !direct.includes(one))].map(({ who }) => who)
  const all = (list: readonly (string[] | undefined)[]) => [...new Set(list.flatMap((values) => values ?? []))]
  return {
    customer: named,
    name: ordered.find(({ name }) => name !== undefined)?.name,
    referrals: all(ordered.map(referralsOf)),
    ownReferrals: all(direct.map(({ who }) => referralsOf(who))),
    coupons: all(direct.map(({ who }) => who.coupons)),
    otherCoupons: all(ofCustomer.map(({ who }) => who.coupons)),
    agents: direct.flatMap(({ who }) => who.agents ?? []).slice(0, mostAgents),
    emails: all(ordered.map(emailsOf)),
  }
}

/** A report takes no more. */
const mostAgents = 10

const byTime = (a: BuyerStatement, b: BuyerStatement): number =>
  a.at.localeCompare(b.at) || JSON.stringify(a.who).localeCompare(JSON.stringify(b.who))
