import { expect, it } from 'vitest'
import { readCampaigns } from '../../../src/cli/import/run.ts'
import { createSource, sourceAddress } from '../../../src/cli/import/source.ts'
import { OperatorError } from '../../../src/database/operator-error.ts'

type StubResponse = { status?: number; body?: string; headers?: Record<string, string> }
type Answer = StubResponse | Error

const page: Answer = { body: JSON.stringify({ pagination: { total_count: 1 }, data: [{ id: '1' }] }) }

/** A source with these responses, one after the other. Waits are recorded instead of waited. */
function sourceOf(answers: Answer[], now = new Date('2026-03-10T12:00:00.000Z')) {
  const requests: Request[] = []
  const slept: number[] = []
  const said: string[] = []
  const source = createSource({
    from: 'https://old.test',
    key: 'secret',
    random: () => 1,
    now: () => now,
    onWait: (sentence) => said.push(sentence),
    sleep: async (ms) => {
      slept.push(ms)
      now = new Date(now.getTime() + ms)
    },
    fetch: async (input, init) => {
      requests.push(new Request(input, init))
      const answer = answers.shift() ?? page
      if (answer instanceof Error) throw answer
      const { status = 200, body = '', headers = { 'Content-Type': 'application/json' } } = answer
      return new Response(body, { status, headers })
    },
  })
  return { source, requests, slept, said }
}

it.each([
  ['https://old.test', 'https://old.test/v1'],
  ['https://old.test/', 'https://old.test/v1'],
  ['https://old.test/v1/', 'https://old.test/v1'],
  [' https://old.test/api/v2 ', 'https://old.test/api/v2'],
  ['https://old.test//api//v1//', 'https://old.test/api/v1'],
  ['https://old.test//', 'https://old.test/v1'],
  ['https://old.test/api', 'https://old.test/api/v1'],
])('normalizes the address %j to %s', (from, address) => expect(sourceAddress(from)).toBe(address))

it('requests 100 rows a page, with expanded objects and the key', async () => {
  const { source, requests } = sourceOf([page])
  expect(await source.readPage('commissions', 3)).toEqual({ rows: [{ id: '1' }], totalCount: 1 })
  expect(requests[0]?.url).toBe(
    'https://old.test/v1/commissions?page=3&limit=100&expand%5B%5D=sale&expand%5B%5D=campaign',
  )
  expect(requests[0]?.headers.get('authorization')).toBe(`Basic ${btoa('secret:')}`)
})

it.each<[string, unknown, number | null]>([
  ['a number', { pagination: { total_count: 7 } }, 7],
  ['digits', { pagination: { total_count: '7' } }, 7],
  ['a field beside the rows', { total_count: '7' }, 7],
  ['words', { pagination: { total_count: 'many' } }, null],
  ['a negative number', { pagination: { total_count: -1 } }, null],
  ['nothing', { pagination: null }, null],
])('reads the total count from %s', async (_form, body, totalCount) => {
  const { source } = sourceOf([{ body: JSON.stringify({ ...(body as object), data: [] }) }])
  expect(await source.readPage('affiliates', 1)).toEqual({ rows: [], totalCount })
})

const inTwelveSeconds = Date.parse('2026-03-10T12:00:12.000Z')

it.each([
  ['seconds', { 'RateLimit-Reset': '12' }],
  ['an epoch moment', { 'RateLimit-Reset': String(inTwelveSeconds / 1000) }],
  ['an epoch moment in milliseconds', { 'RateLimit-Reset': String(inTwelveSeconds) }],
  ['a date', { 'RateLimit-Reset': 'Tue, 10 Mar 2026 12:00:12 GMT' }],
  ['Retry-After, which wins', { 'Retry-After': '12', 'RateLimit-Reset': '99' }],
])('waits as long as a rate limit requests in %s', async (_form, headers) => {
  const { source, slept } = sourceOf([{ status: 429, headers }, page])
  expect((await source.readPage('affiliates', 1))?.rows).toHaveLength(1)
  expect(slept).toEqual([12_250])
})

it('waits before the first request that would exceed the rate limit', async () => {
  const last = { ...(page as object), headers: { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '7' } }
  const { source, slept, said } = sourceOf([last, page])
  await source.readPage('affiliates', 1)
  expect(slept).toEqual([])
  await source.readPage('referrals', 1)
  expect(slept).toEqual([7_000])
  expect(said).toEqual(['old.test limits the rate of requests: waiting 7 s'])
})

