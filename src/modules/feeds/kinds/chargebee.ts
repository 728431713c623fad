import { randomBytes } from 'node:crypto'
import { isSameSecret } from '../../../kernel/same-secret.ts'
import { candidatesOf, type Fact, type Reading } from '../facts.ts'
import {
  agentsIn,
  type Json,
  listOf,
  objectOf,
  present,
  secondsAt,
  textAt,
  Unusable,
  wholeAt,
  wholeOrZero,
} from './json.ts'
import type { Kind } from './kind.ts'
import { paidPart } from './paid-part.ts'
import { currencyOf, intervalOfCycle, intervalOfPeriod } from './units.ts'

/** Own fields of Chargebee begin with `cf_`; `meta_data` is free. */
const referralsIn = (...objects: (Json | undefined)[]): (string | undefined)[] =>
  objects.flatMap((object) => [textAt(object, 'cf_referral'), textAt(object, 'meta_data.referral')])

function whoOf(content: Json) {
  const [customer, subscription, invoice] = ['customer', 'subscription', 'invoice'].map((name) =>
    objectOf(content[name]),
  )
  const coupons = present([
    ...listOf(invoice?.discounts).flatMap((discount) => [
      textAt(discount, 'coupon_set_code'),
      textAt(discount, 'entity_id'),
    ]),
    ...listOf(subscription?.coupons).flatMap((coupon) => [textAt(coupon, 'coupon_code'), textAt(coupon, 'coupon_id')]),
  ])
  return {
    customer: textAt(customer, 'id') ?? textAt(invoice, 'customer_id') ?? textAt(subscription, 'customer_id'),
    name: present([textAt(customer, 'first_name'), textAt(customer, 'last_name')]).join(' ') || undefined,
    ...candidatesOf({
      emails: [textAt(customer, 'email'), textAt(invoice, 'billing_address.email')],
      referrals: referralsIn(invoice, subscription, customer),
    }),
    coupons: coupons.length > 0 ? [...new Set(coupons)] : undefined,
    agents: agentsIn(invoice?.meta_data, subscription?.meta_data),
  }
}

/** The transaction that paid the invoice, if it paid no other one. */
function transactionOf(content: Json): string[] {
  const transaction = objectOf(content.transaction)
  const isOfOne = transaction.type === 'payment' && listOf(transaction.linked_invoices).length === 1
  return isOfOne ? present([textAt(transaction, 'id')]) : []
}

/** How often the subscription is billed. */
function intervalOf(content: Json) {
  const { billing_period_unit: unit, billing_period: count = 1 } = objectOf(content.subscription)
  return intervalOfCycle(unit, count)
}

const intervalOfLines = (invoice: Json) =>
  listOf(invoice.line_items)
    .map((line) => intervalOfPeriod(secondsAt(line, 'date_from'), secondsAt(line, 'date_to')))
    .find((interval) => interval !== undefined)

function readInvoice(content: Json, time: string, type: string): Fact[] {
  const invoice = objectOf(content.invoice)
  const id = textAt(invoice, 'id')
  if (!id) return []
  const status = textAt(invoice, 'status')
  if (type === 'invoice_deleted' || invoice.deleted === true)
    return [{ kind: 'void', of: [id], at: time, why: 'The invoice is deleted.' }]
  if (status === 'voided') return [{ kind: 'void', of: [id], at: time, why: 'The invoice is void.' }]
  if (status === 'not_paid') return [{ kind: 'void', of: [id], at: time, why: 'The invoice is uncollectible.' }]
  if (status !== 'paid') return []
  const who = whoOf(content)
  const subscription = textAt(invoice, 'subscription_id')
  const total = wholeAt(invoice, 'total')
  // Credits, adjustments and what was written off are not paid.
  const unpaid = ['credits_applied', 'amount_adjusted', 'write_off_amount']
  const paid = unpaid.reduce((rest, field) => rest - wholeOrZero(invoice, field), total)
  if (paid <= 0n)
    return [{ kind: 'lead', objects: present([id, subscription]), at: time, who, what: 'an invoice of 0' }]
  const discounts = listOf(invoice.discounts).reduce((sum, discount) => sum + wholeOrZero(discount, 'amount'), 0n)
  return [
    {
      kind: 'payment',
      id,
      objects: transactionOf(content),
      of: present([subscription]),
      totalCents: String(paid),
      taxCents: String(paidPart(wholeOrZero(invoice, 'tax'), paid, total)),
      shippingCents: '0',
      discountCents: String(paidPart(discounts, paid, total)),
      currency: currencyOf(textAt(invoice, 'currency_code')),
      at: secondsAt(invoice, 'paid_at') ?? time,
      billingInterval: subscription ? (intervalOf(content) ?? intervalOfLines(invoice)) : 'one_off',
      // Of an invoice without a subscription, it says that it is the first of the customer.
      paymentNumber: subscription && invoice.first_invoice === true ? 1 : undefined,
      items: listOf(invoice.line_items).map((line) => {
        const amount =
          wholeOrZero(line, 'amount', { negative: true }) - wholeOrZero(line, 'discount_amount', { negative: true })
        return {
          productId: textAt(line, 'entity_id') ?? '',
          name: textAt(line, 'description'),
          amountCents: String(amount),
          quantity:
            typeof line.quantity === 'number' && line.quantity > 0 ? Math.trunc(line.quantity) || undefined : undefined,
        }
      }),
      who,
      rank: 3,
    },
  ]
}

