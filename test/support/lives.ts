import { expect } from 'vitest'
import type { TestApp, TestProgram } from './app.ts'
import { createSeller, recordVisit } from './factories.ts'
import { createFeedOf, type FeedKindName, sendEvents } from './feeds.ts'
import { createStripeFeed, type StripeEvent, sendStripe } from './stripe.ts'

/** What the events of a customer can use: ids of their own, a referral of the seller, and the seller's coupon. */
export type Customer = { n: string; referral: string; coupon: string }

/** A customer's life: the events, and the sales as `id currency amount/refunded commission state`. `@` is the customer. */
export type Life = { name: string; events(customer: Customer): object[]; sales: string[]; leads?: number }

async function salesOf(program: TestProgram): Promise<string[]> {
  const { sales } = await program.graphql(
    '{ sales(first: 100) { nodes { externalId amountCents refundedCents currency commissions { nodes { amountCents state heldReason } } } } }',
  )
  return sales.nodes.map(({ externalId, currency, amountCents, refundedCents, commissions: { nodes } }: any) => {
    const [{ amountCents: earned, state, heldReason }] = nodes
    return `${externalId} ${currency} ${amountCents}/${refundedCents} ${earned} ${heldReason ?? state}`
  })
}

/** In order, in reverse, and interleaved from both ends. */
const arrangements: Record<string, <T>(events: readonly T[]) => T[]> = {
  'in order': (events) => [...events],
  'in reverse': (events) => [...events].reverse(),
  'from both ends, twice': (events) => {
    const [first, second] = [events.filter((_, n) => n % 2 === 0), events.filter((_, n) => n % 2 === 1)]
    return [...second.toReversed(), ...first, ...second]
  },
}

/** All lives of a vendor, sent in several orders. The seller earns a tenth. */
export async function expectLives(app: TestApp, kind: FeedKindName | 'STRIPE', lives: readonly Life[]): Promise<void> {
  for (const [order, arrange] of Object.entries(arrangements)) {
    const program = await app.createProgram()
    const { link, coupon } = await createSeller(program)
    const feed = kind === 'STRIPE' ? await createStripeFeed(program) : await createFeedOf(program, kind)
    const expected: string[] = []
    let leads = 0
    // Visits are before what events say.
    app.clock.advanceMinutes(-240)
    const referrals: string[] = []
    for (const _ of lives) referrals.push((await recordVisit(program, link.token)).id)
    app.clock.advanceMinutes(240)
    for (const [index, life] of lives.entries()) {
      const n = String(index + 1)
      const events = arrange(life.events({ n, referral: referrals[index] as string, coupon }))
      if (kind === 'STRIPE') {
        for (const event of events) {
          expect((await sendStripe(app, feed.url, event as StripeEvent)).status, life.name).toBe(200)
          await app.app.deriveFeeds()
        }
      } else expect(new Set(await sendEvents(app, feed.url, kind, events)), life.name).toEqual(new Set([200]))
      expected.push(...life.sales.map((sale) => sale.replaceAll('@', n)))
      leads += life.leads ?? 0
    }
    // What may belong to an invoice counts by itself after some seconds.
    app.clock.advanceMinutes(2)
    await app.app.deriveFeeds()
    expect((await salesOf(program)).sort(), order).toEqual(expected.sort())
    const { failed, referrals: open } = await program.graphql(`{
      failed: feedEvents(first: 10, where: { outcome: { equals: FAILED } }) { nodes { externalId type reason } }
      referrals(first: 1, where: { conversionState: { equals: LEAD } }) { totalCount } }`)
    expect(failed.nodes, order).toEqual([])
    expect(open.totalCount, order).toBe(leads)
  }
}
