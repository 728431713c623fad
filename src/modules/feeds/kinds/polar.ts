import { candidatesOf, type Fact, type Reading } from '../facts.ts'
import { agentsIn, idAt, type Json, objectOf, present, textAt, timeAt, Unusable, wholeAt, wholeOrZero } from './json.ts'
import type { Kind } from './kind.ts'
import { paidPart } from './paid-part.ts'
import { problemOfStandard } from './signature.ts'
import { currencyOf, intervalOfCycle } from './units.ts'

const whoOf = (data: Json) => ({
  customer: idAt(data, 'customer_id') ?? textAt(data, 'customer.id'),
  name: textAt(data, 'customer.name') ?? textAt(data, 'customer_name'),
  ...candidatesOf({
    emails: [textAt(data, 'customer.email'), textAt(data, 'customer_email')],
    // Polar puts `reference_id` of the address of a checkout link into the metadata.
    referrals: [data, data.subscription, data.checkout, data.customer].flatMap((one) => [
      textAt(one, 'metadata.referral'),
      textAt(one, 'metadata.reference_id'),
    ]),
  }),
  coupons: optionalList(present([textAt(data, 'discount.code')])),
  agents: agentsIn(data.metadata, objectOf(data.checkout).metadata),
})

const optionalList = (list: string[]) => (list.length > 0 ? list : undefined)

const intervalOf = ({ recurring_interval: unit, recurring_interval_count: count }: Json) =>
  intervalOfCycle(unit, count ?? 1)

/** An order is paid once. `refunded_amount` is the sum of its refunds without tax. */
function readOrder(data: Json, time: string): Reading {
  const id = textAt(data, 'id')
  if (!id) throw new Unusable('The order has no id.')
  if (data.paid === false || ['pending', 'draft', 'void'].includes(textAt(data, 'status') ?? ''))
    return { ignored: 'The order is not paid yet.' }
  const currency = currencyOf(textAt(data, 'currency'))
  // Older versions have only the amount without tax.
  const total =
    data.total_amount === undefined
      ? wholeAt(data, 'amount') + wholeOrZero(data, 'tax_amount')
      : wholeAt(data, 'total_amount', { negative: true })
  if (total < 0n) return { ignored: 'The order gives the customer credit. Nothing was paid.' }
  const who = whoOf(data)
  const subscription = idAt(data, 'subscription_id')
  const objects = present([id, subscription, idAt(data, 'checkout_id')])
  // A balance of the customer can pay a part.
  const paid = data.applied_balance_amount ? wholeAt(data, 'due_amount') : total
  if (paid === 0n) return { facts: [{ kind: 'lead', objects, at: time, who, what: 'an order of 0' }] }
  const facts: Fact[] = [
    {
      kind: 'payment',
      id,
      objects: present([idAt(data, 'checkout_id')]),
      of: present([subscription]),
      totalCents: String(paid),
      taxCents: String(paidPart(wholeOrZero(data, 'tax_amount'), paid, total)),
      shippingCents: '0',
      discountCents: String(paidPart(wholeOrZero(data, 'discount_amount'), paid, total)),
      currency,
      at: timeAt(data, 'created_at') ?? time,
      billingInterval: subscription ? intervalOf(objectOf(data.subscription)) : 'one_off',
      paymentNumber: data.billing_reason === 'subscription_create' ? 1 : undefined,
      who,
      rank: 3,
    },
  ]
  const refunded = wholeOrZero(data, 'refunded_amount') + wholeOrZero(data, 'refunded_tax_amount')
  if (refunded > 0n) facts.push({ kind: 'refunded_total', id, of: [id], totalCents: String(refunded), at: time })
  return { facts }
}

function readRefund(data: Json, time: string): Reading {
  const [id, order] = [textAt(data, 'id'), idAt(data, 'order_id')]
  if (!id || !order) throw new Unusable('The refund has no id and order_id.')
  const status = textAt(data, 'status')
  if (status === 'pending') return { ignored: 'The refund is not done yet.' }
  const amount = wholeAt(data, 'amount') + wholeOrZero(data, 'tax_amount')
  const state = status === 'failed' || status === 'canceled' ? 'failed' : 'done'
  return { facts: [{ kind: 'refund', id, of: [order], amountCents: String(amount), state, at: time }] }
}

export const polar: Kind = {
  description: 'Polar.',
  refusal: 400,
  eventTypes: [],
  isMapped: false,
  // Standard Webhooks; the key is the text of the secret. Source: polar.sh/docs, webhooks.
  problemOf: problemOfStandard,
  envelopeOf(body, { header }) {
    const type = textAt(body, 'type')
    const externalId = header('webhook-id')
    if (!type || !externalId) throw new Unusable('The body is not an event of Polar: it has no type.')
    return { externalId, type, occurredAt: timeAt(body, 'timestamp'), isTest: undefined, account: undefined }
  },
  read(body, type) {
    const data = objectOf(body.data)
    const time = timeAt(body, 'timestamp') ?? timeAt(data, 'modified_at') ?? timeAt(data, 'created_at')
    if (!time) throw new Unusable('The event has no timestamp.')
    if (type === 'order.paid' || type === 'order.updated' || type === 'order.refunded' || type === 'order.created')
      return readOrder(data, time)
    if (type === 'refund.created' || type === 'refund.updated') return readRefund(data, time)
    if (type.startsWith('subscription.')) {
      const objects = present([textAt(data, 'id'), idAt(data, 'checkout_id')])
      const said = { objects, at: time, who: whoOf(data), billingInterval: intervalOf(data) }
      return data.status === 'trialing'
        ? { facts: [{ kind: 'lead', ...said, what: 'a trial' }] }
        : { facts: [{ kind: 'signals', ...said }] }
    }
    if (type.startsWith('checkout.')) {
      return {
        facts: [
          { kind: 'signals', objects: present([textAt(data, 'id')]), at: time, who: whoOf(data), isCheckout: true },
        ],
      }
    }
    return { ignored: `Events of the type ${type} change no sales.` }
  },
}
