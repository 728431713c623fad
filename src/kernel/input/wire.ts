import { z } from 'zod'

/** Describes a value in a request, with the keywords of JSON Schema. */
export type Wire = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  description?: string
  format?: 'date-time' | 'email' | 'uri' | 'uuid'
  enum?: readonly string[]
  /** The name of the GraphQL enum, if `enum` is set. */
  enumName?: string
  /** The name of the GraphQL scalar, if it does not follow from the other keywords. */
  scalar?: 'Currency' | 'EventType' | 'JSONObject'
  items?: Wire
  /** The name of the GraphQL input type, if `type` is `object`. */
  inputName?: string
  /** The fields of an `object`, if REST has it. */
  fields?: Readonly<Record<string, Wire>>
  /** For conditions: the noun of the listing that they are for. GraphQL has the input `<noun>Where`. */
  whereOf?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: string | number | boolean
  example?: string | number | boolean
  nullable?: boolean
  required?: boolean
}

const wires = z.registry<Wire>()

export function wireOf(schema: z.ZodType): Wire {
  const wire = wires.get(schema)
  if (!wire) throw new Error('Build the schemas of input fields from those in input/fields.ts.')
  return wire
}

export const withWire = <S extends z.ZodType>(schema: S, wire: Wire): S => {
  wires.add(schema, wire)
  return schema
}
