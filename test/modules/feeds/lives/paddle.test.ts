import { it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { expectLives, type Life } from '../../../support/lives.ts'

const app = await createTestApp()

type Fields = Record<string, unknown>

let number = 0
const event = (type: string, data: Fields, minute = 0) => {
  number += 1
  const at = `2026-03-10T11:${String(minute).padStart(2, '0')}:00.000Z`
  return { event_id: `evt_${number}`, event_type: type, occurred_at: at, data }
}
const transaction = (n: string, id: string, totals: Fields, more: Fields = {}) =>
  event('transaction.completed', {
    ...{ id: `txn_${n}${id}`, status: 'completed', customer_id: `ctm_${n}`, currency_code: 'USD', items: [] },
    ...{ details: { totals: { subtotal: '0', discount: '0', tax: '0', ...totals }, line_items: [] }, ...more },
  })
const paid = (cents: number, tax = 0) => {
  const total = String(cents)
  return { subtotal: String(cents - tax), tax: String(tax), total, grand_total: total }
}
const adjustment = (
  n: string,
  id: string,
  name: string,
  action: string,
  cents: number,
  more: Fields = {},
  minute = 1,
) =>
  event(
    'adjustment.updated',
    {
      ...{ id: `adj_${n}${name}`, action, status: 'approved', transaction_id: `txn_${n}${id}`, currency_code: 'USD' },
      ...{ totals: { total: String(cents) }, ...more },
    },
    minute,
  )

const lives: Life[] = [
  {
    name: 'a subscription by the custom data of its checkout, with a renewal that only its subscription connects',
    events: ({ n, referral }) => [
      event('subscription.created', {
        id: `sub_${n}`,
        customer_id: `ctm_${n}`,
        status: 'active',
        custom_data: { referral },
      }),
      transaction(n, 'a', paid(12_000, 2_000), { subscription_id: `sub_${n}`, custom_data: { referral } }),
      transaction(n, 'b', paid(12_000, 2_000), { subscription_id: `sub_${n}` }),
    ],
    sales: ['txn_@a usd 10000/0 1000 PENDING', 'txn_@b usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a trial that is paid later',
    events: ({ n, referral }) => [
      event('customer.created', { id: `ctm_${n}`, email: `p${n}@shop.test` }),
      event('subscription.trialing', {
        id: `sub_${n}`,
        customer_id: `ctm_${n}`,
        status: 'trialing',
        custom_data: { referral },
      }),
      transaction(n, 'a', paid(0), { subscription_id: `sub_${n}` }),
      transaction(n, 'b', paid(5_000), { subscription_id: `sub_${n}` }),
    ],
    sales: ['txn_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'a trial that is not paid stays a lead',
    events: ({ n, referral }) => [
      event('customer.created', { id: `ctm_${n}`, email: `p${n}@shop.test` }),
      event('subscription.trialing', {
        id: `sub_${n}`,
        customer_id: `ctm_${n}`,
        status: 'trialing',
        custom_data: { referral },
      }),
    ],
    sales: [],
    leads: 1,
  },
  {
    name: 'a discount code of the affiliate, which only its own event translates',
    events: ({ n, coupon }) => [
      event('discount.created', { id: `dsc_${n}`, code: coupon, status: 'active' }),
      transaction(
        n,
        'a',
        { subtotal: '10000', discount: '1000', tax: '1800', total: '10800', grand_total: '10800' },
        { discount_id: `dsc_${n}` },
      ),
    ],
    sales: ['txn_@a usd 9000/0 900 PENDING'],
  },
  {
    name: 'two partial refunds, one of which was rejected first',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(12_000, 2_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'refund', 3_000, { status: 'pending_approval' }),
      adjustment(n, 'a', '1', 'refund', 3_000, { status: 'rejected' }, 2),
      adjustment(n, 'a', '2', 'refund', 3_000, {}, 3),
      adjustment(n, 'a', '3', 'refund', 1_200, {}, 4),
    ],
    sales: ['txn_@a usd 10000/3500 650 PENDING'],
  },
  {
    name: 'a chargeback that is lost',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(10_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'chargeback_warning', 10_000),
      adjustment(n, 'a', '2', 'chargeback', 10_000, {}, 2),
    ],
    sales: ['txn_@a usd 10000/10000 1000 VOID'],
  },
  {
    name: 'a chargeback that is reversed, and a warning that is open',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(10_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'chargeback', 10_000),
      adjustment(n, 'a', '2', 'chargeback_reverse', 10_000, {}, 2),
      transaction(n, 'b', paid(10_000), { custom_data: { coupon } }),
      adjustment(n, 'b', '3', 'chargeback_warning', 10_000, {}, 3),
    ],
    sales: ['txn_@a usd 10000/0 1000 PENDING', 'txn_@b usd 10000/0 1000 DISPUTE'],
  },
  {
    name: 'yen and won have no minor unit',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(11_000, 1_000), { currency_code: 'JPY', custom_data: { coupon } }),
      transaction(n, 'b', paid(50_000), { currency_code: 'KRW', custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'refund', 5_500, { currency_code: 'JPY' }),
    ],
    sales: ['txn_@a jpy 10000/5000 500 PENDING', 'txn_@b krw 50000/0 5000 PENDING'],
  },
  {
    name: 'an upgrade that a credit pays a part of, and a downgrade that only gives credit',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(3_000), { custom_data: { coupon } }),
      transaction(
        n,
        'b',
        { subtotal: '10000', tax: '2000', total: '12000', credit: '6000', grand_total: '6000' },
        { custom_data: { coupon } },
      ),
      transaction(
        n,
        'c',
        { subtotal: '-2000', tax: '-400', total: '-2400', credit_to_balance: '2400', grand_total: '0' },
        { custom_data: { coupon } },
      ),
    ],
    sales: ['txn_@a usd 3000/0 300 PENDING', 'txn_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'a transaction that is told as paid and as completed is one sale',
    events: ({ n, coupon }) => {
      const completed = transaction(n, 'a', paid(4_900), { custom_data: { coupon } })
      const { data } = completed
      return [
        event('transaction.created', { ...data, status: 'ready' }),
        event('transaction.paid', { ...data, status: 'paid' }),
        completed,
      ]
    },
    sales: ['txn_@a usd 4900/0 490 PENDING'],
  },
  {
    name: 'a payment that failed, and one of nobody',
    events: ({ n, coupon }) => [
      event('transaction.payment_failed', { id: `txn_${n}a`, status: 'past_due', custom_data: { coupon } }),
      transaction(n, 'b', paid(10_000)),
      adjustment(n, 'b', '1', 'refund', 10_000),
    ],
    sales: [],
  },
  {
    name: 'a yearly plan with its products, refunded as a whole',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(100_000), {
        custom_data: { coupon },
        items: [{ price: { id: 'pri_1', billing_cycle: { interval: 'year', frequency: 1 } }, quantity: 1 }],
      }),
      adjustment(n, 'a', '1', 'refund', 100_000),
    ],
    sales: ['txn_@a usd 100000/100000 10000 VOID'],
  },
  {
    name: 'a chargeback that is told as reversed after its reversal was told',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(10_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'chargeback', 10_000, { type: 'full', reason: 'fraud' }),
      adjustment(n, 'a', '2', 'chargeback_reverse', 10_000, { type: 'full' }, 2),
      adjustment(n, 'a', '1', 'chargeback', 10_000, { type: 'full', status: 'reversed' }, 3),
    ],
    sales: ['txn_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a refund of the tax alone, for a buyer with a tax number, and one of an item',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(12_000, 2_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'refund', 2_000, {
        ...{ type: 'partial', items: [{ id: 'adjitm_1', type: 'tax', amount: '2000' }] },
        totals: { subtotal: '0', tax: '2000', total: '2000', fee: '0', earnings: '0', currency_code: 'USD' },
      }),
      adjustment(n, 'a', '2', 'refund', 3_000, {
        ...{ type: 'partial', items: [{ id: 'adjitm_2', type: 'partial', amount: '3000' }] },
        totals: { subtotal: '2500', tax: '500', total: '3000', fee: '0', earnings: '0', currency_code: 'USD' },
      }),
    ],
    sales: ['txn_@a usd 10000/2500 750 PENDING'],
  },
  {
    name: 'an invoice by hand that a credit lowers before it is paid',
    events: ({ n, coupon }) => [
      event('transaction.billed', {
        ...{ id: `txn_${n}a`, status: 'billed', customer_id: `ctm_${n}`, collection_mode: 'manual' },
        ...{ custom_data: { coupon }, details: { totals: { ...paid(12_000, 2_000), credit: '0' } } },
      }),
      adjustment(n, 'a', '1', 'credit', 3_000, {
        totals: { subtotal: '2500', tax: '500', total: '3000', currency_code: 'USD' },
      }),
      transaction(
        n,
        'a',
        { subtotal: '10000', tax: '2000', total: '12000', credit: '3000', grand_total: '9000' },
        { collection_mode: 'manual', custom_data: { coupon } },
      ),
    ],
    sales: ['txn_@a usd 7500/0 750 PENDING'],
  },
  {
    name: 'a partial chargeback after a refund, and a warning that is taken back',
    events: ({ n, coupon }) => [
      transaction(n, 'a', paid(12_000, 2_000), { custom_data: { coupon } }),
      adjustment(n, 'a', '1', 'refund', 3_000, { status: 'pending_approval', created_at: '2026-03-10T11:01:00Z' }),
      adjustment(n, 'a', '1', 'refund', 3_000, { created_at: '2026-03-10T11:01:00Z' }, 2),
      adjustment(n, 'a', '2', 'chargeback', 6_000, { type: 'partial', created_at: '2026-03-10T11:03:00Z' }, 3),
      transaction(n, 'b', paid(12_000, 2_000), { custom_data: { coupon } }),
      adjustment(n, 'b', '3', 'chargeback_warning', 12_000, { created_at: '2026-03-10T11:03:00Z' }, 3),
      adjustment(n, 'b', '4', 'chargeback_warning_reverse', 12_000, { created_at: '2026-03-10T11:04:00Z' }, 4),
      transaction(n, 'c', paid(12_000, 2_000), { custom_data: { coupon } }),
      adjustment(n, 'c', '5', 'chargeback', 12_000, { created_at: '2026-03-10T11:03:00Z' }, 3),
      adjustment(n, 'c', '6', 'chargeback_reverse', 12_000, { created_at: '2026-03-10T11:04:00Z' }, 4),
      adjustment(
        n,
        'c',
        '5',
        'chargeback',
        12_000,
        { created_at: '2026-03-10T11:03:00Z', credit_applied_to_balance: null },
        9,
      ),
    ],
    sales: ['txn_@a usd 10000/7500 250 PENDING', 'txn_@b usd 10000/0 1000 PENDING', 'txn_@c usd 10000/0 1000 PENDING'],
  },
]

it('customers of Paddle Billing', () => expectLives(app, 'PADDLE', lives))
