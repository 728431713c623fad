import { type GraphQLOutputType, getNamedType, isListType, isNonNullType, isObjectType } from 'graphql'
import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import type { FieldSource } from '../../resources/superset.ts'
import { schemas } from '../schema.ts'

const scalarExamples: Readonly<Record<string, unknown>> = {
  ID: '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47',
  String: 'api',
  Boolean: false,
  Int: 1,
  SafeInt: 0,
  DateTime: '2026-01-31T12:00:00.000Z',
  EmailAddress: 'grace@example.com',
  EventType: 'commission.paid',
  Currency: 'usd',
}

/** An example of a type with all fields: from `given`, constants and `exampleOf`, else null or a typed value. */
export function completeExample(
  profile: ApiKeyProfile,
  typeName: string,
  given: object,
  operation: string,
  exampleOf: (typeName: string) => object,
): object {
  const type = schemas[profile].getType(typeName)
  if (!isObjectType(type)) throw new Error(`REST has no type ${typeName}.`)
  const example = { ...exampleOf(typeName), ...given } as Record<string, unknown>
  const complete = (fieldType: GraphQLOutputType, value: unknown): unknown => {
    const named = getNamedType(fieldType)
    if (Array.isArray(value)) return value.map((item) => complete(named, item))
    if (isObjectType(named) && value) return completeExample(profile, named.name, value, operation, exampleOf)
    if (value !== undefined) return value
    if (!isNonNullType(fieldType)) return null
    if (isListType(fieldType.ofType)) return []
    return isObjectType(named)
      ? completeExample(profile, named.name, {}, operation, exampleOf)
      : scalarExamples[named.name]
  }
  const fields = Object.values(type.getFields()).flatMap(({ name, type: fieldType, extensions }) => {
    const { onExpand, onlyIn } = (extensions.hidden ?? {}) as Pick<FieldSource, 'onExpand' | 'onlyIn'>
    const value = example[name] ?? example[extensions.sameAs as string] ?? extensions.constant
    if (onExpand || (onlyIn && onlyIn !== operation)) return []
    return [[name, complete(fieldType, value)]]
  })
  return Object.fromEntries(fields)
}
