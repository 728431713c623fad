import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Listed = { id: string } & Record<string, unknown>

/**
 * Answers lists as Stripe's API does, a few objects a page. Every third request is limited, and every fifth fails.
 * @param lists the objects by the path of their list; others are answered with 403
 */
export async function createStripeApi(lists: Record<string, Listed[]>, pageSize = 2) {
  const read: string[] = []
  let requests = 0
  /** From this request on, all fail. */
  const state = { failsFrom: Number.POSITIVE_INFINITY }
  const server = createServer((request, response) => {
    requests += 1
    const answer = (status: number, body: object, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    if (request.headers.authorization !== 'Bearer rk_of_the_tests') return answer(401, {})
    if (requests >= state.failsFrom) return answer(500, {}, { 'Retry-After': '0' })
    if (requests % 3 === 0) return answer(429, {}, { 'Retry-After': '0' })
    if (requests % 5 === 0) return answer(500, {}, { 'Retry-After': '0' })
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const list = lists[pathname]
    if (!list) return answer(403, {})
    const after = searchParams.get('starting_after')
    const from = after === null ? 0 : list.findIndex(({ id }) => id === after) + 1
    const data = list.slice(from, from + pageSize)
    read.push(...data.map(({ id }) => id))
    answer(200, { object: 'list', data, has_more: from + pageSize < list.length })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The ids of all objects that were read, in order. */
    read,
    failAfter(more: number) {
      state.failsFrom = requests + more + 1
    },
    recover() {
      state.failsFrom = Number.POSITIVE_INFINITY
    },
    close: () => server.close(),
  }
}
