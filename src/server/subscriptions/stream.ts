import type { EventStream } from '../../graphql/context.ts'
import { forbidden, type TributaryError } from '../../kernel/errors.ts'
import { type Turns, takeTurn } from '../turns.ts'
import type { Feed } from './feed.ts'
import type { Hub } from './hub.ts'

export type StreamOptions = {
  hub: Hub
  turns: Turns
  programId: string | undefined
  /** Looks again whether the caller may ask. @throws UNAUTHENTICATED where that is over */
  renew: () => Promise<void>
  checkEveryMs: number
  toError: (error: unknown) => TributaryError
  /** Aborted when the caller has gone. */
  signal: AbortSignal
}

/**
 * The events of one request. Each is answered in a turn of its own, by somebody whose key is still good; between them the
 * subscription has no turn.
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
      if (!programId) throw forbidden('Events are those of a program: set the X-Program-Id header.')
      const own = await hub.subscribe({ programId, kind, affiliateId: affiliateId ?? null })
      feed = own
      const check = setInterval(() => {
        renew().catch((error: unknown) => {
          const told = toError(error)
          if (told.code !== 'UNAVAILABLE') own.end(told)
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
            const id = await own.next()
            if (id === null) return finish()
            release = await takeTurn(turns)
            // Whoever went away while this waited leaves the turn to the next.
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
