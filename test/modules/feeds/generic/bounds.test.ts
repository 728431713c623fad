import { expect, it } from 'vitest'
import { createTestApp, graphqlClient, type TestProgram } from '../../../support/app.ts'
import { createSeller } from '../../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../../support/feeds.ts'
import { addMember, setUpOperator } from '../../../support/people.ts'

const app = await createTestApp()
const occurredAt = '2026-03-10T11:00:00.000Z'
const long = { x: `${'a'.repeat(45)}!` }
const doubled = '($f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) };'
/** Each would block its process for seconds, for ever, or end it. */
const hostile = [
  '$match(x, /^(a+)+$/)',
  `${doubled} $length($f("aaaaaaaa", 25)))`,
  '$split($pad("x", 100000000), "")',
  '$encodeUrlComponent($pad("x", 400000000))',
  '($f := function($n) { $f($n + 1) }; $f(0))',
  '$eval("($f := function($n) { $f($n + 1) }; $f(0))")',
]

const test = async (program: TestProgram, id: string, mapping: string, first = 1) => {
  const query = `query ($id: ID!, $mapping: String!, $first: Int) {
    testFeedMapping(feedId: $id, mapping: $mapping, first: $first) { result problem } }`
  return (await program.graphql(query, { id, mapping, first })).testFeedMapping
}

const eventsOf = async (program: TestProgram): Promise<{ outcome: string; reason: string | null }[]> =>
  (await program.graphql('{ feedEvents(first: 50) { nodes { outcome reason } } }')).feedEvents.nodes

/** The most milliseconds of CPU that this process uses in one turn, while something runs. A busy machine adds none. */
async function longestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.cpuUsage()
  }, 5)
  await run().finally(() => clearInterval(timer))
  return longest
}

/** Repeats a call until it is refused, and returns why. */
async function useUp(call: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const problem = await call().then(() => null, String)
    if (problem !== null) return problem
  }
}

it('stops mappings without end or of much memory, and then their program waits, while others go on', async () => {
  const [greedy, other] = [await app.createProgram(), await app.createProgram()]
  const [feed, another] = [await createFeedOf(greedy, 'GENERIC'), await createFeedOf(other, 'GENERIC')]
  await sendEvents(
    app,
    feed.url,
    'GENERIC',
    Array.from({ length: 20 }, (_, number) => ({ ...long, number })),
  )
  await sendEvents(app, another.url, 'GENERIC', [long])
  // The code of the service is compiled before it is measured.
  expect(await test(other, another.id, '1')).toMatchObject([{ result: '1' }])
  const turn = await longestTurn(async () => {
    for (const mapping of hostile) {
      const [found] = await test(greedy, feed.id, mapping)
      expect([mapping, found.problem]).toEqual([mapping, expect.stringMatching(/took (longer|more)/)])
    }
    const flood = useUp(() => test(greedy, feed.id, hostile[0] as string, 3))
    expect(await test(other, another.id, '$length(x)')).toMatchObject([{ result: '46' }])
    expect(await flood).toContain('computing time of this minute. Try again in a minute')
  })
  // Each evaluation takes half a second until it is stopped, and would use that here.
  expect(turn).toBeLessThan(450)
  await expect(test(greedy, feed.id, 'x')).rejects.toThrow('computing time')
  expect(await test(other, another.id, '$length(x)')).toMatchObject([{ result: '46' }])
})

it('an event whose mapping is stopped three times fails, and the others of the feed are derived', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const mapping = 'x ? $match(x, /^(a+)+$/) : $'
  const feed = await createFeedOf(program, 'GENERIC', { mapping })
  const sale = { type: 'sale', id: 'A-1', amountCents: 1_000, currency: 'usd', occurredAt, coupon }
  await sendEvents(app, feed.url, 'GENERIC', [long, sale])
  expect(await eventsOf(program)).toMatchObject([
    { outcome: 'SALE' },
    { outcome: 'WAITING', reason: expect.stringContaining('stopped. It is tried again') },
  ])
  // As if the service had been killed in the middle of each try: the count is stored before.
  for (const _ of [2, 3]) {
    app.clock.advanceMinutes(1)
    await app.app.deriveFeeds()
  }
  expect(await eventsOf(program)).toMatchObject([
    { outcome: 'SALE' },
    { outcome: 'FAILED', reason: expect.stringContaining('It was tried 3 times.') },
  ])
})

it('only those who may change a mapping may test it', async () => {
  const program = await app.createProgram()
  const feed = await createFeedOf(program, 'GENERIC')
  const { createApiKey } = await app.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Reads", access: READ }) { secret } }',
    { id: program.id },
  )
  const reader = graphqlClient(app.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
  const query = 'query ($id: ID!) { testFeedMapping(feedId: $id, mapping: "1") { problem } }'
  await expect(reader(query, { id: feed.id })).rejects.toThrow('may only read')
  const operator = await setUpOperator(app)
  const analyst = await addMember(app, operator, program.id, { email: 'ana@example.com', role: 'ANALYST' })
  await expect(analyst.graphql(program.id)(query, { id: feed.id })).rejects.toThrow('needs the role of a manager')
})
