import { expect, it } from 'vitest'
import { createFeedWorker } from '../../../src/modules/feeds/derive/worker.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createSeller } from '../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../support/feeds.ts'

const app = await createTestApp()

const saleOf = (id: string, coupon: string, occurredAt = '2026-03-10T11:00:00.000Z') => ({
  type: 'sale',
  id,
  amountCents: 1_000,
  currency: 'usd',
  occurredAt,
  coupon,
  customerId: id,
})

/** Stores events without deriving from them. */
const store = (program: TestProgram, feedId: string, events: object[]) =>
  program.graphql('mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) { stored } }', {
    input: { feedId, events: JSON.stringify(events) },
  })

const countOf = async (program: TestProgram, outcome: string): Promise<number> => {
  const query = `{ feedEvents(where: { outcome: { equals: ${outcome} } }) { totalCount } }`
  return (await program.graphql(query)).feedEvents.totalCount
}

async function start(more: object = {}) {
  const program = await app.createProgram(more)
  const { coupon } = await createSeller(program)
  return { program, coupon, feed: await createFeedOf(program, 'GENERIC') }
}

it('feeds take turns: the event of a program does not wait for the flood of another', async () => {
  const busy = await start()
  const quiet = await start()
  const flood = Array.from({ length: 450 }, (_, number) => saleOf(`F-${number}`, busy.coupon))
  await store(busy.program, busy.feed.id, flood)
  const worker = createFeedWorker(app.database.db, silentLog, () => app.clock.now)
  worker.start()
  await expect.poll(() => countOf(busy.program, 'SALE'), { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)
  await store(quiet.program, quiet.feed.id, [saleOf('Q-1', quiet.coupon)])
  worker.wake()
  await expect.poll(() => countOf(quiet.program, 'SALE'), { timeout: 30_000, interval: 20 }).toBe(1)
  // The flood has 450 events, in batches of 200.
  expect(await countOf(busy.program, 'SALE')).toBeLessThan(450)
  await expect.poll(() => countOf(busy.program, 'SALE'), { timeout: 60_000 }).toBe(450)
  await worker.stop()
})

it('each batch is derived by the present clock, and a payment ahead of it is tried again', async () => {
  const { program, coupon, feed } = await start({ isSandbox: true })
  const day = (date: string, from: number, count: number) =>
    Array.from({ length: count }, (_, number) => saleOf(`A-${from + number}`, coupon, `${date}T11:30:00.000Z`))
  await store(program, feed.id, day('2026-03-10', 0, 250))
  // Ten of a day that has not come yet.
  await store(program, feed.id, day('2026-03-13', 250, 10))
  await app.app.deriveFeeds()
  expect([await countOf(program, 'SALE'), await countOf(program, 'WAITING')]).toEqual([250, 10])
  const advance = 'mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 3 }) { program { clock } } }'
  await app.operator(advance, { id: program.id })
  app.clock.advanceMinutes(2)
  await app.app.deriveFeeds()
  expect([await countOf(program, 'SALE'), await countOf(program, 'WAITING')]).toEqual([260, 0])
})

it('a paused feed stores its events, and derives from them when it is resumed', async () => {
  const { program, coupon, feed } = await start()
  const change = async (name: string) => {
    const query = `mutation ($id: ID!) { ${name}(input: { id: $id }) { feed { state pausedAt } } }`
    return (await program.graphql(query, { id: feed.id }))[name].feed
  }
  expect(await change('pauseFeed')).toEqual({ state: 'PAUSED', pausedAt: app.clock.now.toISOString() })
  expect(await sendEvents(app, feed.url, 'GENERIC', [saleOf('P-1', coupon)])).toEqual([200])
  expect([await countOf(program, 'SALE'), await countOf(program, 'WAITING')]).toEqual([0, 1])
  const rederive = `mutation { rederiveFeed(input: { feedId: "${feed.id}" }) { events } }`
  await expect(program.graphql(rederive)).rejects.toThrow('The feed is paused. Resume it first.')
  expect(await change('resumeFeed')).toEqual({ state: 'ACTIVE', pausedAt: null })
  await app.app.deriveFeeds()
  expect(await countOf(program, 'SALE')).toBe(1)
  const query = 'query ($id: ID!) { feed(id: $id) { history(first: 2) { nodes { action } } } }'
  expect((await program.graphql(query, { id: feed.id })).feed.history.nodes).toEqual([
    { action: 'RESUMED' },
    { action: 'PAUSED' },
  ])
})
