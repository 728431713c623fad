import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { z } from 'zod'
import { type Wire, wireOf } from '../../kernel/input/wire.ts'
import { snakeCase } from '../../kernel/text.ts'
import { fieldAliases, stateAliases } from '../convention/table.ts'
import type { Names } from '../names.ts'

/** A JSON Schema, or another object of the document. */
export type Schema = { [keyword: string]: unknown }

export const refTo = (kind: 'schemas' | 'responses' | 'headers', name: string): Schema => ({
  $ref: `#/components/${kind}/${name}`,
})

/** Descriptions are written for GraphQL. This rewrites the names of fields in them to the names that REST uses. */
export const withWireNames = (text: string) => text.replace(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, snakeCase)

// Responses: the types of the REST schema.

const amount = object({ cents: { type: ['integer', 'null'], format: 'int64' }, currency_iso: { type: 'string' } })

const scalars: Record<string, Schema> = {
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  SafeInt: { type: 'integer', format: 'int64' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  EmailAddress: { type: 'string' },
  EventType: { type: 'string' },
  URL: { type: 'string' },
  Currency: { type: 'string' },
  EventData: { type: 'object' },
  JSONObject: { type: 'object' },
  CommissionStats: object({
    currencies: {
      type: 'object',
      additionalProperties: object({
        unpaid: amount,
        due: amount,
        paid: amount,
        total: amount,
        gross_revenue: amount,
        net_revenue: amount,
      }),
    },
  }),
}

function object(properties: Schema): Schema {
  return { type: 'object', required: Object.keys(properties), properties }
}

/** Adds the schemas of a type and of its fields' types to `schemas`. */
export function collectSchemas(type: GraphQLOutputType, schemas: Map<string, Schema>): void {
  const named = getNamedType(type)
  if (schemas.has(named.name)) return
  if (isEnumType(named)) schemas.set(named.name, enumSchema(named))
  if (!isObjectType(named)) return
  schemas.set(named.name, objectSchema(named))
  for (const field of Object.values(named.getFields())) collectSchemas(field.type, schemas)
}

/** Adds only the enums of a type. A file has no schema, but its input can name enums of its fields. */
export function collectEnums(type: GraphQLOutputType, schemas: Map<string, Schema>): void {
  const named = getNamedType(type)
  if (!isObjectType(named)) return
  for (const field of Object.values(named.getFields())) {
    if (isEnumType(getNamedType(field.type))) collectSchemas(field.type, schemas)
  }
}

function enumSchema(type: GraphQLEnumType): Schema {
  const values = type.getValues()
  const meanings = values.map(({ name, description }) => `- \`${name}\`: ${description}`)
  return {
    type: 'string',
    description: [type.description, '', ...meanings].join('\n'),
    enum: values.map(({ name }) => name),
  }
}

function objectSchema(type: GraphQLObjectType): Schema {
  const fields = Object.values(type.getFields())
  return {
    type: 'object',
    ...(type.description && { description: withWireNames(type.description) }),
    required: fields.filter(({ extensions: { hidden } }) => !hidden).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  }
}

function fieldSchema({ type, description, extensions: { constant } }: GraphQLField<unknown, unknown>): Schema {
  return {
    ...outputSchema(type),
    ...(constant !== undefined && { const: constant }),
    ...(description && { description: withWireNames(description) }),
  }
}

function outputSchema(type: GraphQLOutputType, nullable = true): Schema {
  if (isNonNullType(type)) return outputSchema(type.ofType, false)
  if (isListType(type)) return orNull({ type: 'array', items: outputSchema(type.ofType) }, nullable)
  if (isObjectType(type) || isEnumType(type)) return orNull(refTo('schemas', type.name), nullable)
  const scalar = scalars['name' in type ? type.name : '']
  if (!scalar) throw new Error(`OpenAPI has no schema for ${type}.`)
  return orNull(scalar, nullable)
}

const orNull = (schema: Schema, nullable: boolean): Schema => {
  if (!nullable) return schema
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [schema.type, 'null'] }
}

// Requests: the fields of the inputs.

export type InputField = { name: string; description: string; wire: Wire; schema: Schema }

