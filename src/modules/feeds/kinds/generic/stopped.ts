import { Unusable } from '../json.ts'

/** The service stopped the evaluation: it took too long, or too much memory. Nothing is known of the event. */
export class Stopped extends Unusable {}

/** The computing time of one program in a minute. */
export const budgetMs = 10_000

/** A program has used its computing time. `waitMs` is how long until it has some again. */
export class BudgetUsed extends Error {
  constructor(readonly waitMs: number) {
    super(`The mappings of the program have used their ${budgetMs / 1000} s of computing time of this minute.`)
  }
}
