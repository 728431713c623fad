import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../../kernel/same-secret.ts'
import { hmac } from '../../../kernel/signatures.ts'
import { candidatesOf, type Fact, type Link, type Payment, type Reading } from '../facts.ts'
import { agentsIn, at, type Json, objectOf, present, textAt, timeAt, Unusable, wholeAt, wholeOrZero } from './json.ts'
import type { Kind } from './kind.ts'
import { wrongSignature } from './signature.ts'
import { currencyOf, intervalOfPeriod } from './units.ts'

/** Ids are numbers per kind of object. */
const orderId = (id: string | undefined) => id && `order-${id}`
const invoiceId = (id: string | undefined) => id && `subscription-invoice-${id}`
const subscriptionId = (id: string | undefined) => id && `subscription-${id}`
const customerId = (id: string | undefined) => id && `customer-${id}`
/** The first invoice of a subscription is the payment of its order. Both are sent. */
const firstOf = (subscription: string | undefined) => subscription && `first-of-${subscription}`

type Read = { data: Json; attributes: Json; who: Payment['who']; time: string }

function paymentOf({ attributes, who, time }: Read, id: string, more: Partial<Payment>): Payment {
  return {
    kind: 'payment',
    id,
    objects: [],
    of: [],
    totalCents: String(wholeAt(attributes, 'total')),
    taxCents: String(wholeOrZero(attributes, 'tax')),
    shippingCents: '0',
    discountCents: String(wholeOrZero(attributes, 'discount_total')),
    currency: currencyOf(textAt(attributes, 'currency')),
    at: timeAt(attributes, 'created_at') ?? time,
    who,
    rank: 3,
    ...more,
  }
}

/**
 * `refunded_amount` is the sum of all refunds. Older events only say that all was refunded. An order and the first
 * invoice of its subscription tell the same refunds.
 */
function refundedOf({ attributes, time }: Read, id: string, more: Link[] = []): Reading {
  const total = attributes.refunded_amount ? wholeAt(attributes, 'refunded_amount') : wholeAt(attributes, 'total')
  const all: Fact = { kind: 'refunded_total', id, of: [id], totalCents: String(total), at: time, isWhole: true }
  return { facts: [all, ...more] }
}

function readOrder(read: Read, isRefund: boolean): Reading {
  const id = orderId(textAt(read.data, 'id')) as string
  const status = textAt(read.attributes, 'status')
  if (isRefund) return refundedOf(read, id)
  if (status === 'pending' || status === 'failed' || status === 'fraudulent')
    return { ignored: `The order is not paid: it is ${status}.` }
  // The order has a second id, which is in the address of its receipt.
  const payment = paymentOf(read, id, { objects: present([textAt(read.attributes, 'identifier')]) })
  return payment.totalCents === '0'
    ? { facts: [{ kind: 'lead', objects: [id], at: read.time, who: read.who, what: 'an order of 0' }] }
    : { facts: [payment] }
}

function readInvoice(read: Read, isRefund: boolean): Reading {
  const id = invoiceId(textAt(read.data, 'id')) as string
  const subscription = subscriptionId(textAt(read.attributes, 'subscription_id'))
  const isFirst = read.attributes.billing_reason === 'initial'
  if (isRefund)
    return refundedOf(read, id, isFirst ? [{ kind: 'link', objects: present([id, firstOf(subscription)]) }] : [])
  if (wholeAt(read.attributes, 'total', { negative: true }) < 0n)
    return { ignored: 'The invoice gives the customer credit. Nothing was paid.' }
  const payment = paymentOf(read, id, {
    of: present([subscription]),
    paymentNumber: isFirst ? 1 : undefined,
    ...(isFirst && {
      objects: present([firstOf(subscription)]),
      isBare: true,
      belongsTo: 'its order',
      standsAlone: true,
      rank: 1,
    }),
  })
  if (payment.totalCents !== '0') return { facts: [payment] }
  const objects = present([id, subscription])
  return { facts: [{ kind: 'lead', objects, at: read.time, who: read.who, what: 'an invoice of 0' }] }
}

/** Subscriptions do not say how often they are billed, but when next. */
function intervalOf(attributes: Json, type: string) {
  const isNew = type === 'subscription_created' && attributes.status === 'active'
  return isNew ? intervalOfPeriod(timeAt(attributes, 'created_at'), timeAt(attributes, 'renews_at')) : undefined
}

function readSubscription({ data, attributes, who, time }: Read, type: string): Reading {
  const id = subscriptionId(textAt(data, 'id')) as string
  const order = orderId(textAt(attributes, 'order_id'))
  const link = { kind: 'link', objects: present([order, firstOf(id)]) } as const
  const billingInterval = intervalOf(attributes, type)
  const said = { objects: present([id, order]), at: time, who, billingInterval }
  return attributes.status === 'on_trial'
    ? { facts: [{ kind: 'lead', ...said, what: 'a trial' }, link] }
    : { facts: [{ kind: 'signals', ...said }, link] }
}

export const lemonSqueezy: Kind = {
  description: 'Lemon Squeezy.',
  // It takes up to 40 characters.
  mintSecret: () => randomBytes(20).toString('hex'),
  refusal: 400,
  eventTypes: [],
  isMapped: false,
  // Source: docs.lemonsqueezy.com/help/webhooks/signing-requests. The scheme has no time: an event is stored once.
  problemOf({ body, header }, secrets) {
    const given = header('x-signature')
    if (given === null) return 'The request has no header X-Signature.'
    return secrets.some((secret) => isSameSecret(given.trim(), hmac(secret, [body], 'hex'))) ? null : wrongSignature
  },
  envelopeOf(body, { body: bytes }) {
    const type = textAt(body, 'meta.event_name')
    if (!type || !textAt(body, 'data.id'))
      throw new Unusable('The body is not an event of Lemon Squeezy: it has no meta.event_name and data.id.')
    const isTest = at(body, 'meta.test_mode') ?? at(body, 'data.attributes.test_mode')
    return {
      // Events have no id. What is sent again has the same bytes.
      externalId: createHash('sha256').update(bytes).digest('hex').slice(0, 32),
      type,
      occurredAt: timeAt(body, 'data.attributes.updated_at'),
      isTest: typeof isTest === 'boolean' ? isTest : undefined,
      account: textAt(body, 'data.attributes.store_id'),
    }
  },
  read(body, type) {
    const data = objectOf(body.data)
    const attributes = objectOf(data.attributes)
    const time = timeAt(attributes, 'updated_at') ?? timeAt(attributes, 'created_at')
    if (!time) throw new Unusable('The event has no time in updated_at.')
    const coupons = present([textAt(body, 'meta.custom_data.coupon'), textAt(attributes, 'discount_code')])
    const who = {
      customer: customerId(textAt(attributes, 'customer_id')),
      name: textAt(attributes, 'user_name'),
      ...candidatesOf({
        emails: [textAt(attributes, 'user_email')],
        referrals: [textAt(body, 'meta.custom_data.referral')],
      }),
      coupons: coupons.length > 0 ? coupons : undefined,
      agents: agentsIn(objectOf(body.meta).custom_data),
    }
    const read = { data, attributes, who, time }
    if (type === 'order_created' || type === 'order_refunded') return readOrder(read, type === 'order_refunded')
    if (type === 'subscription_payment_success' || type === 'subscription_payment_recovered')
      return readInvoice(read, false)
    if (type === 'subscription_payment_refunded') return readInvoice(read, true)
    if (type === 'subscription_created' || type === 'subscription_updated') return readSubscription(read, type)
    return { ignored: `Events of the type ${type} change no sales.` }
  },
}
