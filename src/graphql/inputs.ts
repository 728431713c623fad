import type { InputFieldMap } from '@pothos/core'
import type { z } from 'zod'
import { type Wire, wireOf } from '../kernel/input/wire.ts'
import { builder } from './builder.ts'
import { enumOf } from './enums.ts'

/**
 * GraphQL inputs derived from the zod schemas that the verbs parse with, so that one place says what an input is.
 * Resolvers hand what they get to the verb as it is; the verb reads it.
 */

const inputTypes = new Map<string, ReturnType<typeof makeInput>>()

/**
 * The input type of this name, made when it is asked for first.
 *
 * @param ids names that it has beside those of the schema, and what each is the id of
 */
export function inputOf(name: string, schema: z.ZodObject, ids: Readonly<Record<string, string>> = {}) {
  const type = inputTypes.get(name) ?? makeInput(name, schema, ids)
  inputTypes.set(name, type)
  return type
}

function inputNamed(name: string) {
  const type = inputTypes.get(name)
  if (!type) throw new Error(`No GraphQL input is called ${name}.`)
  return type
}

function makeInput(name: string, schema: z.ZodObject, ids: Readonly<Record<string, string>>) {
  const operation = name.replace(/Input$/, '')
  return builder.inputType(name, {
    description: `What \`${operation.charAt(0).toLowerCase()}${operation.slice(1)}\` is told.`,
    fields: (t) => {
      const named = Object.entries(ids).map(([id, description]) => [id, t.id({ required: true, description })])
      return { ...Object.fromEntries(named), ...fieldsOf(schema, (options) => t.field(options as never)) } as never
    },
  })
}

/** The arguments of a list. */
export function argsOf(schema: z.ZodObject): InputFieldMap {
  return builder.args((t) => fieldsOf(schema, (options) => t.field(options as never)) as never)
}

function fieldsOf<T>(schema: z.ZodObject, field: (options: object) => T): Record<string, T> {
  const pieces = Object.entries(schema.shape as Record<string, z.ZodType>)
  return Object.fromEntries(pieces.map(([name, piece]) => [name, field(options(wireOf(piece)))]))
}

function options(wire: Wire) {
  const description = [wire.description, wire.default === undefined ? '' : `Default: ${wire.default}.`]
    .filter(Boolean)
    .join(' ')
  return { type: wire.items ? [typeOf(wire.items)] : typeOf(wire), required: wire.required ?? false, description }
}

function typeOf(wire: Wire) {
  if (wire.enum && wire.enumName) return enumOf(wire.enumName)
  if (wire.scalar) return wire.scalar
  if (wire.inputName) return inputNamed(wire.inputName)
  if (wire.format === 'uuid') return 'ID'
  if (wire.format === 'email') return 'EmailAddress'
  if (wire.format === 'uri') return 'URL'
  if (wire.format === 'date-time') return 'DateTime'
  if (wire.type === 'integer') return (wire.maximum ?? Number.POSITIVE_INFINITY) < 2 ** 31 ? 'Int' : 'SafeInt'
  return { string: 'String', number: 'Float', boolean: 'Boolean', array: 'String', object: 'String' }[wire.type]
}
