import type { BillingInterval } from '../../../../generated/prisma/enums.ts'
import { fromStripeUnits } from '../../../../kernel/money/stripe-units.ts'
import type { Item, Reading, Release, Who } from '../../facts.ts'
import {
  agentsIn,
  at,
  idAt,
  type Json,
  listOf,
  objectOf,
  present,
  secondsAt,
  textAt,
  wholeAt,
  wholeOrZero,
} from '../json.ts'
import { currencyOf, intervalOfCycle, intervalOfPeriod } from '../units.ts'

/** What an object says at a time. */
export type StripeRead = (object: Json, at: string, type: string) => Reading

/** Reads an amount of an object, in minor units of ISO 4217. */
export function moneyOf(object: Json) {
  const currency = currencyOf(textAt(object, 'currency'))
  const convert = (amount: bigint) => fromStripeUnits(amount, currency)
  return {
    currency,
    convert,
    cents: (path: string) => convert(wholeAt(object, path)),
    orZero: (path: string) => convert(wholeOrZero(object, path)),
  }
}

/** The referrals that our snippet, or that of the convention, put on an object, and on those that are given with it. */
export const referralsIn = (object: Json, ...others: unknown[]): (string | undefined)[] =>
  [object, ...others, object.subscription, object.payment_intent, object.customer].map((one) =>
    textAt(one, 'metadata.referral'),
  )

/** Codes of discounts, given by their ids or as a whole. What was typed comes before the name of the coupon. */
export function couponsOf(object: Json): string[] {
  const discounts = [object.discount, ...(Array.isArray(object.discounts) ? object.discounts : [])]
  const ofOne = (discount: unknown) => {
    const code = objectOf(objectOf(discount).promotion_code)
    const source = [discount, objectOf(discount).source, code.promotion, code].map((one) => objectOf(one).coupon)
    const coupon = source.find((one) => one !== undefined && one !== null)
    return present([
      textAt(code, 'code'),
      idAt(discount, 'promotion_code'),
      typeof coupon === 'string' ? coupon : textAt(coupon, 'name'),
      textAt(coupon, 'id'),
    ])
  }
  const own = textAt(object, 'metadata.coupon')
  return [...new Set([...(own ? [own] : []), ...discounts.flatMap(ofOne)])]
}

export const whoOf = (object: Json, more: Partial<Who>): Who => {
  const coupons = more.coupons ?? couponsOf(object)
  const agents = agentsIn(object.metadata)
  return {
    customer: idAt(object, 'customer'),
    ...more,
    ...(agents && { agents }),
    ...(coupons.length > 0 ? { coupons } : { coupons: undefined }),
  }
}

/** What was not captured of a charge. Stripe counts it in `amount_refunded`, and may make a refund of it. */
export function releaseOf(charge: Json, of: string[], capturedAt: string | null): Release[] {
  const { amount, amount_captured: captured, captured: isCaptured } = charge
  if (typeof amount !== 'number' || typeof captured !== 'number' || isCaptured === false || captured >= amount)
    return []
  const cents = String(moneyOf(charge).convert(BigInt(amount) - BigInt(captured)))
  const id = idAt(charge, 'payment_intent') ?? (textAt(charge, 'id') as string)
  return [{ kind: 'release', id, of, cents, at: capturedAt }]
}

/** The subscription of an invoice, in old and new versions of the API. */
export const subscriptionOf = (invoice: Json): string | undefined =>
  idAt(invoice, 'subscription') ?? idAt(invoice, 'parent.subscription_details.subscription')

/** Shipping without taxes. Its amounts before taxes contain those that its price includes. */
export function shippingOf(object: Json, fallback = 0n): bigint {
  const cost = objectOf(object.shipping_cost)
  return cost.amount_total === undefined || cost.amount_total === null
    ? wholeOrZero(cost, 'amount_subtotal') || fallback
    : wholeAt(cost, 'amount_total') - wholeOrZero(cost, 'amount_tax')
}

/** The interval of a price, in old and new versions of the API. Undefined if it is not there. */
const recurringOf = (line: Json): Json | undefined =>
  [objectOf(line.price).recurring, objectOf(at(line, 'pricing.price_details.price')).recurring, line.plan]
    .map(objectOf)
    .find(({ interval }) => typeof interval === 'string')

/** A line of a part of a period, such as after an upgrade. */
const isProrated = (line: Json): boolean =>
  line.proration === true || at(line, 'parent.subscription_item_details.proration') === true

/**
 * How often the first line that is billed again is billed: by its price, or by its period, because versions of the API
 * since 2025-03-31 name the price only by its id. Undefined if only the subscription can say it.
 */
export function intervalOf(invoice: Json): BillingInterval | undefined {
  const lines = listOf(invoice.lines)
  const recurring = lines.map(recurringOf).find((one) => one !== undefined)
  if (recurring) return intervalOfCycle(recurring.interval, recurring.interval_count ?? 1)
  if (!subscriptionOf(invoice)) return 'one_off'
  return lines
    .filter((line) => !isProrated(line))
    .map((line) => intervalOfPeriod(secondsAt(line, 'period.start'), secondsAt(line, 'period.end')))
    .find((interval) => interval !== undefined)
}

/** How often a subscription is billed: by its first item. */
export function intervalOfSubscription(subscription: Json): BillingInterval | undefined {
  const recurring = [...listOf(subscription.items), subscription].map(recurringOf).find((one) => one !== undefined)
  return recurring && intervalOfCycle(recurring.interval, recurring.interval_count ?? 1)
}

/** The lines of an invoice, without their discounts and the taxes that their amounts include. */
export function itemsOf(invoice: Json, convert: (amount: bigint) => bigint): Item[] {
  const whole = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : 0n)
  return listOf(invoice.lines).map((line) => {
    const productId =
      idAt(line, 'price.product') ?? idAt(line, 'pricing.price_details.product') ?? idAt(line, 'plan.product') ?? ''
    const included = [...listOf(line.taxes), ...listOf(line.tax_amounts)].filter(
      (tax) => tax.tax_behavior === 'inclusive' || tax.inclusive === true,
    )
    const amount = whole(line.amount) - sumOf(line.discount_amounts) - sumOf(included)
    const quantity = typeof line.quantity === 'number' && line.quantity > 0 ? line.quantity : undefined
    return { productId, name: textAt(line, 'description'), amountCents: String(convert(amount)), quantity }
  })
}

/** The sum of amounts in a list. */
export const sumOf = (list: unknown, field = 'amount'): bigint =>
  listOf(list).reduce((sum, item) => sum + wholeOrZero(item, field, { negative: true }), 0n)
