import fc from 'fast-check'
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { publicSchema } from '../../src/schema/schema.ts'
import { anything, numbers, type Samples, texts, unstored } from './values.ts'

type Request = { query: string; variables: Record<string, unknown> }

/** A value that a type allows, or nearly. Conditions are at most two levels deep. */
function sampleOf(type: GraphQLInputType, samples: Samples, depth = 3): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return sampleOf(type.ofType, samples, depth)
  if (isListType(type)) return fc.array(sampleOf(type.ofType, samples, depth), { maxLength: 2 })
  const allowed = allowedOf(type, samples, depth)
  return fc.oneof({ weight: 24, arbitrary: allowed }, { weight: 1, arbitrary: anything(samples) })
}

function allowedOf(type: GraphQLInputType, samples: Samples, depth: number): fc.Arbitrary<unknown> {
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(({ type: inner }) => depth > 0 || isNonNullType(inner))
    const required = fields.filter(({ type: inner }) => isNonNullType(inner)).map(({ name }) => name)
    const optional = fields.map(({ name }) => name).filter((name) => !required.includes(name))
    const chosen = fc.subarray(optional, { maxLength: Math.min(3, optional.length) })
    return chosen.chain((names) => {
      const used = fields.filter(({ name }) => required.includes(name) || names.includes(name))
      return fc.record(Object.fromEntries(used.map((field) => [field.name, sampleOf(field.type, samples, depth - 1)])))
    })
  }
  const { name } = getNamedType(type)
  if (['Int', 'Float', 'SafeInt'].includes(name)) return numbers.filter(Number.isFinite)
  if (name === 'Boolean') return fc.boolean()
  if (name === 'DateTime')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      texts(samples),
    )
  if (name === 'Currency') return fc.constantFrom('usd', 'eur', 'jpy', 'xxx', '')
  return texts(samples)
}

/** All values of the answer's type, and of the objects below it. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) return '{ __typename }'
  const parts = Object.values(named.getFields()).flatMap((field): string[] => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return []
    if (isLeafType(getNamedType(field.type))) return [field.name]
    return depth > 0 && field.name !== 'edges' ? [`${field.name} ${selectionOf(field.type, depth - 1)}`] : []
  })
  return `{ __typename ${parts.join(' ')} }`
}

function requestOf(kind: string, field: GraphQLField<unknown, unknown>, samples: Samples): fc.Arbitrary<Request> {
  const required = field.args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)
  const sent = kind === 'query' ? unstored(samples) : samples
  const values = Object.fromEntries(field.args.map((arg) => [arg.name, sampleOf(arg.type, sent)]))
  const selection = selectionOf(field.type, 2)
  return (fc.record(values, { requiredKeys: required }) as fc.Arbitrary<Record<string, unknown>>).map((variables) => {
    const used = field.args.filter(({ name }) => name in variables)
    const declared = used.map(({ name, type }) => `$${name}: ${type}`).join(', ')
    const passed = used.map(({ name }) => `${name}: $${name}`).join(', ')
    const query = `${kind} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`
    return { query, variables }
  })
}

/** A request of any query or mutation. */
export const graphqlRequests = (samples: Samples): fc.Arbitrary<Request> =>
  fc.oneof(
    ...(['Query', 'Mutation'] as const).flatMap((root) =>
      Object.values((publicSchema.getType(root) as GraphQLObjectType).getFields()).map((field) =>
        requestOf(root.toLowerCase(), field, samples),
      ),
    ),
  )
