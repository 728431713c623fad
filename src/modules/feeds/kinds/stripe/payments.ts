import { candidatesOf, type Fact, type Payment } from '../../facts.ts'
import { idAt, listOf, present, secondsAt, textAt, wholeOrZero } from '../json.ts'
import { moneyOf, referralsIn, releaseOf, type StripeRead, shippingOf, whoOf } from './parts.ts'

/** A checkout. That of a subscription only says who buys: its invoice is the sale. */
export const readSession: StripeRead = (session, at) => {
  const id = textAt(session, 'id') as string
  const paymentIntent = idAt(session, 'payment_intent')
  const invoice = idAt(session, 'invoice')
  const subscription = idAt(session, 'subscription')
  const who = whoOf(session, {
    name: textAt(session, 'customer_details.name'),
    ...candidatesOf({
      emails: [textAt(session, 'customer_details.email'), textAt(session, 'customer_email')],
      referrals: [...referralsIn(session), textAt(session, 'client_reference_id')],
    }),
  })
  const objects = present([id, paymentIntent, invoice, subscription])
  const facts: Fact[] = [{ kind: 'signals', objects, at, who, isCheckout: true }]
  // The id of the checkout is one of its payment. That of a subscription names no single payment.
  if (invoice || paymentIntent) facts.push({ kind: 'link', objects: present([id, invoice, paymentIntent]) })
  const status = textAt(session, 'payment_status')
  if (session.mode !== 'payment' || invoice || status === 'unpaid') return { facts }
  const { currency, convert, cents, orZero } = moneyOf(session)
  const totalCents = cents('amount_total')
  if (totalCents === 0n) return { facts: [{ kind: 'lead', objects, at, who, what: 'a checkout of 0' }] }
  facts.push({
    kind: 'payment',
    id: paymentIntent ?? id,
    objects: [id],
    of: [],
    totalCents: String(totalCents),
    taxCents: String(orZero('total_details.amount_tax')),
    shippingCents: String(convert(shippingOf(session, wholeOrZero(session, 'total_details.amount_shipping')))),
    discountCents: String(orZero('total_details.amount_discount')),
    currency,
    at,
    billingInterval: 'one_off',
    who,
    rank: 2,
    isCheckout: true,
  })
  return { facts }
}

/** What Stripe writes into the description of payments that it makes for invoices. */
const ofInvoices = /^(subscription (creation|update|cycle)|payment for invoice)/i

const noParts = { taxCents: '0', shippingCents: '0', discountCents: '0' }

/** What the payment says that it belongs to: an invoice, as far as versions of the API tell. */
function belongsTo(object: Parameters<StripeRead>[0]): string | undefined {
  const reference = textAt(object, 'payment_details.order_reference')
  const invoice = idAt(object, 'invoice') ?? (reference && /^(in|cs)_/.test(reference) ? reference : undefined)
  return invoice ?? (ofInvoices.test(textAt(object, 'description') ?? '') ? 'its invoice' : undefined)
}

/** Payments know neither tax nor shipping. They count by themselves only without an invoice or a checkout. */
const bare = (payment: Omit<Payment, 'kind' | 'taxCents' | 'shippingCents' | 'discountCents' | 'isBare'>): Payment => ({
  kind: 'payment',
  ...noParts,
  isBare: true,
  ...payment,
})

export const readPaymentIntent: StripeRead = (intent, at) => {
  const id = textAt(intent, 'id') as string
  const { currency, cents } = moneyOf(intent)
  const charges = present([
    idAt(intent, 'latest_charge'),
    ...listOf(intent.charges).map((charge) => textAt(charge, 'id')),
  ])
  const owner = belongsTo(intent)
  const emails = [textAt(intent, 'receipt_email')]
  const who = whoOf(intent, candidatesOf({ emails, referrals: referralsIn(intent) }))
  const payment = bare({
    id,
    objects: [...new Set(charges)],
    of: [],
    totalCents: String(cents('amount_received')),
    currency,
    at: secondsAt(intent, 'created') ?? at,
    who,
    rank: 1,
    belongsTo: owner,
  })
  const captured = { ...intent, amount_captured: intent.amount_received }
  return { facts: [payment, ...releaseOf(captured, present([id, ...charges]), at)] }
}

export const readCharge: StripeRead = (charge, at, type) => {
  const id = textAt(charge, 'id') as string
  if (charge.captured === false || charge.paid === false) return { ignored: 'The charge is not captured yet.' }
  const { currency, cents } = moneyOf(charge)
  const paymentIntent = idAt(charge, 'payment_intent')
  const who = whoOf(charge, {
    name: textAt(charge, 'billing_details.name'),
    ...candidatesOf({
      emails: [textAt(charge, 'billing_details.email'), textAt(charge, 'receipt_email')],
      referrals: referralsIn(charge),
    }),
  })
  const payment = bare({
    id: paymentIntent ?? id,
    objects: [id],
    of: [],
    totalCents: String(cents(charge.amount_captured === undefined ? 'amount' : 'amount_captured')),
    currency,
    at: secondsAt(charge, 'created') ?? at,
    who,
    rank: 0,
    belongsTo: belongsTo(charge),
  })
  const released = releaseOf(charge, present([id, paymentIntent]), type === 'charge.captured' ? at : null)
  return { facts: [payment, ...released] }
}
