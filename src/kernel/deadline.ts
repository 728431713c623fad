/** An operation has taken longer than it may. What it had not committed is rolled back. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  constructor(readonly seconds: number) {
    super(`the operation took longer than ${seconds} seconds`)
  }
}

export type Deadline = {
  readonly isOver: boolean
  /** At least 1. */
  leftMs(): number
  error(): DeadlineExceeded
  onOver(callback: () => void): () => void
  /** Moves it, so that at least this time is left. */
  extend(ms: number): void
}

export function createDeadline(ms: number): Deadline {
  const startedAt = performance.now()
  let allowedMs = ms
  const leftMs = () => startedAt + allowedMs - performance.now()
  return {
    get isOver() {
      return leftMs() <= 0
    },
    leftMs: () => Math.max(1, Math.ceil(leftMs())),
    error: () => new DeadlineExceeded(Math.round(allowedMs / 1000)),
    onOver(callback) {
      let timer: NodeJS.Timeout
      const wait = () => {
        // It may have been moved meanwhile, and a timer may be early by a part of a millisecond.
        timer = setTimeout(() => (leftMs() <= 0 ? callback() : wait()), Math.max(1, Math.ceil(leftMs())))
      }
      wait()
      return () => clearTimeout(timer)
    },
    extend(atLeastMs) {
      allowedMs = Math.max(allowedMs, performance.now() - startedAt + atLeastMs)
    },
  }
}
