import { it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { expectDryBackfills, expectLives, type Life } from '../../../support/lives.ts'
import { stripeEvent } from '../../../support/stripe.ts'

const app = await createTestApp()

type Fields = Record<string, unknown>

const invoice = (n: string, id: string, cents: number, more: Fields = {}, type = 'invoice.paid') =>
  stripeEvent(type, {
    ...{ id: `in_${n}${id}`, object: 'invoice', customer: `cus_${n}`, currency: 'usd', status: 'paid' },
    ...{ total: cents, amount_paid: cents, total_taxes: [], total_discount_amounts: [] },
    ...{ payment_intent: `pi_${n}${id}`, ...more },
  })
const charge = (n: string, id: string, cents: number, more: Fields = {}, type = 'charge.succeeded') =>
  stripeEvent(type, {
    ...{ id: `ch_${n}${id}`, object: 'charge', customer: `cus_${n}`, payment_intent: `pi_${n}${id}`, currency: 'usd' },
    ...{ amount: cents, amount_captured: cents, amount_refunded: 0, paid: true, captured: true, ...more },
  })
const session = (n: string, more: Fields) =>
  stripeEvent('checkout.session.completed', {
    ...{ id: `cs_${n}`, object: 'checkout.session', mode: 'subscription', customer: `cus_${n}`, currency: 'usd' },
    ...{ payment_status: 'paid', customer_details: { email: `c${n}@shop.test`, name: 'C' }, ...more },
  })
const dispute = (n: string, id: string, type: string, status: string, cents: number) =>
  stripeEvent(`charge.dispute.${type}`, {
    ...{ id: `du_${n}${id}`, object: 'dispute', charge: `ch_${n}${id}`, payment_intent: `pi_${n}${id}` },
    ...{ currency: 'usd', amount: cents, status },
  })
const refund = (n: string, id: string, name: string, cents: number, status = 'succeeded', more: Fields = {}) =>
  stripeEvent(status === 'failed' ? 'refund.failed' : 'refund.created', {
    ...{ id: `re_${n}${name}`, object: 'refund', charge: `ch_${n}${id}`, payment_intent: `pi_${n}${id}` },
    ...{ currency: 'usd', amount: cents, status, ...more },
  })

/** An invoice in the form since 2025-03-31: what it names of its subscription and its payments is elsewhere. */
const newInvoice = (n: string, id: string, cents: number, more: Fields = {}) =>
  stripeEvent('invoice.paid', {
    ...{ id: `in_${n}${id}`, object: 'invoice', customer: `cus_${n}`, customer_email: `c${n}@shop.test` },
    ...{
      currency: 'usd',
      status: 'paid',
      billing_reason: 'subscription_cycle',
      collection_method: 'charge_automatically',
    },
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: `sub_${n}`, metadata: {} },
    },
    ...{ amount_due: cents, amount_paid: cents, amount_remaining: 0, amount_overpaid: 0, amount_shipping: 0 },
    ...{ subtotal: cents, total: cents, total_excluding_tax: cents, total_taxes: [], total_discount_amounts: [] },
    ...{ total_pretax_credit_amounts: [], discounts: [], shipping_cost: null, starting_balance: 0, ending_balance: 0 },
    ...{ pre_payment_credit_notes_amount: 0, post_payment_credit_notes_amount: 0, metadata: {}, ...more },
  })
const invoicePayment = (n: string, id: string, payment: string, cents: number) =>
  stripeEvent('invoice_payment.paid', {
    ...{ id: `inpay_${n}${payment}`, object: 'invoice_payment', invoice: `in_${n}${id}`, currency: 'usd' },
    ...{ amount_paid: cents, amount_requested: cents, is_default: true, status: 'paid' },
    payment: { type: 'payment_intent', payment_intent: `pi_${n}${payment}` },
  })
