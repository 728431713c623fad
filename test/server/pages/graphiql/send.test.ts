import { afterEach, expect, it, vi } from 'vitest'
import { createSend } from '../../../../src/server/pages/graphiql/send.ts'
import type { KeyState } from '../../../../src/server/pages/graphiql/session.ts'

afterEach(() => vi.unstubAllGlobals())

const session = { key: 'trib_sk_x', programId: '' }

/** Sends with the service answering as told; what came of it, and what was asked. */
async function send(
  answer: Response,
  { as = session, operation = { query: '{ a }' } as Record<string, unknown> } = {},
) {
  const fetch = vi.fn(async (_url: URL, _init: RequestInit) => answer)
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('document', { baseURI: 'https://proxy.test/below/graphql' })
  const states: KeyState[] = []
  const result = await createSend(as, (state) => states.push(state))(operation as never)
  return { result, states, url: fetch.mock.calls[0]?.[0], init: fetch.mock.calls[0]?.[1] as any }
}

it('asks where the page is from, with the key and the program, below a path of a proxy too', async () => {
  const { url, init, states } = await send(Response.json({ data: { a: 1 } }), { as: { ...session, programId: 'p1' } })
  expect(String(url)).toBe('https://proxy.test/below/graphql')
  expect(init.headers).toMatchObject({ Authorization: 'Bearer trib_sk_x', 'X-Program-Id': 'p1' })
  expect(init.credentials).toBe('omit')
  expect(states).toEqual([{ kind: 'accepted' }])
})

it('without a key nothing is asked', async () => {
  const { result, url } = await send(Response.json({}), { as: { key: '', programId: '' } })
  expect(url).toBeUndefined()
  expect(result).toMatchObject({ errors: [{ message: expect.stringContaining('Enter a key') }] })
})

it.each([
  [401, 'Unauthenticated.', { kind: 'refused', message: 'This key is not known here, or it was revoked.' }],
  [404, 'There is no such program.', { kind: 'refused', message: 'There is no such program.' }],
  [503, 'Try again.', { kind: 'refused', message: 'Try again.' }],
  [400, 'Syntax Error', { kind: 'accepted' }],
])('a %i says of the key what it can', async (status, message, expected) => {
  const { states, result } = await send(Response.json({ errors: [{ message }] }, { status }))
  expect(states).toEqual([expected])
  expect(result).toEqual({ errors: [{ message }] })
})

it('an answer that is no JSON is told as what it is', async () => {
  const { result } = await send(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  expect(result).toEqual({ errors: [{ message: 'The answer was no JSON (502 Bad Gateway).' }] })
})

it('sends the name of an operation only where the query has it', async () => {
  const named = async (operationName: string) =>
    JSON.parse((await send(Response.json({}), { operation: { query: 'query Now { a }', operationName } })).init.body)
  expect(await named('Now')).toEqual({ query: 'query Now { a }', operationName: 'Now' })
  expect(await named('Before')).toEqual({ query: 'query Now { a }' })
})

it('a subscription answers one result after the other, until it is complete', async () => {
  const text =
    ': hello\n\nevent: next\ndata: {"data":{"n":1}}\n\nevent: next\ndata: {"data":{"n":2}}\n\nevent: complete\ndata:\n\nevent: next\ndata: {}\n\n'
  // In pieces that end anywhere.
  const pieces = text.match(/.{1,17}/gs) ?? []
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  const { result } = await send(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  const results: unknown[] = []
  for await (const one of result as AsyncIterable<unknown>) results.push(one)
  expect(results).toEqual([{ data: { n: 1 } }, { data: { n: 2 } }])
})

it('a subscription that is stopped closes its connection at once, and is no error', async () => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller
    },
  })
  const { result, init } = await send(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  init.signal.addEventListener('abort', () => stream?.error(new DOMException('stopped', 'AbortError')))
  const iterator = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const waiting = iterator.next()
  await iterator.return?.()
  expect(init.signal.aborted).toBe(true)
  expect(await waiting).toEqual({ done: true, value: undefined })
})
