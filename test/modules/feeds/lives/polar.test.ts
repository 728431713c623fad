import { it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { type Customer, expectLives, type Life } from '../../../support/lives.ts'

const app = await createTestApp()

type Fields = Record<string, unknown>

let number = 0
const event = (type: string, data: Fields) => {
  number += 1
  return { type, timestamp: new Date(1_773_140_400_000 + number * 1_000).toISOString(), data }
}
const customerOf = ({ n }: Customer) => ({ id: `pc_${n}`, email: `o${n}@shop.test`, name: 'O' })
const orderOf = (one: Customer, id: string, cents: number, more: Fields = {}) => ({
  ...{ id: `order_${one.n}${id}`, status: 'paid', paid: true, currency: 'usd', billing_reason: 'purchase' },
  ...{ subtotal_amount: cents, discount_amount: 0, tax_amount: 0, total_amount: cents, due_amount: cents },
  ...{ applied_balance_amount: 0, refunded_amount: 0, refunded_tax_amount: 0, customer_id: `pc_${one.n}` },
  ...{ customer: customerOf(one), created_at: '2026-03-10T11:00:00Z', metadata: {}, ...more },
})
const paid = (one: Customer, id: string, cents: number, more: Fields = {}) =>
  event('order.paid', orderOf(one, id, cents, more))
const refund = (one: Customer, id: string, name: string, cents: number, more: Fields = {}, type = 'refund.created') =>
  event(type, {
    ...{ id: `rf_${one.n}${name}`, order_id: `order_${one.n}${id}`, amount: cents, tax_amount: 0, currency: 'usd' },
    ...{ status: 'succeeded', ...more },
  })
const subscription = (one: Customer, type: string, status: string, more: Fields = {}) =>
  event(type, {
    ...{ id: `ps_${one.n}`, status, customer_id: `pc_${one.n}`, customer: customerOf(one), metadata: {}, ...more },
  })
const byReferral = ({ referral }: Customer) => ({ metadata: { referral } })
const byCoupon = ({ coupon }: Customer) => ({ discount: { id: 'd', code: coupon } })

/** An order in the form of 2024: its amount is without tax. */
const oldOrder = (one: Customer, id: string, amount: number, tax: number, more: Fields = {}) => ({
  ...{ id: `order_${one.n}${id}`, amount, tax_amount: tax, currency: 'usd', billing_reason: 'purchase' },
  ...{ user_id: 'u', user: { email: `o${one.n}@shop.test` }, product_price_id: 'pp', subscription_id: null },
  ...{ customer_id: `pc_${one.n}`, customer: customerOf(one), created_at: '2026-03-10T11:00:00Z', metadata: {} },
  ...more,
})

const lives: Life[] = [
  {
    name: 'a purchase by the metadata of its checkout, net of tax',
    events: (one) => [
      event('checkout.updated', {
        id: `co_${one.n}`,
        status: 'confirmed',
        ...byReferral(one),
        customer_email: `o${one.n}@shop.test`,
      }),
      paid(one, 'a', 12_000, { tax_amount: 2_000, checkout_id: `co_${one.n}` }),
    ],
    sales: ['order_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a subscription with a renewal, which only its subscription connects',
    events: (one) => [
      subscription(one, 'subscription.created', 'active', byReferral(one)),
      paid(one, 'a', 3_000, { subscription_id: `ps_${one.n}`, billing_reason: 'subscription_create' }),
      paid(one, 'b', 3_000, { subscription_id: `ps_${one.n}`, billing_reason: 'subscription_cycle' }),
    ],
    sales: ['order_@a usd 3000/0 300 PENDING', 'order_@b usd 3000/0 300 PENDING'],
  },
  {
    name: 'a trial that is paid later',
    events: (one) => [
      subscription(one, 'subscription.created', 'trialing', byReferral(one)),
      paid(one, 'a', 0, { subscription_id: `ps_${one.n}`, billing_reason: 'subscription_create' }),
      paid(one, 'b', 5_000, { subscription_id: `ps_${one.n}`, billing_reason: 'subscription_cycle' }),
    ],
    sales: ['order_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'a trial that is not paid stays a lead',
    events: (one) => [
      subscription(one, 'subscription.created', 'trialing', byReferral(one)),
      subscription(one, 'subscription.revoked', 'canceled'),
    ],
    sales: [],
    leads: 1,
  },
  {
    name: 'a discount code of the affiliate: the discount is not sold',
    events: (one) => [
      paid(one, 'a', 10_800, { subtotal_amount: 10_000, discount_amount: 1_000, tax_amount: 1_800, ...byCoupon(one) }),
    ],
    sales: ['order_@a usd 9000/0 900 PENDING'],
  },
  {
    name: 'two partial refunds with their tax, told as refunds and as sums',
    events: (one) => [
      paid(one, 'a', 12_000, { tax_amount: 2_000, ...byCoupon(one) }),
      refund(one, 'a', '1', 2_500, { tax_amount: 500 }),
      event('order.refunded', {
        ...orderOf(one, 'a', 12_000, { tax_amount: 2_000, status: 'partially_refunded', ...byCoupon(one) }),
        ...{ refunded_amount: 2_500, refunded_tax_amount: 500 },
      }),
      refund(one, 'a', '2', 1_000, { tax_amount: 200 }),
    ],
    sales: ['order_@a usd 10000/3500 650 PENDING'],
  },
  {
    name: 'a refund that waits, one that fails, and one that comes through',
    events: (one) => [
      paid(one, 'a', 10_000, byCoupon(one)),
      refund(one, 'a', '1', 4_000, { status: 'pending' }),
      refund(one, 'a', '1', 4_000, { status: 'failed' }, 'refund.updated'),
      refund(one, 'a', '2', 1_500, { status: 'pending' }),
      refund(one, 'a', '2', 1_500, {}, 'refund.updated'),
    ],
    sales: ['order_@a usd 10000/1500 850 PENDING'],
  },
  {
    name: 'a whole refund',
    events: (one) => [
      paid(one, 'a', 10_000, byCoupon(one)),
      event(
        'order.refunded',
        orderOf(one, 'a', 10_000, { status: 'refunded', refunded_amount: 10_000, ...byCoupon(one) }),
      ),
    ],
    sales: ['order_@a usd 10000/10000 1000 VOID'],
  },
  {
    name: 'yen have no minor unit',
    events: (one) => [
      paid(one, 'a', 11_000, { currency: 'jpy', tax_amount: 1_000, ...byCoupon(one) }),
      refund(one, 'a', '1', 5_000, { currency: 'jpy', tax_amount: 500 }),
    ],
    sales: ['order_@a jpy 10000/5000 500 PENDING'],
  },
  {
    name: 'an upgrade of which a balance pays a half',
    events: (one) => [
      paid(one, 'a', 3_000, { subscription_id: `ps_${one.n}`, ...byCoupon(one) }),
      paid(one, 'b', 12_000, {
        ...{ tax_amount: 2_000, applied_balance_amount: -6_000, due_amount: 6_000 },
        ...{ subscription_id: `ps_${one.n}`, billing_reason: 'subscription_update', ...byCoupon(one) },
      }),
    ],
    sales: ['order_@a usd 3000/0 300 PENDING', 'order_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'an order that is created, updated and paid is one sale',
    events: (one) => [
      event('order.created', orderOf(one, 'a', 4_900, { status: 'pending', paid: false, ...byCoupon(one) })),
      paid(one, 'a', 4_900, byCoupon(one)),
      event('order.updated', orderOf(one, 'a', 4_900, byCoupon(one))),
    ],
    sales: ['order_@a usd 4900/0 490 PENDING'],
  },
  {
    name: 'a customer whom no affiliate brought',
    events: (one) => [paid(one, 'a', 10_000), refund(one, 'a', '1', 10_000)],
    sales: [],
  },
  {
    name: 'orders in the form of older versions',
    events: (one) => [
      { type: 'order.created', data: oldOrder(one, 'a', 10_000, 2_000, byReferral(one)) },
      {
        type: 'order.refunded',
        data: {
          ...oldOrder(one, 'a', 10_000, 2_000, byReferral(one)),
          ...{ status: 'partially_refunded', refunded_amount: 2_500, refunded_tax_amount: 500 },
        },
      },
    ],
    sales: ['order_@a usd 10000/2500 750 PENDING'],
  },
  {
    name: 'a refund that is told as pending, done and failed, beside one that is done',
    events: (one) => [
      paid(one, 'a', 12_000, { net_amount: 10_000, subtotal_amount: 10_000, tax_amount: 2_000, ...byCoupon(one) }),
      refund(one, 'a', '1', 2_500, { tax_amount: 500, status: 'pending', reason: 'dispute_prevention' }),
      refund(one, 'a', '1', 2_500, { tax_amount: 500 }, 'refund.updated'),
      event('order.refunded', {
        ...orderOf(one, 'a', 12_000, { tax_amount: 2_000, status: 'partially_refunded', ...byCoupon(one) }),
        ...{ refunded_amount: 2_500, refunded_tax_amount: 500 },
      }),
      refund(one, 'a', '1', 2_500, { tax_amount: 500, status: 'failed' }, 'refund.updated'),
      refund(one, 'a', '2', 1_000, { tax_amount: 200 }),
    ],
    sales: ['order_@a usd 10000/1000 900 PENDING'],
  },
  {
    name: 'a downgrade whose order is negative',
    events: (one) => [
      paid(one, 'a', 10_000, { subscription_id: `ps_${one.n}`, ...byCoupon(one) }),
      paid(one, 'b', -4_800, {
        ...{ subtotal_amount: -4_000, net_amount: -4_000, tax_amount: -800, due_amount: 0, applied_balance_amount: 0 },
        ...{ subscription_id: `ps_${one.n}`, billing_reason: 'subscription_update', ...byCoupon(one) },
      }),
    ],
    sales: ['order_@a usd 10000/0 1000 PENDING'],
  },
]

it('customers of Polar', () => expectLives(app, 'POLAR', lives))
