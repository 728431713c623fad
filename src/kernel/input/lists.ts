import { z } from 'zod'
import { cents, reference } from './fields.ts'
import { wireOf, withWire } from './wire.ts'

/** Several of a piece; a single value is a list of one. What is wrong with one is said of the list. */
function several<S extends z.ZodType>(piece: S, limit: number) {
  const message = `can be at most ${limit} at once`
  return withWire(
    z.preprocess(
      (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
      z.array(piece, { error: "can't be blank" }).min(1, { error: "can't be blank" }).max(limit, { error: message }),
    ),
    { type: 'array', items: wireOf(piece) },
  )
}

/** Ids as references to look up, at most `limit`. */
export const references = (limit: number) => several(reference(), limit)

/** The most that is made at once. */
export const mostAtOnce = 100

/**
 * Several inputs of one kind, at most `limit`; each is read by the verb, so that its problems are told with its place.
 *
 * @param inputName what each is called as a GraphQL input
 */
export const entries = (inputName: string, limit: number) =>
  several(withWire(z.unknown(), { type: 'object', inputName }), limit)

/** Amounts in minor units, at most `limit`. */
export const amounts = (limit: number) => several(cents(), limit)
