import { z } from 'zod'
import { cents, reference } from './fields.ts'
import { wireOf, withWire } from './wire.ts'

/** A list of values. A single value is read as a list of one. A problem with one value is reported for the list. */
function several<S extends z.ZodType>(item: S, limit: number) {
  const message = `can be at most ${limit} at once`
  return withWire(
    z.preprocess(
      (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
      z.array(item, { error: "can't be blank" }).min(1, { error: "can't be blank" }).max(limit, { error: message }),
    ),
    { type: 'array', items: wireOf(item) },
  )
}

/** Ids as references to look up, at most `limit`. */
export const references = (limit: number) => several(reference(), limit)

export const mostAtOnce = 100

/** At most `limit` inputs, each parsed by the service. @param inputName the GraphQL input type of an item */
export const entries = (inputName: string, limit: number) =>
  several(withWire(z.unknown(), { type: 'object', inputName }), limit)

/** Amounts in minor units, at most `limit`. */
export const amounts = (limit: number) => several(cents(), limit)
