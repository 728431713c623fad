import { it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { type Customer, expectLives, type Life } from '../../../support/lives.ts'

const app = await createTestApp()

type Fields = Record<string, unknown>

/** Ids are numbers: those of a customer begin with the customer's. */
const idOf = (n: string, id: number) => Number(n) * 100 + id

const event = (name: string, n: string, type: string, id: number, attributes: Fields, custom?: Fields, minute = 0) => ({
  meta: { event_name: name, test_mode: false, custom_data: custom },
  data: {
    type,
    id: String(idOf(n, id)),
    attributes: {
      ...{ store_id: 1, customer_id: Number(n), user_email: `l${n}@shop.test`, user_name: 'L', currency: 'USD' },
      ...{
        created_at: '2026-03-10T11:00:00.000000Z',
        updated_at: `2026-03-10T11:${String(minute).padStart(2, '0')}:00Z`,
      },
      ...attributes,
    },
  },
})
const amounts = (cents: number, tax = 0, discount = 0) => ({
  ...{ subtotal: cents - tax + discount, discount_total: discount, tax, total: cents, status: 'paid' },
})
const order = (n: string, id: number, money: Fields, custom?: Fields) =>
  event('order_created', n, 'orders', id, money, custom)
const refunded = (n: string, id: number, money: Fields, cents: number, minute: number) =>
  event('order_refunded', n, 'orders', id, { ...money, refunded: true, refunded_amount: cents }, undefined, minute)
const subscription = (n: string, status: string, orderId: number, custom?: Fields, minute = 0) =>
  event('subscription_created', n, 'subscriptions', 50, { status, order_id: idOf(n, orderId) }, custom, minute)
const payment = (n: string, id: number, reason: string, money: Fields, name = 'subscription_payment_success') =>
  event(name, n, 'subscription-invoices', id, { ...money, subscription_id: idOf(n, 50), billing_reason: reason })

const byReferral = ({ referral }: Customer) => ({ referral })
const byCoupon = ({ coupon }: Customer) => ({ coupon })

const lives: Life[] = [
  {
    name: 'a single order, net of tax',
    events: (one) => [order(one.n, 1, amounts(12_000, 2_000), byReferral(one))],
    sales: ['order-@01 usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a subscription: its first payment is that of the order, a renewal is another sale',
    events: (one) => [
      order(one.n, 1, amounts(12_000, 2_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 8, 'initial', amounts(12_000, 2_000)),
      payment(one.n, 9, 'renewal', amounts(12_000, 2_000)),
    ],
    sales: ['order-@01 usd 10000/0 1000 PENDING', 'subscription-invoice-@09 usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a trial that is paid later',
    events: (one) => [
      order(one.n, 1, amounts(0), byReferral(one)),
      subscription(one.n, 'on_trial', 1, byReferral(one)),
      payment(one.n, 9, 'renewal', amounts(5_000)),
    ],
    sales: ['subscription-invoice-@09 usd 5000/0 500 PENDING'],
  },
  {
    name: 'a trial that is not paid stays a lead',
    events: (one) => [
      order(one.n, 1, amounts(0), byReferral(one)),
      subscription(one.n, 'on_trial', 1, byReferral(one)),
    ],
    sales: [],
    leads: 1,
  },
  {
    name: 'a discount is not sold',
    events: (one) => [order(one.n, 1, amounts(10_800, 1_800, 1_000), byCoupon(one))],
    sales: ['order-@01 usd 9000/0 900 PENDING'],
  },
  {
    name: 'two partial refunds, told as sums',
    events: (one) => [
      order(one.n, 1, amounts(12_000, 2_000), byCoupon(one)),
      refunded(one.n, 1, amounts(12_000, 2_000), 3_000, 1),
      refunded(one.n, 1, amounts(12_000, 2_000), 4_200, 2),
    ],
    sales: ['order-@01 usd 10000/3500 650 PENDING'],
  },
  {
    name: 'an order that is refunded as a whole, in the form of older events',
    events: (one) => [
      order(one.n, 1, amounts(10_000), byCoupon(one)),
      event('order_refunded', one.n, 'orders', 1, { ...amounts(10_000), status: 'refunded', refunded: true }, {}, 1),
    ],
    sales: ['order-@01 usd 10000/10000 1000 VOID'],
  },
  {
    name: 'a renewal that is refunded in part',
    events: (one) => [
      order(one.n, 1, amounts(10_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 9, 'renewal', amounts(10_000)),
      payment(
        one.n,
        9,
        'renewal',
        { ...amounts(10_000), refunded: true, refunded_amount: 2_500 },
        'subscription_payment_refunded',
      ),
    ],
    sales: ['order-@01 usd 10000/0 1000 PENDING', 'subscription-invoice-@09 usd 10000/2500 750 PENDING'],
  },
  {
    name: 'a payment that failed and was recovered',
    events: (one) => [
      order(one.n, 1, amounts(10_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 9, 'renewal', { ...amounts(10_000), status: 'pending' }, 'subscription_payment_failed'),
      payment(one.n, 9, 'renewal', amounts(10_000), 'subscription_payment_recovered'),
    ],
    sales: ['order-@01 usd 10000/0 1000 PENDING', 'subscription-invoice-@09 usd 10000/0 1000 PENDING'],
  },
  {
    name: 'yen have no minor unit',
    events: (one) => [
      order(one.n, 1, { ...amounts(11_000, 1_000), currency: 'JPY' }, byCoupon(one)),
      refunded(one.n, 1, { ...amounts(11_000, 1_000), currency: 'JPY' }, 5_500, 1),
    ],
    sales: ['order-@01 jpy 10000/5000 500 PENDING'],
  },
  {
    name: 'an upgrade: an invoice of the difference',
    events: (one) => [
      order(one.n, 1, amounts(3_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 9, 'updated', amounts(2_550, 425)),
    ],
    sales: ['order-@01 usd 3000/0 300 PENDING', 'subscription-invoice-@09 usd 2125/0 213 PENDING'],
  },
  {
    name: 'an order that is not paid, and one of nobody',
    events: (one) => [
      order(one.n, 1, { ...amounts(10_000), status: 'pending' }, byCoupon(one)),
      order(one.n, 2, amounts(10_000)),
      refunded(one.n, 2, amounts(10_000), 10_000, 1),
    ],
    sales: [],
  },
  {
    name: 'the first payment of a subscription is refunded: the order and the invoice tell it',
    events: (one) => [
      order(one.n, 1, { ...amounts(12_000, 2_000), setup_fee: 2_000, tax_inclusive: true }, byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 8, 'initial', amounts(12_000, 2_000)),
      refunded(one.n, 1, { ...amounts(12_000, 2_000), status: 'partial_refund', refunded: false }, 3_000, 1),
      payment(
        one.n,
        8,
        'initial',
        { ...amounts(12_000, 2_000), status: 'partial_refund', refunded_amount: 3_000 },
        'subscription_payment_refunded',
      ),
    ],
    sales: ['order-@01 usd 10000/2500 750 PENDING'],
  },
  {
    name: 'a refund that only the first invoice tells, and an order that is a fraud',
    events: (one) => [
      order(one.n, 1, amounts(10_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 8, 'initial', { ...amounts(10_000), refunded_amount: 4_000 }, 'subscription_payment_refunded'),
      order(one.n, 2, { ...amounts(10_000), status: 'fraudulent' }, byReferral(one)),
    ],
    sales: ['order-@01 usd 10000/4000 600 PENDING'],
  },
  {
    name: 'a downgrade whose invoice is negative',
    events: (one) => [
      order(one.n, 1, amounts(6_000), byReferral(one)),
      subscription(one.n, 'active', 1, byReferral(one)),
      payment(one.n, 9, 'updated', amounts(-2_400, -400)),
    ],
    sales: ['order-@01 usd 6000/0 600 PENDING'],
  },
]

it('customers of Lemon Squeezy', () => expectLives(app, 'LEMON_SQUEEZY', lives))
