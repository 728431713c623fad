import fc from 'fast-check'
import type { TestProgram } from '../../support/app.ts'
import type { Model, Rule } from '../model.ts'
import { adoptCorrections } from './corrections.ts'

// Each command makes the same change in the service and in the model, and expects the same result from both.

/**
 * `second` is the same program by another API key, and `limit` sets the sum above which it has to approve a run. `tick`
 * moves the clock by a second, so that no two commands are of one instant.
 */
export type Real = {
  program: TestProgram
  second: () => Promise<Pick<TestProgram, 'graphql'>>
  limit: (cents: number | null) => Promise<void>
  tick: () => void
}
export type Command = fc.AsyncCommand<Model, Real>

export const command = (
  name: string,
  isPossible: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command => ({
  check: (model) => isPossible(model),
  async run(model, real) {
    model.steps += 1
    real.tick()
    model.now += 1_000
    await run(model, real)
    await adoptCorrections(model, real)
  },
  toString: () => name,
})

/** Picks a row by a random position. Commands are generated before the rows exist, so they contain positions, not ids. */
export const pick = <T>(rows: T[], position: number): T => rows[position % rows.length] as T
/** The id of a sale. Sales of one instant are in the order of their ids, as texts. */
export const externalIdOf = (number: number) => `inv_${String(number).padStart(4, '0')}`
export const position = fc.nat({ max: 997 })
export const email = fc.constantFrom('a@one.test', 'b@two.test', 'c@three.test', 'd@four.test')
export const cents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 4, 5, 2 ** 31) },
)
export const currency = fc.constantFrom('usd', 'usd', 'usd', 'eur')
/** The smallest payout in a currency. */
export const minimumIn = ({ minimumPayout, minimumOfEuros }: Rule, code: string) =>
  code === 'eur' ? (minimumOfEuros ?? minimumPayout) : minimumPayout
export const viaGraphQL = fc.boolean()

export async function refusedOr<T>(result: Promise<T>): Promise<T | 'refused'> {
  return result.catch((error) => {
    if (error.errors?.[0]?.extensions?.code === 'REFUSED') return 'refused' as const
    throw error
  })
}

export const snake = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
