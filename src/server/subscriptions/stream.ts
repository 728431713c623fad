import type { EventStream } from '../../graphql/context.ts'
import { forbidden, type TributaryError } from '../../kernel/errors.ts'
import { type Turns, takeTurn } from '../turns.ts'
import type { Feed } from './feed.ts'
import type { Hub } from './hub.ts'

export type StreamOptions = {
  hub: Hub
  turns: Turns
  programId: string | undefined
  /** Authenticates the caller again. @throws UNAUTHENTICATED when the credentials are no longer valid */
  renew: () => Promise<void>
  checkEveryMs: number
  toError: (error: unknown) => TributaryError
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

/**
 * The events of one request. Before each event the credentials are checked again, and the event takes its own turn. Between
 * events the subscription has no turn.
 */
export function createEventStream(options: StreamOptions): EventStream {
  const { hub, turns, programId, renew, checkEveryMs, toError, signal } = options
  let feed: Feed | undefined
  let release: (() => void) | undefined
  const answered = () => {
    release?.()
    release = undefined
  }
  const end = () => {
    answered()
    feed?.end()
  }
  return {
    answered,
    end,
    async open(kind, affiliateId) {
      if (!programId) throw forbidden('Events belong to a program. Set the X-Program-Id header.')
      const subscribed = await hub.subscribe({ programId, kind, affiliateId: affiliateId ?? null })
      feed = subscribed
      const check = setInterval(() => {
        renew().catch((error: unknown) => {
          const reported = toError(error)
          if (reported.code !== 'UNAVAILABLE') subscribed.end(reported)
        })
      }, checkEveryMs).unref()
      let finished = false
      const finish = (): IteratorResult<string> => {
        finished = true
        clearInterval(check)
        signal.removeEventListener('abort', end)
        end()
        return { done: true, value: undefined }
      }
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      const ids: AsyncIterableIterator<string> = {
        [Symbol.asyncIterator]: () => ids,
        async next() {
          answered()
          try {
            const id = await subscribed.next()
            if (id === null) return finish()
            release = await takeTurn(turns)
            // The client may have disconnected during the wait; `finish` releases the turn.
            if (finished) return finish()
            await renew()
            return { done: false, value: id }
          } catch (error) {
            finish()
            throw error
          }
        },
        return: async () => finish(),
      }
      return ids
    },
  }
}