it('gives up when it would have waited for more than a day', async () => {
  const last = { ...(page as object), headers: { 'RateLimit-Remaining': '0', 'RateLimit-Reset': '99999999999' } }
  const { source, slept } = sourceOf(Array(500).fill(last))
  const read = async () => {
    for (;;) await source.readPage('affiliates', 1)
  }
  await expect(read()).rejects.toThrow('made this run wait for more than 24 hours. The progress is saved.')
  expect(slept).toHaveLength((24 * 60) / 5)
})

it('never waits longer than five minutes at a time', async () => {
  const { source, slept } = sourceOf([{ status: 429, headers: { 'Retry-After': '86400' } }, page])
  await source.readPage('affiliates', 1)
  expect(slept).toEqual([300_250])
})

it.each<[string, Answer]>([
  ['a 5xx', { status: 502, body: '<html>' }],
  ['truncated JSON', { body: '{"data": [{"id"' }],
  ['a network failure', new TypeError('fetch failed')],
  ['a request timeout', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
])('retries %s with exponential backoff', async (_what, failure) => {
  const { source, slept } = sourceOf([failure, failure, failure, page])
  expect((await source.readPage('affiliates', 1))?.rows).toHaveLength(1)
  expect(slept).toEqual([1_000, 2_000, 4_000])
})

it('gives up after eight attempts and says how to continue', async () => {
  const { source, slept } = sourceOf(Array(20).fill({ status: 503 }))
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(
    'https://old.test/v1/affiliates responded with status 503. The progress is saved. To continue, run the same command again.',
  )
  expect(slept).toHaveLength(7)
})

it.each([401, 403])('says how to continue when the key is rejected during a run (%s)', async (status) => {
  const { source } = sourceOf([page, { status }])
  await source.readPage('affiliates', 1)
  await expect(source.readPage('affiliates', 2)).rejects.toThrow(
    `rejected the key (${status}). Check --key or IMPORT_KEY. The progress is saved. To continue, run the same command again with a valid key.`,
  )
})

const failed = (cause?: Error) => new TypeError('fetch failed', { cause })

it.each<[Error, string]>([
  [failed(new Error('connect ECONNREFUSED 127.0.0.1:1')), 'connect ECONNREFUSED 127.0.0.1:1'],
  [failed(new AggregateError([new Error('connect ECONNREFUSED ::1:1')], '')), 'connect ECONNREFUSED ::1:1'],
  [failed(new Error('getaddrinfo ENOTFOUND old.test')), 'getaddrinfo ENOTFOUND old.test'],
  [failed(), 'fetch failed'],
])('says why a source cannot be reached: %s', async (failure, why) => {
  const { source } = sourceOf(Array(20).fill(failure))
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(`Cannot reach https://old.test/v1 (${why}).`)
})

it('says why a connection failed, with the real fetch', async () => {
  const source = createSource({ from: 'http://127.0.0.1:9', key: 'secret', sleep: async () => {} })
  await expect(source.readPage('affiliates', 1)).rejects.toThrow('Cannot reach http://127.0.0.1:9/v1 (bad port)')
})

it.each<[string, Answer, string]>([
  ['a rejected key', { status: 401 }, 'https://old.test/v1 rejected the key (401). Check --key or IMPORT_KEY.'],
  [
    'an HTML page',
    { headers: { 'Content-Type': 'text/html' }, body: '<html>' },
    'is not the API of an affiliate program',
  ],
  ['JSON of another shape', { body: '{"affiliates": []}' }, 'is not the API of an affiliate program'],
  [
    'a list that does not exist',
    { status: 404 },
    'https://old.test/v1 has no affiliates. Check --from, the address of the API.',
  ],
  [
    'an error message of the source',
    { status: 422, body: '{"error": "Not with secret"}' },
    'responded with status 422: Not with ….',
  ],
  [
    'an error message with control characters',
    { status: 422, body: JSON.stringify({ error: 'No\u001b[2J\r\nBoth' }) },
    'responded with status 422: No�[2J��Both.',
  ],
])('does not retry %s', async (_what, answer, message) => {
  const { source, slept } = sourceOf([answer])
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(message)
  expect(slept).toEqual([])
})

it.each([
  ['https://new.test/v1/affiliates?page=1', 'redirects to https://new.test/v1. Use that address as --from.'],
  ['//new.test/login?key=secret', 'redirects to https://new.test. Use that address as --from.'],
  ['https://secret:x@new.test/secret/affiliates', 'redirects to https://new.test/…. Use that address as --from.'],
  ['/login', 'redirects to /login on the same server (302). Check --from, the address of the API.'],
  ['javascript:alert(1)', 'responded with status 302. Check --from, the address of the API.'],
])('does not follow a redirect to %s and names the target without the key', async (location, message) => {
  const { source, requests } = sourceOf([{ status: 302, headers: { Location: location } }])
  await expect(source.readPage('affiliates', 1)).rejects.toThrow(
    new OperatorError(`https://old.test/v1/affiliates ${message}`),
  )
  expect(requests.map(({ redirect }) => redirect)).toEqual(['manual'])
})

it('returns null when a server has no list of links or coupons', async () => {
  const { source } = sourceOf([{ status: 404 }])
  expect(await source.readPage('affiliate_links', 1)).toBeNull()
})

const pageOf = (...ids: string[]): Answer => ({ body: JSON.stringify({ data: ids.map((id) => ({ id })) }) })

it('rejects a source that repeats the same page', async () => {
  const { source, requests } = sourceOf([])
  await expect(readCampaigns(source)).rejects.toThrow(
    'https://old.test/v1/campaigns repeats its pages: page 2 has the same rows as an earlier page.',
  )
  expect(requests).toHaveLength(2)
})

it('rejects pages that repeat in a cycle, but not a list that is read again', async () => {
  const { source } = sourceOf([pageOf('1'), pageOf('2'), pageOf('1'), pageOf('2'), pageOf('2', '3'), pageOf('2')])
  await source.readPage('affiliates', 1)
  await source.readPage('affiliates', 2)
  await source.readPage('affiliates', 1)
  expect((await source.readPage('affiliates', 2))?.rows).toEqual([{ id: '2' }])
  expect((await source.readPage('affiliates', 3))?.rows).toHaveLength(2)
  await expect(source.readPage('affiliates', 4)).rejects.toThrow('repeats its pages')
})

it('rejects a list that shows more records than it counts', async () => {
  let id = 0
  const full = (): Answer => {
    const data = Array.from({ length: 100 }, () => ({ id: String(id++) }))
    return { body: JSON.stringify({ pagination: { total_count: 150 }, data }) }
  }
  const { source, requests } = sourceOf(Array.from({ length: 30 }, full))
  await expect(readCampaigns(source)).rejects.toThrow(
    'https://old.test/v1/campaigns does not end: page 12 is still not the last, though the server counts 150 records.',
  )
  expect(requests).toHaveLength(12)
})

it.each([
  [
    'total_count grows with each page',
    (n: number) => ({ pagination: { total_count: n * 100 + 1_000 } }),
    '1100 records',
  ],
  ['it has more pages than it says', () => ({ total_pages: 2 }), '2 pages'],
])('rejects an endless list of different records when %s', async (_, totalsOf, counted) => {
  let id = 0
  const answers = Array.from({ length: 60 }, (__, n): Answer => {
    const data = Array.from({ length: 100 }, () => ({ id: String(id++) }))
    return { body: JSON.stringify({ ...totalsOf(n + 1), data }) }
  })
  const { source, requests } = sourceOf(answers)
  await expect(readCampaigns(source)).rejects.toThrow(`though the server counts ${counted}.`)
  expect(requests.length).toBeLessThan(30)
})

it('rejects pages of known records in another order', async () => {
  const { source } = sourceOf([pageOf('1', '2', '3'), pageOf('2', '1'), pageOf('3', '1'), pageOf('3', '2')])
  for (const page of [1, 2, 3]) await source.readPage('affiliates', page)
  await expect(source.readPage('affiliates', 4)).rejects.toThrow('repeats its pages')
})

it('rejects a list that never ends and counts nothing', async () => {
  const { source } = sourceOf([pageOf('1')])
  await expect(source.readPage('affiliates', 50_001)).rejects.toThrow('affiliates does not end')
})

it('reads no more than 16 MiB of a body that never ends', async () => {
  let sent = 0
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
    },
    cancel() {
      isCancelled = true
    },
  })
  const source = createSource({
    from: 'https://old.test',
    key: 'secret',
    sleep: async () => {},
    fetch: async () => new Response(endless, { headers: { 'Content-Type': 'application/json' } }),
  })
  await expect(source.readPage('affiliates', 1)).rejects.toThrow('responded with more than 16 MiB')
  expect([sent <= 18, isCancelled]).toEqual([true, true])
})
