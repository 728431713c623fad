import { TributaryError } from '../../kernel/errors.ts'

/** The pending events of one subscriber. */
export type Feed = {
  add(ids: readonly string[]): void
  /** Waits for the next id; null at the end. @throws the error that the feed was ended with */
  next(): Promise<string | null>
  end(error?: TributaryError): void
}

/**
 * Buffers ids until they are read. Ids are deduplicated: the reader sees the record's state at the time of reading.
 *
 * @param maxPending when more ids are pending, the feed ends with an error that tells the reader to subscribe again
 */
export function createFeed(maxPending: number, onEnd: () => void): Feed {
  const pending = new Set<string>()
  let ended = false
  let failure: TributaryError | undefined
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
    add(ids) {
      if (ended) return
      for (const id of ids) pending.add(id)
      if (pending.size > maxPending) end(tooSlow())
      wake()
    },
    async next() {
      while (pending.size === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const [id] = pending
      if (id === undefined) {
        const error = failure
        failure = undefined
        if (error) throw error
        return null
      }
      pending.delete(id)
      return id
    },
    end,
  }
}

const tooSlow = () =>
  new TributaryError(
    'UNAVAILABLE',
    'Events arrived faster than they were read. Query the current state, then subscribe again.',
  )
