import { expect, it } from 'vitest'
import { createDifferences } from '../../../src/modules/feeds/derive/differences.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, made } from '../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../support/feeds.ts'

const app = await createTestApp()
const occurredAt = '2026-03-10T11:00:00.000Z'

const backfill = (program: TestProgram, feedId: string, events: object[]) =>
  program.graphql('mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) { stored } }', {
    input: { feedId, events: JSON.stringify(events) },
  })

it('derives customers again once, whose events are in several batches, and counts all changes', async () => {
  const program = await app.createProgram()
  const feed = await createFeedOf(program, 'GENERIC')
  const numbers = Array.from({ length: 60 }, (_, number) => number)
  const money = { currency: 'usd', occurredAt }
  const sales = numbers.map((number) => {
    const who = { coupon: 'LATER', email: `buyer${number}@shop.test` }
    return { type: 'sale', id: `A-${number}`, amountCents: 1_000, ...money, ...who }
  })
  const refunds = numbers.map((number) => {
    return { type: 'refund', id: `R-${number}`, saleId: `A-${number}`, amountCents: 400, ...money }
  })
  await backfill(program, feed.id, [...sales, ...refunds])
  await app.app.deriveFeeds()
  // Nobody had the coupon until now.
  const { affiliate } = await createSeller(program)
  await made(program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'LATER' }))
  const rederive = async (dryRun: boolean) => {
    const all = { events: 0, sales: 0, others: 0, differences: [] as object[] }
    for (let after: string | null | undefined; after !== null; ) {
      const { rederiveFeed: done } = await program.graphql(
        `mutation ($input: RederiveFeedInput!) { rederiveFeed(input: $input) {
          events next totals { change count } differences { saleExternalId what } } }`,
        { input: { feedId: feed.id, dryRun, after } },
      )
      all.events += done.events
      for (const { change, count } of done.totals) all[change === 'SALE' ? 'sales' : 'others'] += count
      all.differences.push(...done.differences)
      after = done.next
    }
    return all
  }
  const { differences, ...dry } = await rederive(true)
  // Sales that are missing, and the refunds of them.
  expect(dry).toEqual({ events: 120, sales: 60, others: 60 })
  expect(differences).toHaveLength(120)
  expect(await rederive(false)).toEqual({ events: 120, sales: 0, others: 0, differences: [] })
  const { refunded } = await program.graphql(
    '{ refunded: sales(first: 1, where: { refundedCents: { equals: 400 } }) { totalCount } }',
  )
  expect(refunded.totalCount).toBe(60)
  expect(await rederive(true)).toMatchObject({ sales: 0, others: 0 })
})

it('an event with a character that the database cannot store blocks nothing', async () => {
  const program = await app.createProgram()
  const feed = await createFeedOf(program, 'GENERIC')
  const { coupon } = await createSeller(program)
  const sale = (id: string, more: object = {}) => {
    return { type: 'sale', id, amountCents: 1_000, currency: 'usd', occurredAt, coupon, email: 'b@shop.test', ...more }
  }
  await sendEvents(app, feed.url, 'GENERIC', [
    sale('A-1', { customerId: 'cus\u00001' }),
    sale('A-\u00002'),
    sale('A-3', { name: 'Grace \ud800 Hopper' }),
    sale('A-4'),
  ])
  const { sales } = await program.graphql('{ sales(first: 10) { nodes { externalId } } }')
  expect(sales.nodes.map(({ externalId }: any) => externalId).sort()).toEqual(['A-1', 'A-3', 'A-4', 'A-\ufffd2'])
})

it('a dry run counts all changes, and shows the first 500', () => {
  const found = createDifferences()
  for (let number = 0; number < 700; number += 1)
    found.add({ change: number < 600 ? 'sale' : 'refund', what: '', saleExternalId: `A-${number}` })
  expect(found.shown).toHaveLength(500)
  expect(found.totals()).toEqual([
    { change: 'sale', count: 600 },
    { change: 'refund', count: 100 },
  ])
})