export function inputFields(input: z.ZodObject, { renamed, hidden }: Names): InputField[] {
  const wireNames = new Map(Object.entries(renamed).map(([wire, field]) => [field, wire]))
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([field, type]) => {
    const own = wireNames.get(field)
    const name = own ?? snakeCase(field)
    if (own === undefined && (hidden.includes(field) || Object.hasOwn(renamed, name))) return []
    return [inputField(name, wireOf(type))]
  })
}

const inputField = (name: string, wire: Wire): InputField => ({
  name,
  wire,
  description: describeField(name, wire),
  schema: inputSchema(wire),
})

/** The field under its other names in the convention. */
export const aliasesOf = (field: InputField): InputField[] =>
  aliasNamesOf(field.name).map((name) => ({
    ...field,
    name,
    description: `The same as \`${field.name}\`.`,
    wire: { ...field.wire, required: false },
  }))

const aliasNamesOf = (name: string) => Object.keys(fieldAliases).filter((alias) => fieldAliases[alias] === name)

const stateAliasesOf = (name: string, { items, ...wire }: Wire) =>
  name === 'state' ? Object.entries(stateAliases).filter(([, word]) => (items ?? wire).enum?.includes(word)) : []

/** The field with the convention's words for its states. @param unused states that match nothing */
export function withConventionStates(field: InputField, unused: readonly string[]): InputField {
  if (field.name !== 'state') return field
  const words = [...stateAliasesOf(field.name, field.wire).map(([alias]) => alias), ...unused]
  if (words.length === 0) return field
  const states = field.wire.items ?? field.wire
  const item = { ...states, enum: [...(states.enum ?? []), ...words], enumName: `${states.enumName}Filter` }
  const wire = field.wire.items ? { ...field.wire, items: item } : { ...field.wire, ...item }
  const names = unused.map((word) => `\`${word}\``).join(', ')
  const note = unused.length > 0 ? ` No resource has the states ${names}: they match nothing.` : ''
  return {
    ...field,
    wire,
    description: field.description + note,
    schema: inputSchema(wire),
  }
}

function describeField(name: string, wire: Wire): string {
  const aliases = aliasNamesOf(name)
  const words = stateAliasesOf(name, wire)
  return [
    withWireNames(wire.description ?? ''),
    ...aliases.map((alias) => `Also accepted as \`${alias}\`.`),
    ...words.map(([alias, word]) => `\`${alias}\` means \`${word}\`.`),
  ].join(' ')
}

function inputSchema({ type, items, enum: values, enumName, fields, ...wire }: Wire): Schema {
  if (fields) return bodySchema(Object.entries(fields).map(([field, inner]) => inputField(snakeCase(field), inner)))
  if (values) return enumName ? refTo('schemas', enumName) : { type, enum: values }
  if (items) return { type, items: inputSchema(items) }
  const { format, pattern, minimum, maximum, minLength, maxLength, default: value, example } = wire
  const integerFormat =
    type === 'integer' ? ((maximum ?? Number.POSITIVE_INFINITY) < 2 ** 31 ? 'int32' : 'int64') : undefined
  const keywords = {
    type,
    format: format ?? integerFormat,
    pattern,
    minimum,
    maximum,
    minLength,
    maxLength,
    default: value,
  }
  const present = Object.entries(keywords).filter(([, keyword]) => keyword !== undefined)
  return { ...Object.fromEntries(present), ...(example !== undefined && { examples: [example] }) }
}

/** @param needsOneOf fields of which at least one is required */
export function bodySchema(fields: readonly InputField[], needsOneOf: readonly string[] = []): Schema {
  const required = fields.filter(({ wire }) => wire.required).map(({ name }) => name)
  const properties = fields.map(({ name, description, wire, schema }) => [
    name,
    { ...orNull(schema, wire.nullable ?? false), description },
  ])
  const names = needsOneOf.map((name) => `\`${name}\``)
  return {
    type: 'object',
    // As a sentence. Generators of clients make wrong types of an `anyOf` next to the properties.
    ...(names.length > 0 && { description: `At least one of ${names.join(', ')} is required.` }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  }
}
