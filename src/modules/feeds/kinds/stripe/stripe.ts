import { reasonOfThin } from '../../../mails/feed-problems.ts'
import { objectOf, secondsAt, textAt, Unusable } from '../json.ts'
import type { Kind } from '../kind.ts'
import { timedScheme } from '../signature.ts'
import type { StripeRead } from './parts.ts'
import { readCharge, readPaymentIntent, readSession } from './payments.ts'
import { readCreditNote, readDispute, readRefund, readRefundedCharge } from './refunds.ts'
import {
  readCustomer,
  readDiscount,
  readInvoice,
  readInvoicePayment,
  readPromotionCode,
  readSubscription,
} from './subscriptions.ts'

const readers: Record<string, StripeRead> = {
  'charge.captured': readCharge,
  'charge.dispute.closed': readDispute,
  'charge.dispute.created': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.refund.updated': readRefund,
  'charge.refunded': readRefundedCharge,
  'charge.succeeded': readCharge,
  'checkout.session.async_payment_succeeded': readSession,
  'checkout.session.completed': readSession,
  'credit_note.created': readCreditNote,
  'credit_note.updated': readCreditNote,
  'credit_note.voided': readCreditNote,
  'customer.created': readCustomer,
  'customer.discount.created': readDiscount,
  'customer.discount.updated': readDiscount,
  'customer.subscription.created': readSubscription,
  'customer.subscription.updated': readSubscription,
  'customer.updated': readCustomer,
  'invoice.marked_uncollectible': readInvoice,
  'invoice.paid': readInvoice,
  'invoice.payment_succeeded': readInvoice,
  'invoice.voided': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'payment_intent.succeeded': readPaymentIntent,
  'promotion_code.created': readPromotionCode,
  'promotion_code.updated': readPromotionCode,
  'refund.created': readRefund,
  'refund.failed': readRefund,
  'refund.updated': readRefund,
}

export const stripe: Kind = {
  description: 'Stripe.',
  refusal: 400,
  eventTypes: Object.keys(readers),
  isMapped: false,
  // Stripe signs `<time>.<body>` with the whole text of the secret. Source: docs.stripe.com/webhooks/signature.
  problemOf: timedScheme('Stripe-Signature', { time: 't', digest: 'v1', separator: ',', joint: '.' }),
  envelopeOf(body) {
    const [externalId, type] = [textAt(body, 'id'), textAt(body, 'type')]
    if (!externalId || !type) throw new Unusable('The body is not an event of Stripe: it has no id and type.')
    const isTest = typeof body.livemode === 'boolean' ? !body.livemode : undefined
    return { externalId, type, occurredAt: secondsAt(body, 'created'), isTest, account: textAt(body, 'account') ?? '' }
  },
  read(body, type) {
    if (body.object === 'v2.core.event') throw new Unusable(`${reasonOfThin}. Choose snapshot events.`)
    const object = objectOf(objectOf(body.data).object)
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (!read) return { ignored: `Events of the type ${type} change no sales.` }
    if (!textAt(object, 'id')) throw new Unusable('The event has no data.object with an id.')
    const at = secondsAt(body, 'created')
    if (!at) throw new Unusable('The event has no time in created.')
    return read(object, at, type)
  },
}
