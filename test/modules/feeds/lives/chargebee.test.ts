import { it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { type Customer, expectLives, type Life } from '../../../support/lives.ts'

const app = await createTestApp()

type Fields = Record<string, unknown>

const start = 1_773_140_400
let number = 0
const event = (type: string, content: Fields) => {
  number += 1
  return { id: `ev_${number}`, event_type: type, occurred_at: start + number, content }
}
const customerOf = ({ n }: Customer) => ({ id: `cust_${n}`, email: `b${n}@shop.test`, first_name: 'B' })
const invoiceOf = ({ n }: Customer, id: string, cents: number, more: Fields = {}) => ({
  ...{ id: `inv_${n}${id}`, customer_id: `cust_${n}`, subscription_id: `sub_${n}`, currency_code: 'USD' },
  ...{ status: 'paid', price_type: 'tax_exclusive', total: cents, tax: 0, line_items: [], discounts: [], ...more },
})
const paid = (one: Customer, id: string, cents: number, more: Fields = {}, subscription: Fields = {}) =>
  event('payment_succeeded', {
    transaction: { id: `txn_${one.n}${id}`, amount: cents, type: 'payment', status: 'success' },
    invoice: invoiceOf(one, id, cents, more),
    customer: customerOf(one),
    subscription: { id: `sub_${one.n}`, customer_id: `cust_${one.n}`, status: 'active', ...subscription },
  })
const note = (one: Customer, id: string, name: string, cents: number, more: Fields = {}, type = 'payment_refunded') =>
  event(type, {
    credit_note: {
      ...{
        id: `cn_${one.n}${name}`,
        reference_invoice_id: `inv_${one.n}${id}`,
        type: 'refundable',
        status: 'refunded',
      },
      ...{ total: cents, currency_code: 'USD', ...more },
    },
  })
const subscription = (one: Customer, type: string, status: string, more: Fields = {}) =>
  event(type, {
    subscription: { id: `sub_${one.n}`, customer_id: `cust_${one.n}`, status, ...more },
    customer: customerOf(one),
  })
/** What of a credit note can still be used, what paid other invoices, and what was given back. */
const left = (available: number, allocated = 0, refunded = 0) => ({
  ...{ amount_available: available, amount_allocated: allocated, amount_refunded: refunded },
})
const byReferral = ({ referral }: Customer) => ({ cf_referral: referral })
const byCoupon = ({ coupon }: Customer, amount = 0) => ({
  discounts: [{ entity_type: 'document_level_coupon', entity_id: coupon, amount }],
})

const lives: Life[] = [
  {
    name: 'a subscription by its own field, net of tax, with a renewal',
    events: (one) => [
      subscription(one, 'subscription_created', 'active', byReferral(one)),
      paid(one, 'a', 12_000, { tax: 2_000, first_invoice: true }),
      paid(one, 'b', 12_000, { tax: 2_000 }),
    ],
    sales: ['inv_@a usd 10000/0 1000 PENDING', 'inv_@b usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a trial that is paid later',
    events: (one) => [
      subscription(one, 'subscription_created', 'in_trial', byReferral(one)),
      subscription(one, 'subscription_activated', 'active'),
      paid(one, 'a', 5_000),
    ],
    sales: ['inv_@a usd 5000/0 500 PENDING'],
  },
  {
    name: 'a trial that is not paid stays a lead',
    events: (one) => [
      subscription(one, 'subscription_created', 'in_trial', byReferral(one)),
      subscription(one, 'subscription_cancelled', 'cancelled'),
    ],
    sales: [],
    leads: 1,
  },
  {
    name: 'a coupon of the affiliate: the discount is not sold',
    events: (one) => [paid(one, 'a', 10_800, { tax: 1_800, ...byCoupon(one, 1_000) })],
    sales: ['inv_@a usd 9000/0 900 PENDING'],
  },
  {
    name: 'two partial refunds, and a note that only lowers what is due',
    events: (one) => [
      paid(one, 'a', 12_000, { tax: 2_000, ...byCoupon(one) }),
      note(one, 'a', '1', 3_000),
      note(one, 'a', '2', 1_200),
      note(one, 'a', '3', 500, { type: 'adjustment', status: 'adjusted' }, 'credit_note_created'),
    ],
    sales: ['inv_@a usd 10000/3500 650 PENDING'],
  },
  {
    name: 'a refund that is told twice, and one whose note is deleted',
    events: (one) => [
      paid(one, 'a', 10_000, byCoupon(one)),
      note(one, 'a', '1', 2_500, {}, 'credit_note_created'),
      note(one, 'a', '1', 2_500),
      note(one, 'a', '2', 4_000, {}, 'credit_note_created'),
      note(one, 'a', '2', 4_000, { deleted: true }, 'credit_note_deleted'),
    ],
    sales: ['inv_@a usd 10000/2500 750 PENDING'],
  },
  {
    name: 'a whole refund',
    events: (one) => [paid(one, 'a', 10_000, byCoupon(one)), note(one, 'a', '1', 10_000)],
    sales: ['inv_@a usd 10000/10000 1000 VOID'],
  },
  {
    name: 'yen without a minor unit, dinars in thousandths',
    events: (one) => [
      paid(one, 'a', 11_000, { currency_code: 'JPY', tax: 1_000, ...byCoupon(one) }),
      paid(one, 'b', 12_340, { currency_code: 'KWD', ...byCoupon(one) }),
      note(one, 'b', '1', 2_340, { currency_code: 'KWD' }),
    ],
    sales: ['inv_@a jpy 10000/0 1000 PENDING', 'inv_@b kwd 12340/2340 1000 PENDING'],
  },
  {
    name: 'an upgrade: credits of the old plan pay a half, and a renewal that credits pay as a whole',
    events: (one) => [
      paid(one, 'a', 3_000, byCoupon(one)),
      paid(one, 'b', 12_000, { tax: 2_000, credits_applied: 6_000, ...byCoupon(one) }),
      event('invoice_generated', {
        invoice: invoiceOf(one, 'c', 2_000, { credits_applied: 2_000, ...byCoupon(one) }),
        customer: customerOf(one),
      }),
    ],
    sales: ['inv_@a usd 3000/0 300 PENDING', 'inv_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'an invoice that is generated, due, and paid is one sale',
    events: (one) => [
      event('invoice_generated', {
        invoice: invoiceOf(one, 'a', 4_900, { status: 'payment_due', ...byCoupon(one) }),
        customer: customerOf(one),
      }),
      event('payment_failed', { invoice: invoiceOf(one, 'a', 4_900, { status: 'payment_due' }) }),
      paid(one, 'a', 4_900, byCoupon(one)),
      event('invoice_updated', { invoice: invoiceOf(one, 'a', 4_900, byCoupon(one)) }),
    ],
    sales: ['inv_@a usd 4900/0 490 PENDING'],
  },
  {
    name: 'an invoice that was given up, and paid after all',
    events: (one) => [
      event('invoice_updated', { invoice: invoiceOf(one, 'a', 10_000, { status: 'not_paid' }) }),
      paid(one, 'a', 10_000, byCoupon(one)),
    ],
    sales: ['inv_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a customer whom no affiliate brought',
    events: (one) => [
      event('customer_created', { customer: customerOf(one) }),
      paid(one, 'a', 10_000),
      note(one, 'a', '1', 10_000),
    ],
    sales: [],
  },
  {
    name: 'credits of a credit note pay the next invoice: only what was given back is refunded',
    events: (one) => [
      paid(one, 'a', 10_000, { amount_paid: 10_000, ...byCoupon(one) }),
      note(one, 'a', '1', 4_000, { status: 'refund_due', ...left(4_000) }, 'credit_note_created'),
      paid(one, 'b', 10_000, { credits_applied: 3_000, amount_paid: 7_000, ...byCoupon(one) }),
      note(one, 'a', '1', 4_000, { status: 'refund_due', ...left(1_000, 3_000) }, 'credit_note_updated'),
      note(one, 'a', '1', 4_000, { ...left(0, 3_000, 1_000) }, 'refund_initiated'),
      note(one, 'a', '1', 4_000, { ...left(0, 3_000, 1_000) }),
    ],
    sales: ['inv_@a usd 10000/1000 900 PENDING', 'inv_@b usd 7000/0 700 PENDING'],
  },
  {
    name: 'a refund that is started and fails, and one of money that belongs to no invoice',
    events: (one) => [
      paid(one, 'a', 10_000, byCoupon(one)),
      note(one, 'a', '1', 10_000, { ...left(0, 0, 10_000) }, 'refund_initiated'),
      note(one, 'a', '1', 10_000, { status: 'refund_due', ...left(10_000) }, 'credit_note_updated'),
      event('payment_refunded', {
        transaction: { id: `txn_${one.n}r`, type: 'refund', amount: 500, status: 'success', linked_refunds: [] },
        customer: customerOf(one),
      }),
      note(one, 'a', '2', 700, { reference_invoice_id: undefined, type: 'store' }, 'credit_note_created'),
    ],
    sales: ['inv_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'an invoice that is deleted after it was paid',
    events: (one) => [
      paid(one, 'a', 10_000, { paid_at: start, ...byCoupon(one) }),
      event('invoice_deleted', {
        invoice: invoiceOf(one, 'a', 10_000, { deleted: true, paid_at: start, ...byCoupon(one) }),
        customer: customerOf(one),
      }),
      event('invoice_deleted', {
        invoice: invoiceOf(one, 'b', 10_000, { deleted: true, paid_at: start, ...byCoupon(one) }),
        customer: customerOf(one),
      }),
    ],
    sales: ['inv_@a usd 10000/10000 1000 VOID'],
  },
]

it('customers of Chargebee', () => expectLives(app, 'CHARGEBEE', lives))
