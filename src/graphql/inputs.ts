import type { InputFieldMap, InputFieldRef, InputRef } from '@pothos/core'
import type { z } from 'zod'
import { type Wire, wireOf } from '../kernel/input/wire.ts'
import { listingOf } from '../listing/registry.ts'
import { builder, type InputType, type ObjectFields, type Types } from './builder.ts'
import { enumOf } from './enums.ts'
import { whereOf } from './where.ts'

/** GraphQL inputs derived from the zod schemas of the services, which parse them and report all problems at once. */

type RawInput = Record<string, unknown>

/** A field whose type is known at run time only. */
type AnyInputField = InputFieldRef<Types, NonNullable<unknown> | null | undefined>

const inputTypes = new Map<string, InputRef<RawInput>>()

/** The input type of this name, defined by the first call. @param ids descriptions of required ids */
export const inputOf = (
  name: string,
  schema: z.ZodObject,
  ids: Readonly<Record<string, string>> = {},
): InputRef<RawInput> => known(name, () => defineInput(name, schema, ids))

/** The input type of this name that takes exactly one of its fields. */
export const oneOfInput = (name: string, schema: z.ZodObject): InputRef<RawInput> =>
  known(name, () => defineInput(name, schema, {}, true))

function known(name: string, define: () => InputRef<RawInput>): InputRef<RawInput> {
  const type = inputTypes.get(name) ?? define()
  inputTypes.set(name, type)
  return type
}

function inputNamed(name: string): InputRef<RawInput> {
  const type = inputTypes.get(name)
  if (!type) throw new Error(`No GraphQL input is called ${name}.`)
  return type
}

function defineInput(
  name: string,
  schema: z.ZodObject,
  ids: Readonly<Record<string, string>>,
  isOneOf = false,
): InputRef<RawInput> {
  const operation = name.replace(/Input$/, '')
  const ref = builder.inputRef<RawInput>(name)
  return ref.implement({
    isOneOf,
    description: `Input of \`${operation.charAt(0).toLowerCase()}${operation.slice(1)}\`.`,
    fields: (t) => ({
      ...Object.fromEntries(
        Object.entries(ids).map(([id, description]) => [id, t.id({ required: true, description })]),
      ),
      ...mapFields(schema, (options) => t.field(options) as AnyInputField),
    }),
  })
}

export const argsOf = (schema: z.ZodObject): InputFieldMap =>
  builder.args((t) => mapFields(schema, (options) => t.field(options)))

function mapFields<T>(schema: z.ZodObject, field: (options: ReturnType<typeof fieldOptions>) => T): Record<string, T> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  return Object.fromEntries(fields.map(([name, fieldSchema]) => [name, field(fieldOptions(wireOf(fieldSchema)))]))
}

/**
 * The fields of an output type that shows what an input has given, with its descriptions. An absent one is null.
 * Amounts are stored as text.
 */
export function outputFieldsOf<T extends object>(t: ObjectFields<T>, schema: z.ZodObject) {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, fieldSchema]) => {
    const { type, description } = fieldOptions(wireOf(fieldSchema))
    const resolve = (stored: T) => {
      const value = (stored as RawInput)[name] ?? null
      return type === 'SafeInt' && typeof value === 'string' ? BigInt(value) : value
    }
    // Inputs of this kind have scalars and enums, which are also types of outputs.
    return [
      name,
      t.field({ type: type as 'String', nullable: true, description, resolve: resolve as () => string | null }),
    ]
  })
  return Object.fromEntries(fields) as Record<string, ReturnType<typeof t.field>>
}

function fieldOptions(wire: Wire) {
  const description = [wire.description, wire.default === undefined ? '' : `Default: ${wire.default}.`]
    .filter(Boolean)
    .join(' ')
  const type: InputType | [InputType] = wire.items ? [typeOf(wire.items)] : typeOf(wire)
  return { type, required: wire.required ?? false, description }
}

function typeOf(wire: Wire): InputType {
  if (wire.enum && wire.enumName) return enumOf(wire.enumName)
  if (wire.scalar) return wire.scalar
  if (wire.whereOf) return whereOf(listingOf(wire.whereOf))
  if (wire.inputName) return inputNamed(wire.inputName)
  if (wire.format === 'uuid') return 'ID'
  if (wire.format === 'email') return 'EmailAddress'
  if (wire.format === 'uri') return 'URL'
  if (wire.format === 'date-time') return 'DateTime'
  if (wire.type === 'integer') return (wire.maximum ?? Number.POSITIVE_INFINITY) < 2 ** 31 ? 'Int' : 'SafeInt'
  return ({ string: 'String', number: 'Float', boolean: 'Boolean', array: 'String', object: 'String' } as const)[
    wire.type
  ]
}
