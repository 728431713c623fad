import { candidatesOf, type Fact, type Reading } from '../facts.ts'
import {
  agentsIn,
  idAt,
  type Json,
  listOf,
  objectOf,
  present,
  textAt,
  timeAt,
  Unusable,
  wholeAt,
  wholeOrZero,
} from './json.ts'
import type { Kind } from './kind.ts'
import { paidPart } from './paid-part.ts'
import { timedScheme } from './signature.ts'
import { currencyOf, intervalOfCycle, intervalOfPeriod } from './units.ts'

/** Paddle writes amounts as text. */
const asText = { text: true }
/** Credit lines and their discounts are negative. Source: Paddle's changelog of 11 March 2024. */
const anyText = { text: true, negative: true }

/** Of the object itself, and of those that are given with it. */
const referralsIn = (data: Json) =>
  [data, data.subscription, data.checkout, data.customer].map((one) => textAt(one, 'custom_data.referral'))

function readTransaction(data: Json, time: string): Reading {
  const id = textAt(data, 'id')
  if (!id) throw new Unusable('The transaction has no id.')
  const status = textAt(data, 'status')
  if (status !== 'completed' && status !== 'paid') return { ignored: `The transaction is not paid: it is ${status}.` }
  const subscription = idAt(data, 'subscription_id')
  const discount = idAt(data, 'discount_id')
  const codes = present([textAt(data, 'custom_data.coupon'), textAt(data, 'discount.code'), discount])
  const who = {
    customer: idAt(data, 'customer_id'),
    name: textAt(data, 'customer.name'),
    ...candidatesOf({ emails: [textAt(data, 'customer.email')], referrals: referralsIn(data) }),
    coupons: codes.length > 0 ? codes : undefined,
    agents: agentsIn(data.custom_data),
  }
  const totals = objectOf(objectOf(data.details).totals)
  const total = wholeAt(totals, 'total', { text: true, negative: true })
  if (total < 0n) return { ignored: 'The transaction gives the customer credit. Nothing was paid.' }
  const paid = totals.grand_total === undefined ? total : wholeAt(totals, 'grand_total', asText)
  const objects = present([id, subscription])
  if (paid === 0n) return { facts: [{ kind: 'lead', objects, at: time, who, what: 'a transaction of 0' }] }
  const cycle = listOf(data.items)
    .map((item) => objectOf(objectOf(item.price).billing_cycle))
    .find((one) => one.interval)
  const period = objectOf(data.billing_period)
  const interval = cycle
    ? intervalOfCycle(cycle.interval, cycle.frequency ?? 1)
    : intervalOfPeriod(timeAt(period, 'starts_at'), timeAt(period, 'ends_at'))
  // What else Paddle bills to a subscription has an origin that begins with it.
  const isFirst = subscription !== undefined && ['web', 'api'].includes(textAt(data, 'origin') ?? '')
  const payment: Fact = {
    kind: 'payment',
    id,
    objects: present([textAt(data, 'invoice_id')]),
    of: present([subscription]),
    totalCents: String(paid),
    taxCents: String(paidPart(wholeOrZero(totals, 'tax', anyText), paid, total)),
    shippingCents: '0',
    discountCents: String(paidPart(wholeOrZero(totals, 'discount', anyText), paid, total)),
    currency: currencyOf(textAt(data, 'currency_code')),
    at: timeAt(data, 'billed_at') ?? time,
    billingInterval: subscription || cycle ? interval : 'one_off',
    paymentNumber: isFirst ? 1 : undefined,
    items: listOf(objectOf(data.details).line_items).map((line) => {
      const amount = wholeAt(line, 'totals.subtotal', anyText) - wholeOrZero(line, 'totals.discount', anyText)
      const { quantity } = line
      return {
        productId: textAt(line, 'product.id') ?? '',
        name: textAt(line, 'product.name'),
        amountCents: String(amount),
        quantity: typeof quantity === 'number' && Number.isInteger(quantity) && quantity > 0 ? quantity : undefined,
      }
    }),
    who,
    rank: 3,
  }
  return { facts: [payment] }
}

