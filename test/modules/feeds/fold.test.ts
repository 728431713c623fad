import { expect, it } from 'vitest'
import { fromStripeUnits, toStripeUnits } from '../../../src/kernel/money/stripe-units.ts'
import { fold, type SourceEvent } from '../../../src/modules/feeds/derive/fold.ts'
import { targetOf } from '../../../src/modules/feeds/derive/returned.ts'
import { stripe } from '../../../src/modules/feeds/kinds/stripe/stripe.ts'

const at = new Date('2026-03-10T12:00:00.000Z')
const created = at.getTime() / 1000
const usd = { currency: 'usd', customer: 'cus_1' }
const life: [string, object][] = [
  [
    'checkout.session.completed',
    { id: 'cs_1', mode: 'subscription', customer: 'cus_1', subscription: 'sub_1', client_reference_id: 'ref_1' },
  ],
  ['invoice.paid', { id: 'in_1', ...usd, subscription: 'sub_1', total: 12_000, amount_paid: 12_000, tax: 2_000 }],
  ['payment_intent.succeeded', { id: 'pi_1', ...usd, amount_received: 12_000, latest_charge: 'ch_1', created }],
  ['charge.refunded', { id: 'ch_1', ...usd, payment_intent: 'pi_1', amount_refunded: 3_000 }],
  ['refund.created', { id: 're_1', currency: 'usd', charge: 'ch_1', amount: 3_000, status: 'succeeded' }],
  ['refund.created', { id: 're_2', currency: 'usd', charge: 'ch_1', amount: 1_000, status: 'succeeded' }],
  ['charge.dispute.created', { id: 'du_1', currency: 'usd', charge: 'ch_1', amount: 8_000, status: 'needs_response' }],
  ['charge.dispute.closed', { id: 'du_1', currency: 'usd', charge: 'ch_1', amount: 8_000, status: 'lost' }],
]

async function eventsOf(): Promise<SourceEvent[]> {
  const events: SourceEvent[] = []
  for (const [index, [type, object]] of life.entries()) {
    const reading = await stripe.read({ created: created + index, data: { object } }, type, {
      programId: '',
      mapping: null,
      includes: [],
    })
    events.push({ id: String(index), receivedAt: at, facts: 'facts' in reading ? reading.facts : [] })
  }
  return events
}

function* permutations<T>(items: T[], size = items.length): Generator<T[]> {
  if (size === 1) yield items
  for (let index = 0; index < size && size > 1; index += 1) {
    yield* permutations(items, size - 1)
    const other = size % 2 === 0 ? index : 0
    const [a, b] = [items[other] as T, items[size - 1] as T]
    items[other] = b
    items[size - 1] = a
  }
}

it('says the same of the events of a life in all of their 40,320 orders', async () => {
  const said = new Set<string>()
  let count = 0
  for (const order of permutations(await eventsOf())) {
    count += 1
    const { sales, strays, leads } = fold(order, at)
    const shown = sales.map(({ ids, payment, who, waitsFor, returned }) => {
      const { lost, refundedCents, won, isDisputed } = targetOf(returned, BigInt(payment.totalCents), 10_000n)
      return { ids, id: payment.id, who, waitsFor, refundedCents, lost, won, isDisputed }
    })
    said.add(
      JSON.stringify({ shown, strays, leads }, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
    )
  }
  expect(count).toBe(40_320)
  expect([...said].map((text) => JSON.parse(text))).toEqual([
    {
      shown: [
        {
          ids: ['in_1', 'ch_1', 'pi_1'],
          id: 'in_1',
          who: {
            customer: 'cus_1',
            referrals: ['ref_1'],
            coupons: [],
            otherCoupons: [],
            ownReferrals: ['ref_1'],
            emails: [],
            agents: [],
          },
          waitsFor: null,
          refundedCents: 3_333,
          lost: [{ id: 'du_1', cents: 6_667 }],
          won: [],
          isDisputed: false,
        },
      ],
      strays: [],
      leads: [],
    },
  ])
})

it.each([
  ['isk', 500_000n, 5_000n],
  ['ugx', 500n, 5n],
  ['mga', 5n, 500n],
  ['jpy', 500n, 500n],
  ['kwd', 5_120n, 5_120n],
  ['huf', 1_000n, 1_000n],
  ['usd', 1_000n, 1_000n],
])('reads and writes amounts of Stripe in %s: %d is %d', (currency, amount, expected) => {
  expect(fromStripeUnits(amount, currency)).toBe(expected)
  expect(toStripeUnits(expected, currency)).toBe(amount)
})

it('rounds amounts of Stripe that ISO 4217 has no unit for, and writes none that Stripe has no unit for', () => {
  expect(fromStripeUnits(150n, 'isk')).toBe(2n)
  expect(toStripeUnits(550n, 'mga')).toBeNull()
})
