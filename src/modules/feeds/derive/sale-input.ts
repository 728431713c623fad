import type { Payment } from '../facts.ts'
import { soldItemsOf } from './items.ts'

/** What a report names to find the affiliate. */
export type Named = {
  referral?: string | undefined
  coupons?: string[]
  agents?: readonly unknown[]
  email?: string | undefined
  name?: string | undefined
  customer?: string | undefined
}

/** What the amounts of sales can include beside the net amount. */
export const includable = ['tax', 'shipping', 'discount'] as const
export type Included = (typeof includable)[number]

/** The amount of the sale: net of tax, shipping and discounts unless the feed says otherwise. Never negative. */
export function amountOf(payment: Payment, includes: readonly string[]): bigint {
  const part = (name: Included, cents: string) => (includes.includes(name) ? BigInt(cents) : 0n)
  const amount =
    BigInt(payment.totalCents) -
    BigInt(payment.taxCents) -
    BigInt(payment.shippingCents) +
    part('tax', payment.taxCents) +
    part('shipping', payment.shippingCents) +
    part('discount', payment.discountCents)
  return amount > 0n ? amount : 0n
}

/** The only place that makes the report of a sale. */
export const saleInput = (payment: Payment, who: Named, externalId: string, includes: readonly string[]) => ({
  externalId,
  amountCents: amountOf(payment, includes),
  currency: payment.currency,
  occurredAt: new Date(payment.at),
  referralId: who.referral,
  coupon: who.coupons?.length ? who.coupons : undefined,
  affiliateAttribution: who.agents?.length ? who.agents : undefined,
  email: who.email,
  customerName: who.name,
  billingCustomerId: who.customer,
  billingInterval: payment.billingInterval,
  paymentNumber: payment.paymentNumber,
  items: soldItemsOf(payment, amountOf(payment, includes)).items,
})
