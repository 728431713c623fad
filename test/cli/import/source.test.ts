import { expect, it } from 'vitest'
import { readCampaigns } from '../../../src/cli/import/run.ts'
import { createSource, sourceAddress } from '../../../src/cli/import/source.ts'
import { OperatorError } from '../../../src/database/operator-error.ts'

type Told = { status?: number; body?: string; headers?: Record<string, string> }
type Answer = Told | Error

const page: Answer = { body: JSON.stringify({ pagination: { total_count: 1 }, data: [{ id: '1' }] }) }

/** A source that answers so, one after the other; nothing is waited for, but what would be is noted. */
function sourceOf(answers: Answer[], now = new Date('2026-03-10T12:00:00.000Z')) {
  const asked: Request[] = []
  const slept: number[] = []
  const source = createSource({
    from: 'https://old.test',
    key: 'secret',
    random: () => 1,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms)
      now = new Date(now.getTime() + ms)
    },
    fetch: async (input, init) => {
      asked.push(new Request(input, init))
      const answer = answers.shift() ?? page
      if (answer instanceof Error) throw answer
      const { status = 200, body = '', headers = { 'Content-Type': 'application/json' } } = answer
      return new Response(body, { status, headers })
    },
  })
  return { source, asked, slept }
}

it.each([
  ['https://old.test', 'https://old.test/v1'],
  ['https://old.test/', 'https://old.test/v1'],
  ['https://old.test/v1/', 'https://old.test/v1'],
  [' https://old.test/api/v2 ', 'https://old.test/api/v2'],
  ['https://old.test//api//v1//', 'https://old.test/api/v1'],
  ['https://old.test//', 'https://old.test/v1'],
  ['https://old.test/api', 'https://old.test/api/v1'],
])('reads %j as %s', (from, address) => expect(sourceAddress(from)).toBe(address))

it('asks for a hundred rows of a page with what they name, and shows the key', async () => {
  const { source, asked } = sourceOf([page])
  expect(await source.readPage('commissions', 3)).toEqual({ rows: [{ id: '1' }], totalCount: 1 })
  expect(asked[0]?.url).toBe('https://old.test/v1/commissions?page=3&limit=100&expand%5B%5D=sale&expand%5B%5D=campaign')
  expect(asked[0]?.headers.get('authorization')).toBe(`Basic ${btoa('secret:')}`)
})

it.each<[string, unknown, number | null]>([
  ['a number', { pagination: { total_count: 7 } }, 7],
  ['digits', { pagination: { total_count: '7' } }, 7],
  ['a field beside the rows', { total_count: '7' }, 7],
  ['words', { pagination: { total_count: 'many' } }, null],
  ['less than nothing', { pagination: { total_count: -1 } }, null],
  ['nothing', { pagination: null }, null],
])('reads how many there are where it is told as %s', async (_form, told, totalCount) => {
  const { source } = sourceOf([{ body: JSON.stringify({ ...(told as object), data: [] }) }])
  expect(await source.readPage('affiliates', 1)).toEqual({ rows: [], totalCount })
})

const inTwelveSeconds = Date.parse('2026-03-10T12:00:12.000Z')

it.each([
  ['seconds', { 'RateLimit-Reset': '12' }],
  ['an epoch moment', { 'RateLimit-Reset': String(inTwelveSeconds / 1000) }],
  ['an epoch moment in milliseconds', { 'RateLimit-Reset': String(inTwelveSeconds) }],
  ['a date', { 'RateLimit-Reset': 'Tue, 10 Mar 2026 12:00:12 GMT' }],
  ['Retry-After, which wins', { 'Retry-After': '12', 'RateLimit-Reset': '99' }],
])('waits as long as a limit says in %s', async (_form, headers) => {
  const { source, slept } = sourceOf([{ status: 429, headers }, page])
  expect((await source.readPage('affiliates', 1))?.rows).toHaveLength(1)
  expect(slept).toEqual([12_250])
})

it('waits before the first request that would be refused', async () => {
  const last = { ...(page as object), headers: { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '7' } }
  const { source, slept } = sourceOf([last, page])
  await source.readPage('affiliates', 1)
  expect(slept).toEqual([])
  await source.readPage('referrals', 1)
  expect(slept).toEqual([7_000])
})

it('never waits longer than five minutes at a time', async () => {
  const { source, slept } = sourceOf([{ status: 429, headers: { 'Retry-After': '86400' } }, page])
  await source.readPage('affiliates', 1)
  expect(slept).toEqual([300_250])
})

