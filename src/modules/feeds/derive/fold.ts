import { groupBy } from '../../../kernel/group-by.ts'
import {
  type Dispute,
  type Fact,
  type Lead,
  type Link,
  type Payment,
  type Refund,
  type RefundedTotal,
  type Release,
  referralsOf,
  type Signals,
  type Void,
} from '../facts.ts'
import { type Buyer, type BuyerStatement, buyerOf } from './buyer.ts'
import { createSets } from './connected-objects.ts'
import { isVoidOf, type Returned } from './returned.ts'

/** An event with what it says. `receivedAt` is when it first came. */
export type SourceEvent = { id: string; receivedAt: Date; facts: readonly Fact[] }

/** One payment of a customer, with all that is known of it, from events in any order. */
export type PlannedSale = {
  /** Every id of the payment. A recorded sale has one of them as its external id. */
  ids: string[]
  /** Those of them that events name together, so that they are surely of one payment. */
  toldIds: string[]
  /** The description that counts. */
  payment: Payment
  who: Buyer
  /** What the payment waits for, if it does not count yet. */
  waitsFor: { what: string; until?: Date } | null
  voided: Void | null
  returned: Returned
  paymentEvents: string[]
  /** When the first of them came. */
  heardAt: Date
  /** The events about refunds, disputes and voids, with what they are about. */
  returnEvents: { event: string; fact: Fact }[]
}

export type Plan = {
  sales: PlannedSale[]
  leads: { event: string; lead: Lead; who: Buyer }[]
  /** Returns of payments that no event describes. They can be of sales that were reported otherwise. */
  strays: { event: string; fact: Fact; ids: string[] }[]
  /** The events that only say who a customer is, or what belongs together. */
  hints: string[]
}

/** How long a payment waits for an invoice or a checkout that it may belong to. */
export const bareWaitMs = 10_000
/** How long a payment waits for what it says that it belongs to, before it counts by itself or says that it is late. */
const ownerWaitMs = 24 * 3_600_000
/** A payment of the same customer and amount as an invoice, at nearly the same time, is that of the invoice. */
const sameTimeMs = 3_600_000

type Of<T extends Fact> = { event: SourceEvent; fact: T }

/** Makes one plan of what all events say together. It does not depend on their order. */
export function fold(events: readonly SourceEvent[], now: Date): Plan {
  const all = events.flatMap((event) => event.facts.map((fact) => ({ event, fact })))
  const pick = <K extends Fact['kind']>(kind: K) =>
    all.filter(({ fact }) => fact.kind === kind) as Of<Extract<Fact, { kind: K }>>[]
  const payments = pick('payment')
  const sets = createSets()
  const told = createSets()
  for (const { fact } of [...payments, ...(pick('link') as Of<Link>[])]) {
    const objects = fact.kind === 'payment' ? [fact.id, ...fact.objects] : fact.objects
    sets.unite(objects)
    told.unite(objects)
  }
  uniteWithInvoices(payments, sets.unite, sets.rootOf)
  const bySet = groupBy(payments, ({ fact }) => sets.rootOf(fact.id))
  const signals = [...payments, ...pick('signals'), ...pick('lead')].map(({ fact }): BuyerStatement => {
    const { at, who } = fact
    const isCheckout = 'isCheckout' in fact && fact.isCheckout === true
    if (fact.kind !== 'payment') return { payments: [], objects: fact.objects, at, who, isCheckout }
    const payments = [fact.id, ...fact.objects]
    return { payments, objects: [...payments, ...fact.of], at, who, isCheckout }
  })
  const subscriptions = [...pick('signals'), ...pick('lead')].map(({ fact }) => fact)
  const plan: Plan = { sales: [], leads: [], strays: [], hints: [] }
  for (const [root, described] of bySet) {
    const best = described.map(({ fact }) => fact).sort(byWorth)[0] as Payment
    const ids = sets.membersOf(root)
    const about = [...ids, ...described.flatMap(({ fact }) => fact.of)]
    const payment = { ...best, billingInterval: best.billingInterval ?? intervalAt(best.at, about, subscriptions) }
    const who = buyerOf(about, payment.who.customer, signals)
    plan.sales.push({
      ids: [payment.id, ...ids.filter((id) => id !== payment.id).sort()],
      toldIds: told.membersOf(payment.id),
      payment,
      who,
      waitsFor: waitOf(described, now),
      voided: null,
      returned: { refunds: [], totals: [], releases: [], disputes: [] },
      paymentEvents: [...new Set(described.map(({ event }) => event.id))],
      heardAt: new Date(firstOf(described)),
      returnEvents: [],
    })
  }
  const saleOf = (of: readonly string[]) => {
    const roots = new Set(of.map(sets.rootOf))
    return plan.sales.find(({ payment }) => roots.has(sets.rootOf(payment.id)))
  }
  const returns = (['refund', 'refunded_total', 'release', 'dispute', 'void'] as const).flatMap((kind) => pick(kind))
  for (const { event, fact } of returns) {
    const sale = saleOf(fact.of)
    if (sale) addReturn(sale, event.id, fact)
    else plan.strays.push({ event: event.id, fact, ids: [...new Set(fact.of.flatMap(sets.membersOf))] })
  }
  for (const { event, fact } of pick('lead'))
    plan.leads.push({ event: event.id, lead: fact, who: buyerOf(fact.objects, fact.who.customer, signals) })
  const used = new Set([
    ...plan.sales.flatMap((sale) => [...sale.paymentEvents, ...sale.returnEvents.map(({ event }) => event)]),
    ...plan.strays.map(({ event }) => event),
    ...plan.leads.map(({ event }) => event),
  ])
  plan.hints = events.filter(({ id, facts }) => facts.length > 0 && !used.has(id)).map(({ id }) => id)
  return plan
}

