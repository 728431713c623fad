import { z } from 'zod'
import { cents, object, reference } from './fields.ts'
import { wireOf, withWire } from './wire.ts'

/**
 * A list of values. A single value is read as a list of one. A problem with one value is reported for the list.
 * @param least 0 if an empty list is a value
 */
export function several<S extends z.ZodType>(item: S, limit: number, least = 1) {
  const message = `can be at most ${limit} at once`
  return withWire(
    z.preprocess(
      (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
      z.array(item, { error: "can't be blank" }).min(least, { error: "can't be blank" }).max(limit, { error: message }),
    ),
    { type: 'array', items: wireOf(item) },
  )
}

export const references = (limit: number) => several(reference(), limit)

export const mostAtOnce = 100

/** At most `limit` inputs, each parsed by the service. @param inputName the GraphQL input type of an item */
export const entries = (inputName: string, limit: number) =>
  several(withWire(z.unknown(), { type: 'object', inputName }), limit)

/** As `entries`, and possibly empty. @param schema what the service parses an item with */
export function listed(inputName: string, schema: z.ZodObject, limit: number) {
  const wires = Object.entries(schema.shape).map(([name, field]) => [name, wireOf(field as z.ZodType)])
  return several(withWire(z.unknown(), { type: 'object', inputName, fields: Object.fromEntries(wires) }), limit, 0)
}

/** One input within another, parsed by the service. @param inputName its GraphQL input type */
export const entry = (inputName: string) => withWire(object("can't be blank"), { type: 'object', inputName })

export const amounts = (limit: number) => several(cents(), limit)
