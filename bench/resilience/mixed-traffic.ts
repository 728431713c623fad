import { setTimeout as pause } from 'node:timers/promises'
import { createSeller } from '../../test/support/factories.ts'
import { type createProgramOn, send } from './service.ts'

type Program = Awaited<ReturnType<typeof createProgramOn>>
export const kinds = ['sale', 'refund', 'visit', 'list', 'analytics'] as const
export type Kind = (typeof kinds)[number]

/** What was seen since the last look. Times are in milliseconds, from when a request was due. */
export type Seen = {
  times: Record<Kind, number[]>
  /** 503 with `Retry-After`: a client sends the request again, and its time goes on. */
  unavailable: number
  failures: string[]
}

/** The value that this part of the values does not exceed. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

const nothing = (): Seen => ({
  times: { sale: [], refund: [], visit: [], list: [], analytics: [] },
  unavailable: 0,
  failures: [],
})

const sellerCount = 5
const customerCount = 1_000
/** How long a client repeats a request. */
const repeatMs = 30_000
/** Of twenty requests. */
const shares: Record<Kind, number> = { sale: 6, refund: 1, visit: 8, list: 4, analytics: 1 }
const mix = kinds.flatMap((kind) => Array<Kind>(shares[kind]).fill(kind))

const graphql = (query: string) => ({ method: 'POST', path: '/graphql', body: { query } })
const lists = [
  { method: 'GET', path: '/v1/commissions?limit=25' },
  { method: 'GET', path: '/v1/sales?limit=25' },
  { method: 'GET', path: '/v1/referrals?limit=25' },
  graphql('{ affiliates(first: 25) { nodes { id email } totalCount } }'),
]
const analytics = graphql(
  '{ analytics(range: { preset: LAST_30_DAYS }) { totals { visitors sales commissionAccrued { formatted } } } }',
)

/** Sales, refunds, visits, lists and analytics of one program, in random order. */
export async function createMixedTraffic(address: string, program: Program) {
  const sellers = await Promise.all(Array.from({ length: sellerCount }, () => createSeller(program)))
  const acknowledged = new Set<string>()
  const refunded = new Set<string>()
  const refundable: string[] = []
  const pending = new Set<Promise<void>>()
  let seen = nothing()
  let number = 0
  const pick = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T

  const requestOf = (kind: Kind, n: number): { method: string; path: string; body?: object } => {
    if (kind === 'list') return pick(lists)
    if (kind === 'analytics') return analytics
    const { coupon, link } = pick(sellers)
    if (kind === 'visit') {
      const body = { key: program.publishableKey, token: link.token, visitor: `visitor-${n}` }
      return { method: 'POST', path: '/track/visits', body }
    }
    if (kind === 'sale') {
      const email = `customer-${n % customerCount}@example.com`
      return {
        method: 'POST',
        path: '/v1/conversions',
        body: { coupon, email, amount_cents: 1_000, external_id: `${n}` },
      }
    }
    const body = { external_id: refundable.shift(), amount_cents: 500, refund_external_id: `${n}` }
    return { method: 'POST', path: '/v1/conversions/refund', body }
  }

  const attempt = (method: string, path: string, body?: object) =>
    send(address, program.secret, method, path, body).catch((error: Error) => error)

  const ask = async (dueAt: number): Promise<void> => {
    const n = number++
    const wanted = pick(mix)
    const kind = wanted === 'refund' && refundable.length === 0 ? 'sale' : wanted
    const { method, path, body } = requestOf(kind, n)
    const repeatUntil = dueAt + repeatMs
    let answer = await attempt(method, path, body)
    while (
      !(answer instanceof Error) &&
      answer.status === 503 &&
      answer.retryAfter &&
      performance.now() < repeatUntil
    ) {
      seen.unavailable += 1
      await pause(Number(answer.retryAfter) * 1_000)
      answer = await attempt(method, path, body)
    }
    seen.times[kind].push(performance.now() - dueAt)
    if (answer instanceof Error || answer.status >= 300 || answer.body.includes('"errors"')) {
      seen.failures.push(
        `${kind} ${answer instanceof Error ? answer.message : `${answer.status} ${answer.body.slice(0, 200)}`}`,
      )
      return
    }
    if (kind === 'refund') refunded.add(`${n}`)
    if (kind !== 'sale') return
    acknowledged.add(`${n}`)
    refundable.push(`${n}`)
  }

  return {
    acknowledged,
    refunded,
    take: () => {
      const taken = seen
      seen = nothing()
      return taken
    },
    /** Each connection sends the next request when it has its answer. Returns how many are answered in a second. */
    async closedLoop(connections: number, seconds: number): Promise<number> {
      const first = number
      const until = performance.now() + seconds * 1_000
      const client = async () => {
        while (performance.now() < until) await ask(performance.now())
      }
      await Promise.all(Array.from({ length: connections }, client))
      return (number - first) / seconds
    },
    /** Requests are due at random times, whether or not others are answered. */
    openLoop(perSecond: number) {
      let isOver = false
      const sender = (async () => {
        let dueAt = performance.now()
        while (!isOver) {
          dueAt += (-Math.log(1 - Math.random()) / perSecond) * 1_000
          if (dueAt > performance.now()) await pause(dueAt - performance.now())
          const request: Promise<void> = ask(dueAt).finally(() => pending.delete(request))
          pending.add(request)
        }
      })()
      return async () => {
        isOver = true
        await sender
        await Promise.all(pending)
      }
    },
  }
}