/**
 * A refund of Chargebee is a credit note that can be paid back. What of it pays other invoices makes those smaller, so
 * only what was paid back counts.
 */
function readCreditNote(content: Json, type: string, time: string): Reading {
  const note = objectOf(content.credit_note)
  const [id, invoice] = [textAt(note, 'id'), textAt(note, 'reference_invoice_id')]
  if (!id || !invoice) return { ignored: 'The event has no credit note of an invoice.' }
  if (note.type === 'adjustment') return { ignored: 'The credit note lowers what is due. It is no refund.' }
  const state = type === 'credit_note_deleted' || note.status === 'voided' ? 'failed' : 'done'
  const amountCents = String(wholeAt(note, typeof note.amount_refunded === 'number' ? 'amount_refunded' : 'total'))
  return { facts: [{ kind: 'refund', id, of: [invoice], amountCents, state, at: time }] }
}

export const chargebee: Kind = {
  description: 'Chargebee.',
  mintSecret: () => `tributary:${randomBytes(24).toString('base64url')}`,
  secretForm: { pattern: /^[^:]+:.+$/, problem: 'must be user:password' },
  refusal: 401,
  eventTypes: [],
  isMapped: false,
  // Chargebee does not sign. It sends the user and the password that are entered there, as `user:password`.
  problemOf({ header }, secrets) {
    const given = /^basic\s+(\S+)$/i.exec(header('authorization') ?? '')?.[1]
    if (given === undefined) return 'The request has no user and password (HTTP basic authentication).'
    const expected = secrets.map((secret) => Buffer.from(secret, 'utf8').toString('base64'))
    return expected.some((one) => isSameSecret(given, one))
      ? null
      : 'The user and the password are not those of the feed.'
  },
  envelopeOf(body) {
    const [externalId, type] = [textAt(body, 'id'), textAt(body, 'event_type')]
    if (!externalId || !type) throw new Unusable('The body is not an event of Chargebee: it has no id and event_type.')
    return { externalId, type, occurredAt: secondsAt(body, 'occurred_at'), isTest: undefined, account: undefined }
  },
  read(body, type) {
    const content = objectOf(body.content)
    const time = secondsAt(body, 'occurred_at')
    if (!time) throw new Unusable('The event has no time in occurred_at.')
    if (type === 'payment_refunded' || type === 'refund_initiated' || type.startsWith('credit_note_'))
      return readCreditNote(content, type, time)
    if (type === 'payment_succeeded' || type.startsWith('invoice_')) {
      const facts = readInvoice(content, time, type)
      return facts.length > 0 ? { facts } : { ignored: 'The invoice is not paid yet.' }
    }
    const subscription = textAt(content, 'subscription.id')
    const who = whoOf(content)
    if (type.startsWith('subscription_') && subscription) {
      const said = { objects: [subscription], at: time, who, billingInterval: intervalOf(content) }
      const signals: Fact =
        textAt(content, 'subscription.status') === 'in_trial'
          ? { kind: 'lead', ...said, what: 'a trial' }
          : { kind: 'signals', ...said }
      return { facts: [signals, ...readInvoice(content, time, type)] }
    }
    if (type.startsWith('customer_') && who.customer)
      return { facts: [{ kind: 'signals', objects: [who.customer], at: time, who }] }
    return { ignored: `Events of the type ${type} change no sales.` }
  },
}
