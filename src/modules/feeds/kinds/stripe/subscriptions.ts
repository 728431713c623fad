import { candidatesOf, type Fact } from '../../facts.ts'
import { idAt, type Json, listOf, objectOf, present, secondsAt, textAt, wholeAt } from '../json.ts'
import { paidPart } from '../paid-part.ts'
import {
  couponsOf,
  intervalOf,
  intervalOfSubscription,
  itemsOf,
  moneyOf,
  referralsIn,
  type StripeRead,
  shippingOf,
  subscriptionOf,
  sumOf,
  whoOf,
} from './parts.ts'

/** A paid invoice is a sale, and one of 0 is a lead. A void or uncollectible invoice voids its sale. */
export const readInvoice: StripeRead = (invoice, at, type) => {
  const id = textAt(invoice, 'id') as string
  if (type === 'invoice.voided') return { facts: [{ kind: 'void', of: [id], at, why: 'The invoice is void.' }] }
  if (type === 'invoice.marked_uncollectible')
    return { facts: [{ kind: 'void', of: [id], at, why: 'The invoice is uncollectible.' }] }
  const subscription = subscriptionOf(invoice)
  const who = whoOf(invoice, {
    name: textAt(invoice, 'customer_name'),
    ...candidatesOf({
      emails: [textAt(invoice, 'customer_email')],
      referrals: referralsIn(
        invoice,
        invoice.subscription_details,
        objectOf(invoice.parent).subscription_details,
        ...listOf(invoice.lines),
      ),
    }),
  })
  const { currency, convert, cents } = moneyOf(invoice)
  const total = convert(wholeAt(invoice, 'total', { negative: true }))
  if (total < 0n) return { ignored: 'The invoice gives the customer credit. Nothing was paid.' }
  const due = typeof invoice.amount_due === 'number' ? cents('amount_due') : total
  const paid = invoice.paid_out_of_band === true ? due : cents('amount_paid')
  const objects = present([
    idAt(invoice, 'payment_intent'),
    idAt(invoice, 'charge'),
    ...listOf(invoice.payments).flatMap((payment) => [
      idAt(payment, 'payment.payment_intent'),
      idAt(payment, 'payment.charge'),
    ]),
  ])
  if (paid === 0n)
    return { facts: [{ kind: 'lead', objects: present([id, subscription]), at, who, what: 'an invoice of 0' }] }
  const tax = convert(
    invoice.total_taxes
      ? sumOf(invoice.total_taxes)
      : typeof invoice.tax === 'number'
        ? BigInt(invoice.tax)
        : sumOf(invoice.total_tax_amounts),
  )
  const shipping = convert(shippingOf(invoice))
  const discount = convert(sumOf(invoice.total_discount_amounts))
  const payment: Fact = {
    kind: 'payment',
    id,
    objects: [...new Set(objects)],
    of: present([subscription, ...discountsOf(invoice)]),
    totalCents: String(paid),
    taxCents: String(paidPart(tax, paid, total)),
    shippingCents: String(paidPart(shipping, paid, total)),
    discountCents: String(paidPart(discount, paid, total)),
    currency,
    at: secondsAt(invoice, 'status_transitions.paid_at') ?? at,
    billingInterval: intervalOf(invoice),
    items: itemsOf(invoice, convert),
    linesAreCut: objectOf(invoice.lines).has_more === true ? true : undefined,
    // The first of this subscription. A customer can have several.
    paymentNumber: invoice.billing_reason === 'subscription_create' ? 1 : undefined,
    who,
    rank: 3,
  }
  return { facts: [payment] }
}

/** The discounts that an invoice names only by their ids. */
const discountsOf = ({ discounts }: Json) =>
  (Array.isArray(discounts) ? discounts : []).filter((one): one is string => typeof one === 'string')

/** A discount says which code a customer has used, with what it is for. */
export const readDiscount: StripeRead = (discount, at) => {
  const owners = present([
    idAt(discount, 'subscription'),
    idAt(discount, 'checkout_session'),
    idAt(discount, 'invoice'),
  ])
  const who = whoOf(discount, { coupons: couponsOf({ discounts: [discount] }) })
  return { facts: [{ kind: 'signals', objects: [textAt(discount, 'id') as string, ...owners], at, who }] }
}

export const readInvoicePayment: StripeRead = (payment) => {
  const objects = present([
    idAt(payment, 'invoice'),
    idAt(payment, 'payment.payment_intent'),
    idAt(payment, 'payment.charge'),
  ])
  return objects.length > 1 ? { facts: [{ kind: 'link', objects }] } : { ignored: 'It names no invoice and payment.' }
}

/** A subscription says who its customer is; while it is a trial, the customer is a lead. */
export const readSubscription: StripeRead = (subscription, at) => {
  const id = textAt(subscription, 'id') as string
  const who = whoOf(subscription, candidatesOf({ referrals: referralsIn(subscription) }))
  const said = { objects: [id], at, who, billingInterval: intervalOfSubscription(subscription) }
  return subscription.status === 'trialing'
    ? { facts: [{ kind: 'lead', ...said, what: 'a trial' }] }
    : { facts: [{ kind: 'signals', ...said }] }
}

export const readCustomer: StripeRead = (customer, at) => {
  const id = textAt(customer, 'id') as string
  const who = whoOf(customer, {
    customer: id,
    name: textAt(customer, 'name'),
    ...candidatesOf({ emails: [textAt(customer, 'email')], referrals: referralsIn(customer) }),
  })
  return { facts: [{ kind: 'signals', objects: [id], at, who }] }
}

export const readPromotionCode: StripeRead = (promotion) => {
  const [id, code] = [textAt(promotion, 'id') as string, textAt(promotion, 'code')]
  return code ? { facts: [{ kind: 'code', id, code }] } : { ignored: 'The promotion code has no text.' }
}
