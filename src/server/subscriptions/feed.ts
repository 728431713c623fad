import { TributaryError } from '../../kernel/errors.ts'

/** What one subscriber has not taken yet. */
export type Feed = {
  add(ids: readonly string[]): void
  /** The next id, as soon as there is one; null at the end. @throws what the feed was ended with */
  next(): Promise<string | null>
  end(error?: TributaryError): void
}

/**
 * Holds ids until they are taken. One that waits already is not added again, as its reader will see it as it is by then.
 *
 * @param most how many may wait: a reader that is slower than events come is told to begin anew, once it comes back
 */
export function createFeed(most: number, onEnd: () => void): Feed {
  const waiting = new Set<string>()
  let ended = false
  let failure: TributaryError | undefined
  let wake = () => {}
  const end = (error?: TributaryError) => {
    if (ended) return
    ended = true
    failure = error
    waiting.clear()
    onEnd()
    wake()
  }
  return {
    add(ids) {
      if (ended) return
      for (const id of ids) waiting.add(id)
      if (waiting.size > most) end(tooSlow())
      wake()
    },
    async next() {
      while (waiting.size === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const [id] = waiting
      if (id === undefined) {
        const error = failure
        failure = undefined
        if (error) throw error
        return null
      }
      waiting.delete(id)
      return id
    },
    end,
  }
}

const tooSlow = () =>
  new TributaryError('UNAVAILABLE', 'Events came faster than they were read. Read what is there, and subscribe again.')
