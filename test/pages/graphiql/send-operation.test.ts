import { afterEach, expect, it, vi } from 'vitest'
import { createSendOperation } from '../../../src/pages/graphiql/send-operation.ts'
import type { KeyState } from '../../../src/pages/graphiql/session.ts'

afterEach(() => vi.unstubAllGlobals())

const session = { key: 'trib_sk_x', programId: '' }

/** Sends an operation to a service that returns the given response. Returns the result and the request. */
async function send(
  response: Response,
  { as = session, operation = { query: '{ a }' } as Parameters<ReturnType<typeof createSendOperation>>[0] } = {},
) {
  const fetch = vi.fn(async (_url: URL, _init: RequestInit) => response)
  vi.stubGlobal('fetch', fetch)
  vi.stubGlobal('document', { baseURI: 'https://proxy.test/below/graphql' })
  const states: KeyState[] = []
  const result = await createSendOperation(as, (state) => states.push(state))(operation)
  return { result, states, url: fetch.mock.calls[0]?.[0], init: fetch.mock.calls[0]?.[1] as any }
}

it('sends to the origin of the page with the key and the program, also behind a proxy path', async () => {
  const { url, init, states } = await send(Response.json({ data: { a: 1 } }), { as: { ...session, programId: 'p1' } })
  expect(String(url)).toBe('https://proxy.test/below/graphql')
  expect(init.headers).toMatchObject({ Authorization: 'Bearer trib_sk_x', 'X-Program-Id': 'p1' })
  expect(init.credentials).toBe('omit')
  expect(states).toEqual([{ kind: 'accepted' }])
})

it('sends nothing without a key', async () => {
  const { result, url } = await send(Response.json({}), { as: { key: '', programId: '' } })
  expect(url).toBeUndefined()
  expect(result).toMatchObject({ errors: [{ message: expect.stringContaining('Enter a key') }] })
})

it.each([
  [401, 'Unauthenticated.', { kind: 'rejected', message: 'This key is invalid or was revoked.' }],
  [404, 'There is no such program.', { kind: 'rejected', message: 'There is no such program.' }],
  [503, 'Try again.', { kind: 'rejected', message: 'Try again.' }],
  [400, 'Syntax Error', { kind: 'accepted' }],
])('derives the state of the key from a %i response', async (status, message, expected) => {
  const { states, result } = await send(Response.json({ errors: [{ message }] }, { status }))
  expect(states).toEqual([expected])
  expect(result).toEqual({ errors: [{ message }] })
})

it('reports a response that is not JSON', async () => {
  const { result } = await send(new Response('<html>', { status: 502, statusText: 'Bad Gateway' }))
  expect(result).toEqual({ errors: [{ message: 'The response is not JSON (502 Bad Gateway).' }] })
})

it('sends an operation name only if the query contains it', async () => {
  const named = async (operationName: string) =>
    JSON.parse((await send(Response.json({}), { operation: { query: 'query Now { a }', operationName } })).init.body)
  expect(await named('Now')).toEqual({ query: 'query Now { a }', operationName: 'Now' })
  expect(await named('Before')).toEqual({ query: 'query Now { a }' })
})

it('yields the results of a subscription until it completes', async () => {
  const text =
    ': hello\n\nevent: next\ndata: {"data":{"n":1}}\n\nevent: next\ndata: {"data":{"n":2}}\n\nevent: complete\ndata:\n\nevent: next\ndata: {}\n\n'
  // In chunks that end anywhere.
  const chunks = text.match(/.{1,17}/gs) ?? []
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const { result } = await send(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  const results: unknown[] = []
  for await (const item of result as AsyncIterable<unknown>) results.push(item)
  expect(results).toEqual([{ data: { n: 1 } }, { data: { n: 2 } }])
})

it('closes the connection of a stopped subscription immediately and without an error', async () => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stream = controller
    },
  })
  const { result, init } = await send(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  init.signal.addEventListener('abort', () => stream?.error(new DOMException('stopped', 'AbortError')))
  const iterator = (result as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const pending = iterator.next()
  await iterator.return?.()
  expect(init.signal.aborted).toBe(true)
  expect(await pending).toEqual({ done: true, value: undefined })
})
