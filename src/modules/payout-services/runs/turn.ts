import { ServiceProblem } from '../problem.ts'
import type { Lease } from './lease.ts'

/** The same request again goes on, and so does the background. */
const budgetMs = 20_000
/** With what has begun before the time was over: calls of the service, and recording their answers. */
export const longestMs = budgetMs + 25_000
/** The run is kept for a minute at a time, so that not every call writes it. */
const keepEveryMs = 5_000

/** The time that one request, or the background, works on a run at once. */
export type Turn = {
  isOver(): boolean
  /**
   * Keeps the run for the next call.
   * @throws ServiceProblem `unfinished` if the time is over; REFUSED if another one has taken the run
   */
  goOn(): Promise<void>
}

export function startTurn({ extend }: Lease): Turn {
  const startedAt = Date.now()
  let keptAt = 0
  const isOver = () => Date.now() - startedAt > budgetMs
  return {
    isOver,
    async goOn() {
      if (isOver()) throw new ServiceProblem('unfinished', 'The rest is sent in a moment.')
      if (Date.now() - keptAt < keepEveryMs) return
      await extend()
      keptAt = Date.now()
    },
  }
}
