import { setTimeout as pause } from 'node:timers/promises'
import { send } from '../resilience/service.ts'

export type Traffic = ReturnType<typeof startTraffic>

const clientCount = 4
const betweenSalesMs = 40

const readSale = `query ($externalId: String!) {
  sales(first: 1, where: { externalId: { equals: $externalId } }) { nodes { id } }
}`

/** A field that fails has the status 200, and its error says that the same request can be sent again. */
const failsUnavailable = (body: string): boolean =>
  (JSON.parse(body).errors ?? []).some(
    ({ extensions }: { extensions: { code: string } }) => extensions.code === 'UNAVAILABLE',
  )

type Seen = { sales: number; unavailable: number; failedFields: number; others: string[]; oldAnswers: string[] }
const nothing = (): Seen => ({ sales: 0, unavailable: 0, failedFields: 0, others: [], oldAnswers: [] })

/**
 * Clients that report a sale at one instance until it is acknowledged, and then read it at the other one. A sale that is
 * not found there is an old answer.
 */
export function startTraffic(addresses: readonly [string, string], secret: string, coupon: string, prefix = '') {
  const acknowledged = new Set<string>()
  const sold: number[] = []
  let seen = nothing()
  let isOver = false
  let isHeld = false
  let busy = 0

  /** Sends until the answer is a success. Returns the body, or undefined if the traffic has ended before. */
  const ask = async (address: string, method: string, path: string, body?: object): Promise<string | undefined> => {
    while (!isOver) {
      const answer = await send(address, secret, method, path, body).catch((error: Error) => error)
      if (answer instanceof Error) seen.others.push(`${method} ${answer.message}`)
      else if (answer.status === 503 && answer.retryAfter !== undefined) seen.unavailable += 1
      else if (answer.status >= 300) seen.others.push(`${method} ${answer.status} ${answer.body.slice(0, 200)}`)
      else if (path === '/graphql' && failsUnavailable(answer.body)) seen.failedFields += 1
      else return answer.body
      await pause(200)
    }
    return undefined
  }

  const client = async (id: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      while (isHeld && !isOver) await pause(20)
      busy += 1
      const [near, far] = n % 2 === 0 ? addresses : [addresses[1], addresses[0]]
      const externalId = `${prefix}${id}-${n}`
      const answer = await ask(near, 'POST', '/v1/conversions', { coupon, amount_cents: 100, external_id: externalId })
      if (answer !== undefined) {
        sold.push(performance.now())
        acknowledged.add(externalId)
        seen.sales += 1
        const read = await ask(far, 'POST', '/graphql', { query: readSale, variables: { externalId } })
        if (read !== undefined && JSON.parse(read).data?.sales.nodes.length !== 1)
          seen.oldAnswers.push(`${externalId}: ${read.slice(0, 300)}`)
      }
      busy -= 1
      await pause(betweenSalesMs)
    }
  }
  const clients = Array.from({ length: clientCount }, (_, id) => client(id))
  return {
    /** Begins to count anew. */
    begin: () => {
      seen = nothing()
    },
    end: () => seen,
    /** No request is on its way from now on. */
    hold: async () => {
      isHeld = true
      while (busy > 0) await pause(10)
    },
    resume: () => {
      isHeld = false
    },
    /** When the first sale after a time was acknowledged; infinite if no sale was in time. */
    firstSaleAfter: async (time: number, withinMs: number): Promise<number> => {
      for (;;) {
        const first = sold.find((at) => at > time)
        if (first !== undefined) return first
        if (performance.now() > time + withinMs) return Number.POSITIVE_INFINITY
        await pause(20)
      }
    },
    stop: async () => {
      isOver = true
      await Promise.all(clients)
      return { acknowledged }
    },
  }
}
