import { z } from 'zod'

/** A value as it appears in a request, in the words of JSON Schema. */
export type Wire = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  description?: string
  format?: 'date-time' | 'email' | 'uri' | 'uuid'
  enum?: readonly string[]
  /** The name of the GraphQL enum, where `enum` is given. */
  enumName?: string
  /** The name of the GraphQL scalar, where the other words do not tell. */
  scalar?: 'Currency'
  items?: Wire
  /** The name of the GraphQL input, where it is an object. */
  inputName?: string
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

/** What `wireOf` finds beside a piece; a piece keeps its description through every wrapper below. */
const wires = z.registry<Wire>()

export function wireOf(schema: z.ZodType): Wire {
  const wire = wires.get(schema)
  if (!wire) throw new Error('An input field is made of the pieces in input/fields.ts.')
  return wire
}

/** The same piece, described. */
export const withWire = <S extends z.ZodType>(schema: S, wire: Wire): S => {
  wires.add(schema, wire)
  return schema
}
