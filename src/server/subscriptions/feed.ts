import { TributaryError } from '../../kernel/errors.ts'

/** The id that a subscription yields, of the event or of its subject, and the id of the event. */
export type FeedItem = { id: string; eventId: string }

export type Feed = {
  add(item: FeedItem): void
  /** Waits for the next item; null at the end. @throws the error that the feed was ended with */
  next(): Promise<FeedItem | null>
  /** While the reader reads the log, items beyond the limit are dropped. Ends that; returns whether. */
  catchUp(isReadingLog: boolean): boolean
  end(error?: TributaryError): void
}

/**
 * Buffers items without repeated ids: the reader of a record sees its state at the time of reading.
 * @param maxPending above it, the feed ends with an error that asks the reader to subscribe again
 */
export function createFeed(maxPending: number, onEnd: () => void): Feed {
  const pending = new Map<string, string>()
  let ended = false
  let failure: TributaryError | undefined
  let readsLog = false
  let hasDropped = false
  let wake = () => {}
  const end = (error?: TributaryError) => {
    if (ended) return
    ended = true
    failure = error
    pending.clear()
    onEnd()
    wake()
  }
  return {
    add({ id, eventId }) {
      if (ended || hasDropped) return
      pending.set(id, eventId)
      if (pending.size > maxPending && readsLog) {
        pending.clear()
        hasDropped = true
      } else if (pending.size > maxPending) end(tooSlow())
      wake()
    },
    async next() {
      while (pending.size === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const [first] = pending
      if (first === undefined) {
        const error = failure
        failure = undefined
        if (error) throw error
        return null
      }
      const [id, eventId] = first
      pending.delete(id)
      return { id, eventId }
    },
    catchUp(isReadingLog) {
      const dropped = hasDropped
      readsLog = isReadingLog || dropped
      hasDropped = false
      return dropped
    },
    end,
  }
}

const tooSlow = () =>
  new TributaryError(
    'UNAVAILABLE',
    'Events arrived faster than they were read. Query the current state, then subscribe again.',
  )
