import { expect } from 'vitest'
import type { TestApp, TestProgram } from './app.ts'
import { createSeller, recordVisit, reportSale } from './factories.ts'
import { createFeedOf, type FeedKindName, sendEvents } from './feeds.ts'
import { createStripeFeed, type StripeEvent, sendStripe } from './stripe.ts'

/** What the events of a customer can use: ids of their own, a referral of the seller, and the seller's coupon. */
export type Customer = { n: string; referral: string; coupon: string }

/** A customer's life: the events, and the sales as `id currency amount/refunded commission state`. `@` is the customer. */
export type Life = {
  name: string
  /** The sales that the company reports before. */
  reports?(customer: Customer): object[]
  events(customer: Customer): object[]
  sales: string[]
  leads?: number
}

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
      const customer = { n, referral: referrals[index] as string, coupon }
      for (const sale of life.reports?.(customer) ?? []) await reportSale(program, sale)
      const events = arrange(life.events(customer))
      if (kind === 'STRIPE') {
        for (const event of events) {
          expect((await sendStripe(app, feed.url, event as StripeEvent)).status, life.name).toBe(200)
          await app.app.deriveFeeds()
        }
      } else expect(new Set(await sendEvents(app, feed.url, kind, events)), life.name).toEqual(new Set([200]))
      expected.push(...life.sales.map((sale) => sale.replaceAll('@', n)))
      leads += life.leads ?? 0
    }
    await settle(app, program)
    expect((await salesOf(program)).sort(), order).toEqual(expected.sort())
    const { failed, referrals: open } = await program.graphql(`{
      failed: feedEvents(first: 10, where: { outcome: { equals: FAILED } }) { nodes { externalId type reason } }
      referrals(first: 1, where: { conversionState: { equals: LEAD } }) { totalCount } }`)
    expect(failed.nodes, order).toEqual([])
    expect(open.totalCount, order).toBe(leads)
  }
}

/**
 * Derives all that is due. What may belong to an invoice counts by itself after some seconds, and a batch that a busy
 * database has stopped is tried again.
 */
async function settle({ app, clock, database }: TestApp, program: TestProgram): Promise<void> {
  for (let waiting = 1; waiting > 0; ) {
    clock.advanceMinutes(1)
    await app.deriveFeeds()
    waiting = await database.db.feedEvent.count({ where: { programId: program.id, deriveAt: { lte: clock.now } } })
  }
}

/** The sales and refunds of a program, as `change id minor units`. */
async function factsOf(app: TestApp, program: TestProgram): Promise<Set<string>> {
  const where = { programId: program.id }
  const sales = await app.database.db.sale.findMany({ where, include: { refunds: true } })
  return new Set(
    sales.flatMap(({ externalId, amountCents, refunds }) => [
      `SALE ${externalId} ${amountCents}`,
      ...refunds.map((one) => `REFUND ${externalId} ${one.amountCents}`),
      ...refunds.flatMap((one) => (one.reversedAt ? [`REVERSAL ${externalId}`] : [])),
    ]),
  )
}

/**
 * A dry run of a back-fill lists exactly what the real one makes. The last events of each life are filled back.
 * @param share of the events that are sent before
 */
export async function expectDryBackfills(app: TestApp, lives: readonly Life[], share: number): Promise<void> {
  const program = await app.createProgram()
  const { link, coupon } = await createSeller(program)
  const feed = await createStripeFeed(program)
  const results = { listed: [] as string[], made: [] as string[] }
  app.clock.advanceMinutes(-240)
  const referrals: string[] = []
  for (const _ of lives) referrals.push((await recordVisit(program, link.token)).id)
  app.clock.advanceMinutes(240)
  for (const [index, life] of lives.entries()) {
    const customer = { n: String(index + 1), referral: referrals[index] as string, coupon }
    for (const sale of life.reports?.(customer) ?? []) await reportSale(program, sale)
    const all = life.events(customer)
    const sent = Math.floor(all.length * share)
    for (const event of all.slice(0, sent)) await sendStripe(app, feed.url, event as StripeEvent)
    await settle(app, program)
    const events = JSON.stringify(all.slice(sent))
    const fillBack = async (dryRun: boolean) => {
      const { backfillFeed } = await program.graphql(
        `mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) {
          stored differences { what saleExternalId } } }`,
        { input: { feedId: feed.id, events, dryRun } },
      )
      return backfillFeed
    }
    const { differences } = await fillBack(true)
    const before = await factsOf(app, program)
    expect((await fillBack(false)).stored, life.name).toBe(all.length - sent)
    await settle(app, program)
    const made = [...(await factsOf(app, program))].filter((fact) => !before.has(fact))
    const cents = (what: string) => what.match(/[\d.,]+/)?.[0].replace(/\D/g, '')
    const listed = differences.flatMap(({ what, saleExternalId: id }: any) => {
      if (what.startsWith('would report a sale')) return [`SALE ${id} ${cents(what)}`]
      if (what.startsWith('would reverse')) return [`REVERSAL ${id}`]
      return what.startsWith('would refund') ? [`REFUND ${id} ${cents(what)}`] : []
    })
    results.listed.push(`${life.name}: ${listed.sort()}`)
    results.made.push(`${life.name}: ${made.sort()}`)
  }
  expect(results.listed).toEqual(results.made)
}