/** The best description first: the highest rank, then the latest. */
export const byWorth = (a: Payment, b: Payment): number =>
  b.rank - a.rank || b.at.localeCompare(a.at) || Number(BigInt(b.totalCents) - BigInt(a.totalCents))

/** How often the subscription of a payment was billed then: what was said last before it, else first after it. */
function intervalAt(at: string, objects: readonly string[], said: readonly (Signals | Lead)[]) {
  const own = new Set(objects)
  const withInterval = said
    .filter((one) => one.billingInterval !== undefined && one.objects.some((object) => own.has(object)))
    .sort((a, b) => a.at.localeCompare(b.at))
  return (withInterval.findLast((one) => one.at <= at) ?? withInterval[0])?.billingInterval
}

/** What a payment says that belongs to an invoice, but not to which. */
export const unnamedInvoice = 'its invoice'

/**
 * New versions of Stripe's API do not say which invoice a payment is of. Those come first that say that they are of
 * one, and those last that have a referral or a code of their own; then the earlier payment is of the earlier invoice.
 */
function uniteWithInvoices(
  described: readonly Of<Payment>[],
  unite: (ids: readonly string[]) => void,
  rootOf: (id: string) => string,
): void {
  const ofRoot = groupBy(described, ({ fact }) => rootOf(fact.id))
  const isOf = (root: string, holds: (fact: Payment) => boolean) => ofRoot.get(root)?.some(({ fact }) => holds(fact))
  const claimOf = ({ id }: Payment): number => {
    if (isOf(rootOf(id), ({ belongsTo }) => belongsTo === unnamedInvoice)) return 0
    return isOf(rootOf(id), ({ who }) => referralsOf(who).length > 0 || (who.coupons ?? []).length > 0) ? 2 : 1
  }
  const claims = new Map(described.map(({ fact }) => [fact, fact.isBare ? claimOf(fact) : 0]))
  const payments = [...described].sort(
    ({ fact: a }, { fact: b }) =>
      (claims.get(a) ?? 0) - (claims.get(b) ?? 0) || a.at.localeCompare(b.at) || a.id.localeCompare(b.id),
  )
  const full = payments.filter(({ fact }) => !fact.isBare)
  const owned = new Set(payments.filter(({ fact }) => fact.isBare).map(({ fact }) => rootOf(fact.id)))
  const open = full.filter(({ fact }) => !owned.has(rootOf(fact.id)))
  for (const { fact } of payments) {
    if (!fact.isBare || (fact.belongsTo && fact.belongsTo !== unnamedInvoice)) continue
    if (full.some((one) => rootOf(one.fact.id) === rootOf(fact.id))) continue
    const index = open.findIndex(({ fact: one }) => isSamePayment(fact, one))
    if (index < 0) continue
    unite([fact.id, (open[index] as Of<Payment>).fact.id])
    open.splice(index, 1)
  }
}

const isSamePayment = (bare: Payment, full: Payment): boolean =>
  bare.who.customer !== undefined &&
  bare.who.customer === full.who.customer &&
  bare.totalCents === full.totalCents &&
  bare.currency === full.currency &&
  Math.abs(Date.parse(bare.at) - Date.parse(full.at)) <= sameTimeMs

const firstOf = (described: readonly Of<Payment>[]) =>
  Math.min(...described.map(({ event }) => event.receivedAt.getTime()))

function waitOf(described: readonly Of<Payment>[], now: Date): PlannedSale['waitsFor'] {
  if (described.some(({ fact }) => !fact.isBare)) return null
  const owned = described.find(({ fact }) => fact.belongsTo)?.fact
  const firstAt = firstOf(described)
  if (owned) {
    const { belongsTo: owner, standsAlone } = owned
    const until = new Date(firstAt + ownerWaitMs)
    const what = `Waits for ${owner}, which the payment belongs to.`
    if (now < until) return standsAlone ? { what: `${what} It counts by itself after a day.`, until } : { what }
    return standsAlone ? null : { what: `${what} It has not come for a day: does the billing system send its event?` }
  }
  const until = new Date(firstAt + bareWaitMs)
  return now >= until ? null : { what: 'Waits some seconds for an invoice or a checkout of this payment.', until }
}

function addReturn(sale: PlannedSale, event: string, fact: Refund | RefundedTotal | Release | Dispute | Void): void {
  sale.returnEvents.push({ event, fact })
  if (fact.kind === 'refund') sale.returned.refunds.push(fact)
  if (fact.kind === 'refunded_total') sale.returned.totals.push(fact)
  if (fact.kind === 'release') sale.returned.releases.push(fact)
  if (fact.kind === 'dispute') sale.returned.disputes.push(fact)
  if (fact.kind === 'void' && isVoidOf(fact, sale.payment)) sale.voided = fact
}
