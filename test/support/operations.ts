import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'
import { publicSchema } from '../../src/schema/schema.ts'
import { unknownId } from './factories.ts'

// Operations for tests that run every field of the schema. Each is valid GraphQL, and its ids do not exist.

const samples: Record<string, string> = {
  ID: `"${unknownId}"`,
  String: '"x"',
  Int: '1',
  Float: '1',
  SafeInt: '1',
  Boolean: 'true',
  DateTime: '"2026-01-01T00:00:00.000Z"',
  EmailAddress: '"x@example.com"',
  EventType: '"commission.paid"',
  URL: '"https://acme.test"',
  Currency: '"usd"',
  JSONObject: '{}',
  AnalyticsRange: '{ preset: LAST_12_MONTHS }',
}

/** A sample value of a type as a GraphQL literal. An input object has only its required fields, or the first of `@oneOf`. */
function sampleOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleOf(type.ofType as GraphQLInputType)
  if (isListType(type)) return `[${sampleOf(type.ofType as GraphQLInputType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  const sample = samples[type.name]
  if (sample) return sample
  if (isInputObjectType(type)) {
    const all = Object.values(type.getFields())
    const fields = type.isOneOf ? all.slice(0, 1) : all.filter((field) => isNonNullType(field.type))
    return `{ ${fields.map((field) => `${field.name}: ${sampleOf(field.type)}`).join(', ')} }`
  }
  throw new Error(`There is no sample of ${type.name}.`)
}

/** A field with its required arguments: `affiliate(id: "…")`. */
export function callOf(field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter((arg) => isNonNullType(arg.type)).map((arg) => `${arg.name}: ${sampleOf(arg.type)}`)
  return args.length > 0 ? `${field.name}(${args.join(', ')})` : field.name
}

const operationOf = (kind: string, field: GraphQLField<unknown, unknown>) =>
  `${kind} { ${callOf(field)}${isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'} }`

/** The smallest operation for every query and mutation. */
export const rootOperations = (['query', 'mutation'] as const).flatMap((kind) => {
  const type = kind === 'query' ? publicSchema.getQueryType() : publicSchema.getMutationType()
  return Object.values(type?.getFields() ?? {}).map((field) => ({
    kind,
    name: field.name,
    operation: operationOf(kind, field),
  }))
})