/** Chargebacks of a transaction and their reversal are adjustments of their own. */
function readAdjustment(data: Json, time: string, includesTax: boolean): Reading {
  const [id, transaction, action] = [textAt(data, 'id'), idAt(data, 'transaction_id'), textAt(data, 'action') ?? '']
  if (!id || !transaction) throw new Unusable('The adjustment has no id and transaction_id.')
  const status = textAt(data, 'status')
  if (status === 'pending_approval') return { ignored: 'The adjustment waits for the approval of Paddle.' }
  if (action === 'credit')
    return { ignored: 'The credit lowers what is due, or adds to a balance. The transactions say what was paid.' }
  const amountCents = String(wholeAt(data, 'totals.total', asText))
  const of = [transaction]
  const isReversed = status === 'reversed'
  // Paddle sends a chargeback again when a part of it changes, also after its reversal.
  const at = isReversed ? time : (timeAt(data, 'created_at') ?? time)
  const dispute = { kind: 'dispute', id: `${transaction}:chargeback`, of, amountCents, at } as const
  if (action === 'chargeback') return { facts: [{ ...dispute, state: isReversed ? 'won' : 'lost' }] }
  if (action === 'chargeback_warning') return { facts: [{ ...dispute, state: isReversed ? 'won' : 'open' }] }
  if (action === 'chargeback_reverse' || action === 'chargeback_warning_reverse')
    return { facts: [{ ...dispute, state: 'won' }] }
  if (action !== 'refund') return { ignored: `Adjustments of the kind ${action} change no sales.` }
  if (!includesTax && amountCents !== '0' && textAt(data, 'totals.tax') === amountCents)
    return { ignored: 'The adjustment gives back tax only, which is no part of the sale.' }
  const state = status === 'rejected' || isReversed ? 'failed' : 'done'
  return { facts: [{ kind: 'refund', id, of, amountCents, state, at: time }] }
}

export const paddle: Kind = {
  description: 'Paddle Billing. Paddle Classic is another system.',
  refusal: 400,
  eventTypes: [],
  isMapped: false,
  // Source: developer.paddle.com/webhooks/signature-verification.
  problemOf: timedScheme('Paddle-Signature', { time: 'ts', digest: 'h1', separator: ';', joint: ':' }),
  envelopeOf(body) {
    const [externalId, type] = [textAt(body, 'event_id'), textAt(body, 'event_type')]
    if (!externalId || !type)
      throw new Unusable('The body is not an event of Paddle: it has no event_id and event_type.')
    return { externalId, type, occurredAt: timeAt(body, 'occurred_at'), isTest: undefined, account: undefined }
  },
  read(body, type, { includes }) {
    const data = objectOf(body.data)
    const time = timeAt(body, 'occurred_at')
    if (!time) throw new Unusable('The event has no time in occurred_at.')
    if (type === 'transaction.completed' || type === 'transaction.paid') return readTransaction(data, time)
    if (type.startsWith('adjustment.')) return readAdjustment(data, time, includes.includes('tax'))
    const id = textAt(data, 'id')
    if (type.startsWith('customer.') && id) {
      const signals = candidatesOf({ emails: [textAt(data, 'email')], referrals: referralsIn(data) })
      const who = { customer: id, name: textAt(data, 'name'), ...signals }
      return { facts: [{ kind: 'signals', objects: [id], at: time, who }] }
    }
    if (type.startsWith('subscription.') && id) {
      const who = { customer: idAt(data, 'customer_id'), ...candidatesOf({ referrals: referralsIn(data) }) }
      const cycle = objectOf(data.billing_cycle)
      const said = {
        objects: [id],
        at: time,
        who,
        billingInterval: intervalOfCycle(cycle.interval, cycle.frequency ?? 1),
      }
      return data.status === 'trialing'
        ? { facts: [{ kind: 'lead', ...said, what: 'a trial' }] }
        : { facts: [{ kind: 'signals', ...said }] }
    }
    const code = textAt(data, 'code')
    if (type.startsWith('discount.') && id && code) return { facts: [{ kind: 'code', id, code }] }
    return { ignored: `Events of the type ${type} change no sales.` }
  },
}
