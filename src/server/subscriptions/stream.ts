import type { EventStream } from '../../graphql/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { forbidden, invalid, type TributaryError } from '../../kernel/errors.ts'
import { isId, ownCase } from '../../kernel/ids.ts'
import { readAfter } from '../../modules/event-log/read-after.ts'
import { type Turns, takeTurn } from '../limits/turns.ts'
import type { Feed } from './feed.ts'
import type { Hub } from './hub.ts'
import { live, resume } from './resume.ts'

export type StreamOptions = {
  db: AppDb
  hub: Hub
  turns: Turns
  programId: string | undefined
  /** Authenticates the caller again. @throws UNAUTHENTICATED when the credentials are no longer valid */
  renew: () => Promise<void>
  checkEveryMs: number
  toError: (error: unknown) => TributaryError
  signal: AbortSignal
}

/** The events of one request. Each checks the credentials again and takes a turn; in between there is no turn. */
export function createEventStream(options: StreamOptions): EventStream {
  const { db, hub, turns, programId, renew, checkEveryMs, toError, signal } = options
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
    async open({ after, ...selection }) {
      if (!programId) throw forbidden('Events belong to a program. Set the X-Program-Id header.')
      if (after && !isId(ownCase(after)))
        throw invalid([{ field: 'after', message: 'after must be the id of an event.' }])
      const subscribed = await hub.subscribe({ ...selection, programId })
      feed = subscribed
      const items = after
        ? resume(
            subscribed,
            (position, limit) => readAfter(db, programId, selection, position, limit),
            ownCase(after),
            ({ id, subjectId }) => ({ id: selection.yields === 'event' ? id : subjectId, eventId: id }),
          )
        : live(subscribed)
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
            const item = await items.next()
            if (item.done) return finish()
            release = await takeTurn(turns, { holder: { program: programId, key: 'events' } })
            // The client may have disconnected during the wait; `finish` releases the turn.
            if (finished) return finish()
            await renew()
            return { done: false, value: item.value.id }
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