const note = (n: string, id: string, name: string, cents: number, more: Fields = {}, type = 'credit_note.created') =>
  stripeEvent(type, {
    ...{ id: `cn_${n}${name}`, object: 'credit_note', customer: `cus_${n}`, invoice: `in_${n}${id}`, currency: 'usd' },
    ...{ type: 'post_payment', status: 'issued', amount: cents, subtotal: cents, total: cents, total_taxes: [] },
    ...{ pre_payment_amount: 0, post_payment_amount: cents, out_of_band_amount: null, refunds: [] },
    ...{ customer_balance_transaction: null, ...more },
  })
const shipping = { amount_subtotal: 595, amount_tax: 95, amount_total: 595, shipping_rate: 'shr_1', taxes: [] }

const lives: Life[] = [
  {
    name: 'a subscription by client_reference_id, net of a tax of 19 %, with its second payment',
    events: ({ n, referral }) => [
      session(n, { client_reference_id: referral, subscription: `sub_${n}`, invoice: `in_${n}a` }),
      invoice(n, 'a', 11_900, { subscription: `sub_${n}`, total_taxes: [{ amount: 1_900 }] }),
      charge(n, 'a', 11_900),
      invoice(n, 'b', 11_900, { subscription: `sub_${n}`, total_taxes: [{ amount: 1_900 }] }),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING', 'in_@b usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a trial that is paid later: the lead becomes a customer',
    events: ({ n, referral }) => [
      stripeEvent('customer.created', { id: `cus_${n}`, object: 'customer', email: `t${n}@shop.test` }),
      stripeEvent('customer.subscription.created', {
        ...{ id: `sub_${n}`, object: 'subscription', customer: `cus_${n}`, status: 'trialing', metadata: { referral } },
      }),
      invoice(n, 'a', 0, { subscription: `sub_${n}` }),
      invoice(n, 'b', 5_000, { subscription: `sub_${n}` }),
    ],
    sales: ['in_@b usd 5000/0 500 PENDING'],
  },
  {
    name: 'a trial that ends without a payment stays a lead',
    events: ({ n, referral }) => [
      stripeEvent('customer.created', { id: `cus_${n}`, object: 'customer', email: `t${n}@shop.test` }),
      stripeEvent('customer.subscription.created', {
        ...{ id: `sub_${n}`, object: 'subscription', customer: `cus_${n}`, status: 'trialing', metadata: { referral } },
      }),
    ],
    sales: [],
    leads: 1,
  },
  {
    name: 'a payment link with a promotion code: the discount is not sold, shipping and tax neither',
    events: ({ n, coupon }) => [
      stripeEvent('promotion_code.created', { id: `promo_${n}`, object: 'promotion_code', code: coupon }),
      session(n, {
        ...{ mode: 'payment', payment_intent: `pi_${n}a`, amount_total: 10_900 },
        ...{ total_details: { amount_tax: 1_500, amount_shipping: 400, amount_discount: 1_000 } },
        discounts: [{ promotion_code: `promo_${n}`, coupon: `co_${n}` }],
      }),
      charge(n, 'a', 10_900),
    ],
    sales: ['pi_@a usd 9000/0 900 PENDING'],
  },
  {
    name: 'two partial refunds, told as sums, as refunds, and by a credit note',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 12_000, { total_taxes: [{ amount: 2_000 }], metadata: { coupon } }),
      charge(n, 'a', 12_000),
      refund(n, 'a', '1', 3_000),
      charge(n, 'a', 12_000, { amount_refunded: 3_000 }, 'charge.refunded'),
      refund(n, 'a', '2', 1_200),
      charge(n, 'a', 12_000, { amount_refunded: 4_200 }, 'charge.refunded'),
      stripeEvent('credit_note.created', {
        ...{ id: `cn_${n}`, object: 'credit_note', invoice: `in_${n}a`, currency: 'usd', type: 'post_payment' },
        ...{ total: 1_200, post_payment_amount: 1_200, refunds: [{ refund: `re_${n}2`, amount_refunded: 1_200 }] },
      }),
    ],
    sales: ['in_@a usd 10000/3500 650 PENDING'],
  },
  {
    name: 'a refund that fails later counts no more',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, { metadata: { coupon } }),
      refund(n, 'a', '1', 4_000),
      refund(n, 'a', '1', 4_000, 'failed'),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a dispute that is won gives all back',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, { metadata: { coupon } }),
      charge(n, 'a', 10_000),
      dispute(n, 'a', 'created', 'needs_response', 10_000),
      dispute(n, 'a', 'closed', 'won', 10_000),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a dispute that is lost voids the commission, and an open one holds it',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, { metadata: { coupon } }),
      dispute(n, 'a', 'created', 'needs_response', 10_000),
      dispute(n, 'a', 'closed', 'lost', 10_000),
      invoice(n, 'b', 10_000, { metadata: { coupon } }),
      dispute(n, 'b', 'created', 'needs_response', 10_000),
    ],
    sales: ['in_@a usd 10000/10000 1000 VOID', 'in_@b usd 10000/0 1000 DISPUTE'],
  },
  {
    name: 'yen and rupiah as they are, krónur in hundredths, dinars in thousandths',
    events: ({ n, coupon }) => [
      invoice(n, 'jpy', 12_000, { currency: 'jpy', metadata: { coupon } }),
      invoice(n, 'isk', 1_234_500, { currency: 'isk', metadata: { coupon } }),
      invoice(n, 'kwd', 12_340, { currency: 'kwd', metadata: { coupon } }),
      charge(n, 'kwd', 12_340, { currency: 'kwd', amount_refunded: 2_340 }, 'charge.refunded'),
    ],
    sales: [
      'in_@jpy jpy 12000/0 1200 PENDING',
      'in_@isk isk 12345/0 1235 PENDING',
      'in_@kwd kwd 12340/2340 1000 PENDING',
    ],
  },
  {
    name: 'an upgrade: the credit of the old plan lowers the invoice, a balance pays a part of it',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 3_000, { metadata: { coupon }, subscription: `sub_${n}` }),
      invoice(n, 'b', 5_500, { billing_reason: 'subscription_update', subscription: `sub_${n}`, metadata: { coupon } }),
      invoice(n, 'c', 12_000, {
        ...{ amount_paid: 6_000, subscription: `sub_${n}`, total_taxes: [{ amount: 2_000 }], metadata: { coupon } },
      }),
    ],
    sales: ['in_@a usd 3000/0 300 PENDING', 'in_@b usd 5500/0 550 PENDING', 'in_@c usd 5000/0 500 PENDING'],
  },
  {
    name: 'an invoice that was given up, and paid after all',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, {}, 'invoice.marked_uncollectible'),
      invoice(n, 'a', 10_000, { metadata: { coupon } }),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a payment without an invoice, of a mobile app',
    events: ({ n, referral }) => [
      stripeEvent('payment_intent.succeeded', {
        ...{ id: `pi_${n}a`, object: 'payment_intent', customer: `cus_${n}`, currency: 'eur', amount: 990 },
        ...{ amount_received: 990, latest_charge: `ch_${n}a`, metadata: { referral } },
      }),
      charge(n, 'a', 990, { currency: 'eur' }),
    ],
    sales: ['pi_@a eur 990/0 99 PENDING'],
  },
  {
    name: 'a customer whom no affiliate brought',
    events: ({ n }) => [invoice(n, 'a', 10_000), charge(n, 'a', 10_000), refund(n, 'a', '1', 1_000)],
    sales: [],
  },
  {
    name: 'invoices of new versions, which only their payments connect with charges',
    events: ({ n, referral }) => [
      session(n, { client_reference_id: referral, subscription: `sub_${n}`, invoice: `in_${n}a` }),
      newInvoice(n, 'a', 10_000, { billing_reason: 'subscription_create' }),
      invoicePayment(n, 'a', 'a', 10_000),
      charge(n, 'a', 10_000, { description: 'Subscription creation', payment_method: 'pm_1' }),
      newInvoice(n, 'b', 10_000),
      charge(n, 'b', 10_000, { description: 'Subscription update', payment_method: 'pm_1' }),
      invoicePayment(n, 'b', 'b', 10_000),
      charge(n, 'b', 10_000, { amount_refunded: 2_500 }, 'charge.refunded'),
      refund(n, 'b', '1', 2_500),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING', 'in_@b usd 10000/2500 750 PENDING'],
  },
  {
    name: 'an invoice that two payments pay, each of which is refunded in part',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 10_000, { metadata: { coupon } }),
      ...[invoicePayment(n, 'a', 'x', 4_000), invoicePayment(n, 'a', 'y', 6_000)],
      ...[charge(n, 'x', 4_000), charge(n, 'y', 6_000)],
      charge(n, 'x', 4_000, { amount_refunded: 1_000 }, 'charge.refunded'),
      charge(n, 'y', 6_000, { amount_refunded: 2_000 }, 'charge.refunded'),
    ],
    sales: ['in_@a usd 10000/3000 700 PENDING'],
  },
  {
    name: 'taxes that the prices of goods and shipping include',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 12_495, {
        ...{ amount_shipping: 595, shipping_cost: shipping, metadata: { coupon } },
        total_taxes: [{ amount: 1_995, tax_behavior: 'inclusive', taxable_amount: 10_500 }],
      }),
      session(n, {
        ...{ mode: 'payment', payment_intent: `pi_${n}p`, amount_total: 12_495, metadata: { coupon } },
        ...{ total_details: { amount_tax: 1_995, amount_shipping: 595, amount_discount: 0 }, shipping_cost: shipping },
      }),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING', 'pi_@p usd 10000/0 1000 PENDING'],
  },
  {
    name: 'a credit note to the balance gives no money back: the next invoice is of less',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 10_000, { metadata: { coupon } }),
      note(n, 'a', '1', 4_000, { customer_balance_transaction: `cbtxn_${n}` }),
      newInvoice(n, 'b', 10_000, {
        ...{ amount_due: 6_000, amount_paid: 6_000, starting_balance: -4_000, metadata: { coupon } },
      }),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING', 'in_@b usd 6000/0 600 PENDING'],
  },
  {
    name: 'money that was given back outside of Stripe is beside the refunds of the charge',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, { metadata: { coupon } }),
      charge(n, 'a', 10_000, { invoice: `in_${n}a`, amount_refunded: 3_000 }, 'charge.refunded'),
      note(n, 'a', '1', 1_000, { out_of_band_amount: 1_000 }),
      note(n, 'a', '2', 500, { out_of_band_amount: 500 }),
      note(n, 'a', '2', 500, { out_of_band_amount: 500, status: 'void' }, 'credit_note.voided'),
    ],
    sales: ['in_@a usd 10000/4000 600 PENDING'],
  },
  {
    name: 'a discount that invoices name only by its id',
    events: ({ n, coupon }) => [
      stripeEvent('customer.discount.created', {
        ...{ id: `di_${n}`, object: 'discount', customer: `cus_${n}`, subscription: `sub_${n}`, invoice: null },
        source: { type: 'coupon', coupon: { id: 'co_x', object: 'coupon', name: coupon, percent_off: 10 } },
        promotion_code: null,
      }),
      newInvoice(n, 'a', 9_000, {
        ...{ subtotal: 10_000, discounts: [`di_${n}`] },
        total_discount_amounts: [{ amount: 1_000, discount: `di_${n}` }],
      }),
    ],
    sales: ['in_@a usd 9000/0 900 PENDING'],
  },
  {
    name: 'a promotion code as a whole, an inquiry that is closed, and a dispute whose funds come back',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 9_000, {
        discounts: [{ id: `di_${n}`, coupon: { id: 'co_x' }, promotion_code: { id: `promo_${n}`, code: coupon } }],
      }),
      charge(n, 'a', 9_000),
      dispute(n, 'a', 'created', 'warning_needs_response', 9_000),
      dispute(n, 'a', 'closed', 'warning_closed', 9_000),
      invoice(n, 'b', 9_000, { metadata: { coupon } }),
      dispute(n, 'b', 'created', 'needs_response', 9_000),
      dispute(n, 'b', 'funds_withdrawn', 'needs_response', 9_000),
      dispute(n, 'b', 'closed', 'won', 9_000),
      dispute(n, 'b', 'funds_reinstated', 'won', 9_000),
    ],
    sales: ['in_@a usd 9000/0 900 PENDING', 'in_@b usd 9000/0 900 PENDING'],
  },
  {
    name: 'an invoice of which a balance pays a part, and a bank transfer outside of Stripe the rest',
    events: ({ n, coupon }) => [
      invoice(n, 'a', 10_000, {
        ...{ paid: true, paid_out_of_band: true, starting_balance: -4_000, amount_due: 6_000, amount_paid: 0 },
        ...{ payment_intent: null, metadata: { coupon } },
      }),
    ],
    sales: ['in_@a usd 6000/0 600 PENDING'],
  },
  {
    name: 'two invoices of the same amount, whose charges name none: the earlier charge is of the earlier invoice',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 10_000, { metadata: { coupon } }),
      charge(n, 'x', 10_000, { description: 'Payment for Invoice' }),
      newInvoice(n, 'b', 10_000, { metadata: { coupon } }),
      charge(n, 'y', 10_000, { description: 'Payment for Invoice' }),
      charge(n, 'x', 10_000, { amount_refunded: 2_000 }, 'charge.refunded'),
      refund(n, 'x', '1', 2_000),
      dispute(n, 'y', 'closed', 'lost', 10_000),
    ],
    sales: ['in_@a usd 10000/2000 800 PENDING', 'in_@b usd 10000/10000 1000 VOID'],
  },
  {
    name: 'a checkout without an invoice: a refund that fails, another one, and a lost dispute of a part',
    events: ({ n, coupon }) => [
      session(n, {
        ...{ mode: 'payment', payment_intent: `pi_${n}a`, amount_total: 12_000, metadata: { coupon }, customer: null },
        ...{ total_details: { amount_tax: 2_000, amount_shipping: 0, amount_discount: 0 }, shipping_cost: null },
      }),
      stripeEvent('payment_intent.succeeded', {
        ...{ id: `pi_${n}a`, object: 'payment_intent', customer: null, currency: 'usd', amount: 12_000 },
        ...{ amount_received: 12_000, latest_charge: `ch_${n}a`, metadata: {} },
      }),
      charge(n, 'a', 12_000, { customer: null }),
      refund(n, 'a', '1', 6_000, 'pending'),
      charge(n, 'a', 12_000, { customer: null, amount_refunded: 6_000 }, 'charge.refunded'),
      refund(n, 'a', '1', 6_000, 'failed', { failure_reason: 'lost_or_stolen_card' }),
      refund(n, 'a', '2', 3_000),
      charge(n, 'a', 12_000, { customer: null, amount_refunded: 3_000 }, 'charge.refunded'),
      dispute(n, 'a', 'created', 'needs_response', 4_500),
      dispute(n, 'a', 'funds_withdrawn', 'needs_response', 4_500),
      dispute(n, 'a', 'closed', 'lost', 4_500),
    ],
    sales: ['pi_@a usd 10000/6250 375 PENDING'],
  },
  {
    name: 'credit notes with refunds in old and new forms, and one before the payment',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 12_000, {
        ...{ amount_due: 9_000, amount_paid: 9_000, pre_payment_credit_notes_amount: 3_000, metadata: { coupon } },
        total_taxes: [{ amount: 2_000, tax_behavior: 'exclusive' }],
      }),
      note(n, 'a', '0', 3_000, { type: 'pre_payment', pre_payment_amount: 3_000, post_payment_amount: 0 }),
      invoicePayment(n, 'a', 'a', 9_000),
      charge(n, 'a', 9_000),
      note(n, 'a', '1', 1_800, { refunds: [{ refund: `re_${n}1`, amount_refunded: 1_800, type: 'refund' }] }),
      refund(n, 'a', '1', 1_800),
      charge(n, 'a', 9_000, { amount_refunded: 1_800 }, 'charge.refunded'),
      note(n, 'a', '2', 900, { refund: `re_${n}2`, refunds: undefined, post_payment_amount: undefined }),
    ],
    sales: ['in_@a usd 7500/2250 525 PENDING'],
  },
  {
    name: 'a three-decimal currency, one without decimals, and lines with a discount each',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 11_550, {
        ...{ currency: 'bhd', subtotal: 11_000, total_taxes: [{ amount: 1_050, tax_behavior: 'exclusive' }] },
        ...{ total_discount_amounts: [{ amount: 500, discount: 'di_x' }], metadata: { coupon } },
        lines: {
          object: 'list',
          data: [
            {
              id: 'il_1',
              amount: 6_000,
              discount_amounts: [{ amount: 500 }],
              taxes: [{ amount: 550, tax_behavior: 'exclusive' }],
              pricing: { type: 'price_details', price_details: { price: 'price_1', product: 'prod_1' } },
              quantity: 1,
            },
            {
              id: 'il_2',
              amount: 5_000,
              discount_amounts: [],
              taxes: [{ amount: 500, tax_behavior: 'exclusive' }],
              pricing: { type: 'price_details', price_details: { price: 'price_2', product: 'prod_2' } },
              quantity: 2,
            },
          ],
        },
      }),
      invoicePayment(n, 'a', 'a', 11_550),
      refund(n, 'a', '1', 1_155, 'succeeded', { currency: 'bhd' }),
      invoice(n, 'k', 33_000, { currency: 'krw', tax: 3_000, total_taxes: undefined, metadata: { coupon } }),
      charge(n, 'k', 33_000, { currency: 'krw', amount_refunded: 11_000, invoice: `in_${n}k` }, 'charge.refunded'),
    ],
    sales: ['in_@a bhd 10500/1050 945 PENDING', 'in_@k krw 30000/10000 2000 PENDING'],
  },
  {
    name: 'a downgrade whose invoice is negative, and a renewal that the balance pays a part of',
    events: ({ n, coupon }) => [
      newInvoice(n, 'a', 10_000, { metadata: { coupon } }),
      newInvoice(n, 'b', -4_800, {
        ...{ amount_due: 0, amount_paid: 0, billing_reason: 'subscription_update', metadata: { coupon } },
        ...{ ending_balance: -4_800, total_taxes: [{ amount: -800, tax_behavior: 'exclusive' }] },
      }),
      newInvoice(n, 'c', 6_000, {
        ...{ amount_due: 1_200, amount_paid: 1_200, starting_balance: -4_800, metadata: { coupon } },
        total_taxes: [{ amount: 1_000, tax_behavior: 'exclusive' }],
      }),
    ],
    sales: ['in_@a usd 10000/0 1000 PENDING', 'in_@c usd 1000/0 100 PENDING'],
  },
  {
    name: 'refunds of a payment that the company itself has reported',
    reports: ({ n, coupon }) => [{ coupon, external_id: `pi_${n}a`, amount_cents: 10_000 }],
    events: ({ n }) => [
      refund(n, 'a', '1', 3_000),
      charge(n, 'a', 10_000, { amount_refunded: 3_000 }, 'charge.refunded'),
      refund(n, 'a', '2', 1_000),
      charge(n, 'a', 10_000, { amount_refunded: 4_000 }, 'charge.refunded'),
    ],
    sales: ['pi_@a usd 10000/4000 600 PENDING'],
  },
]

it('customers of Stripe', () => expectLives(app, 'STRIPE', lives))

it.each([0, 0.5, 0.75])('a dry run of a back-fill lists what the real one makes, after %f of the events', (share) =>
  expectDryBackfills(app, lives, share),
)
