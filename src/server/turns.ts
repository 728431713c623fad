import type { Plugin } from 'graphql-yoga'
import { unavailable } from '../errors.ts'
import { errorResponse } from '../rest/errors.ts'
import type { RequestState } from './entrance.ts'

/** A few more than the database has connections: enough to keep it busy, too few to queue up in it. */
const requestsAtWork = 20

/** Whoever has waited this long is told to come again: the answer would come when nobody listens any more. */
const patienceMs = 25_000

/**
 * Lets so many requests work at a time and the others wait for their turn, first come first served. A burst of thousands
 * is then answered as fast as the database can, where all at once would time out waiting for its connections. What asks
 * whether the service is well does not wait.
 */
export function useTurns(): Plugin<object, RequestState & { release?: () => void }> {
  const waiting = new Set<() => void>()
  let working = 0
  const release = () => {
    const [next] = waiting
    if (next) next()
    else working -= 1
  }
  const turn = () =>
    new Promise<boolean>((resolve) => {
      if (working < requestsAtWork) {
        working += 1
        return resolve(true)
      }
      const called = () => settle(true)
      const settle = (hasTurn: boolean) => {
        clearTimeout(timeout)
        waiting.delete(called)
        resolve(hasTurn)
      }
      const timeout = setTimeout(() => settle(false), patienceMs)
      waiting.add(called)
    })
  return {
    async onRequest({ request, serverContext, endResponse }) {
      if (/\/(healthz|readyz)$/.test(new URL(request.url).pathname)) return
      if (await turn()) serverContext.release = release
      else endResponse(errorResponse(unavailable()))
    },
    onResponse({ serverContext }) {
      serverContext.release?.()
    },
  }
}