it.each<[string, Answer]>([
  ['a 5xx', { status: 502, body: '<html>' }],
  ['JSON that is cut off', { body: '{"data": [{"id"' }],
  ['a network that fails', new TypeError('fetch failed')],
  ['a request that takes too long', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
])('tries again after %s, with growing pauses, and goes on', async (_what, failure) => {
  const { source, slept } = sourceOf([failure, failure, failure, page])
  expect((await source.readPage('affiliates', 1))?.rows).toHaveLength(1)
  expect(slept).toEqual([1_000, 2_000, 4_000])
})

it('gives up after eight attempts, and says that it can go on later', async () => {
  const { source, slept } = sourceOf(Array(20).fill({ status: 503 }))
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(
    'https://old.test/v1/affiliates answered 503. What was read is kept: run the same command again, and it goes on from there.',
  )
  expect(slept).toHaveLength(7)
})

it.each([401, 403])(
  'says that a run goes on with another key where its key is refused on the way (%s)',
  async (status) => {
    const { source } = sourceOf([page, { status }])
    await source.readPage('affiliates', 1)
    await expect(source.readPage('affiliates', 2)).rejects.toThrow(
      `refused the key (${status}): check --key, or IMPORT_KEY. What was read is kept: run the same command again with a key that works, and it goes on from there.`,
    )
  },
)

const failed = (cause?: Error) => new TypeError('fetch failed', { cause })

it.each<[Error, string]>([
  [failed(new Error('connect ECONNREFUSED 127.0.0.1:1')), 'connect ECONNREFUSED 127.0.0.1:1'],
  [failed(new AggregateError([new Error('connect ECONNREFUSED ::1:1')], '')), 'connect ECONNREFUSED ::1:1'],
  [failed(new Error('getaddrinfo ENOTFOUND old.test')), 'getaddrinfo ENOTFOUND old.test'],
  [failed(), 'fetch failed'],
])('says why a source can not be reached: %s', async (failure, why) => {
  const { source } = sourceOf(Array(20).fill(failure))
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(`https://old.test/v1 can not be reached (${why}).`)
})

it('says what became of a connection as fetch itself tells it', async () => {
  const source = createSource({ from: 'http://127.0.0.1:9', key: 'secret', sleep: async () => {} })
  await expect(source.readPage('affiliates', 1)).rejects.toThrow('http://127.0.0.1:9/v1 can not be reached (bad port)')
})

it.each<[string, Answer, string]>([
  ['a key that is refused', { status: 401 }, 'https://old.test/v1 refused the key (401): check --key, or IMPORT_KEY.'],
  ['a page for people', { headers: { 'Content-Type': 'text/html' }, body: '<html>' }, 'does not answer as the API of'],
  ['JSON of another shape', { body: '{"affiliates": []}' }, 'does not answer as the API of'],
  ['no such list', { status: 404 }, 'https://old.test/v1 has no affiliates: check --from, the address of the API.'],
  ['what it says itself', { status: 422, body: '{"error": "Not with secret"}' }, 'answered 422: Not with ….'],
  [
    'what would move the cursor',
    { status: 422, body: JSON.stringify({ error: 'No\u001b[2J\r\nBoth' }) },
    'answered 422: No�[2J��Both.',
  ],
])('does not try again after %s, and says so', async (_what, answer, message) => {
  const { source, slept } = sourceOf([answer])
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(message)
  expect(slept).toEqual([])
})

it.each([
  ['https://new.test/v1/affiliates?page=1', 'leads to https://new.test/v1: name that address as --from.'],
  ['//new.test/login?key=secret', 'leads to https://new.test: name that address as --from.'],
  ['https://secret:x@new.test/secret/affiliates', 'leads to https://new.test/…: name that address as --from.'],
  ['/login', 'leads to /login on the same server (302): check --from, the address of the API.'],
  ['javascript:alert(1)', 'answered 302: check --from, the address of the API.'],
])('follows no redirect to %s, and says where it leads without the key', async (location, message) => {
  const { source, asked } = sourceOf([{ status: 302, headers: { Location: location } }])
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(
    new OperatorError(`https://old.test/v1/affiliates ${message}`),
  )
  expect(asked.map(({ redirect }) => redirect)).toEqual(['manual'])
})

it('takes links and coupons as optional: affiliates have them in them', async () => {
  const { source } = sourceOf([{ status: 404 }])
  expect(await source.readPage('affiliate_links', 1)).toBeNull()
})

const pageOf = (...ids: string[]): Answer => ({ body: JSON.stringify({ data: ids.map((id) => ({ id })) }) })

it('stops at a source that shows the same page for ever', async () => {
  const { source, asked } = sourceOf([])
  await expect(readCampaigns(source)).rejects.toThrow(
    'https://old.test/v1/campaigns shows the same page again and again: page 2 holds what a page before it held.',
  )
  expect(asked).toHaveLength(2)
})

it('stops at pages that go in a circle, and takes a list that is read anew for no circle', async () => {
  const { source } = sourceOf([pageOf('1'), pageOf('2'), pageOf('1'), pageOf('2'), pageOf('2', '3'), pageOf('2')])
  await source.readPage('affiliates', 1)
  await source.readPage('affiliates', 2)
  await source.readPage('affiliates', 1)
  expect((await source.readPage('affiliates', 2))?.rows).toEqual([{ id: '2' }])
  expect((await source.readPage('affiliates', 3))?.rows).toHaveLength(2)
  await expect(source.readPage('affiliates', 4)).rejects.toThrow('shows the same page again and again')
})
