import type { BillingInterval } from '../../../../generated/prisma/enums.ts'
import type { Item, Reading, Release, Who } from '../../facts.ts'
import { idAt, type Json, listOf, objectOf, present, textAt, wholeAt, wholeOrZero } from '../json.ts'
import { currencyOf, stripeDecimals, toMinor } from '../units.ts'

/** What an object says at a time. */
export type StripeRead = (object: Json, at: string, type: string) => Reading

/** Reads an amount of an object, in minor units of ISO 4217. */
export function moneyOf(object: Json) {
  const currency = currencyOf(textAt(object, 'currency'))
  const convert = (amount: bigint) => toMinor(amount, currency, stripeDecimals)
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
  return { customer: idAt(object, 'customer'), ...more, ...(coupons.length > 0 ? { coupons } : { coupons: undefined }) }
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

/** How often the first line that is billed again is billed. */
export function intervalOf(invoice: Json): BillingInterval | undefined {
  for (const line of listOf(invoice.lines)) {
    const recurring = objectOf(objectOf(line.price).recurring ?? line.plan)
    const interval = textAt(recurring, 'interval')
    if (interval === undefined) continue
    const isSingle = (recurring.interval_count ?? 1) === 1
    return isSingle && (interval === 'month' || interval === 'year') ? interval : undefined
  }
  return subscriptionOf(invoice) ? undefined : 'one_off'
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
