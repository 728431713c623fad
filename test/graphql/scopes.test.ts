import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { publicSchema } from '../../src/graphql/schema.ts'
import { createTestApp } from '../support/app.ts'
import { unknownId } from '../support/factories.ts'

// Walks every root field there is, so that a new one that demands no scope, or the wrong one, fails here.

const app = await createTestApp()
const program = await app.createProgram()
const forTheOperator = [
  'apiKeys',
  'createApiKey',
  'createProgram',
  'doctor',
  'programs',
  'revokeApiKey',
  'updateProgram',
]

/** Of one program as a whole: the operator's, and its own key's. */
const forOwners = ['advanceClock']

const samples: Record<string, string> = {
  ID: `"${unknownId}"`,
  String: '"x"',
  Int: '1',
  Float: '1',
  SafeInt: '1',
  Boolean: 'true',
  DateTime: '"2026-01-01T00:00:00.000Z"',
  EmailAddress: '"x@example.com"',
  URL: '"https://acme.test"',
  Currency: '"usd"',
}

/** Some value of a type, in GraphQL's words; of an input object only what is required. */
function sampleOf(type: GraphQLInputType): string {
  if (isNonNullType(type)) return sampleOf(type.ofType as GraphQLInputType)
  if (isListType(type)) return `[${sampleOf(type.ofType as GraphQLInputType)}]`
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type))
    return `{ ${fields.map((field) => `${field.name}: ${sampleOf(field.type)}`).join(', ')} }`
  }
  const sample = samples[type.name]
  if (!sample) throw new Error(`There is no sample of ${type.name}.`)
  return sample
}

function operationOf(kind: string, field: GraphQLField<unknown, unknown>): string {
  const args = field.args.filter((arg) => isNonNullType(arg.type)).map((arg) => `${arg.name}: ${sampleOf(arg.type)}`)
  const selection = isLeafType(field.type) ? '' : ' { __typename }'
  return `${kind} { ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection} }`
}

const roots = [
  ...Object.values(publicSchema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
  ...Object.values(publicSchema.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
].map(([kind, field]) => ({ name: field.name, operation: operationOf(kind, field) }))

const codesOf = (run: Promise<unknown>): Promise<string[]> =>
  run.then(
    () => [],
    (error) => error.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
  )

it('there are root fields to walk, and no subscriptions', () => {
  expect(roots.length).toBeGreaterThan(20)
  expect(publicSchema.getSubscriptionType()).toBeFalsy()
})

describe.each(roots)('$name', ({ name, operation }) => {
  it('401 without a key', async () => {
    const response = await app.app.fetch(
      new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: operation }),
      }),
    )
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      errors: [
        {
          message: 'Invalid API key.',
          extensions: { code: 'UNAUTHENTICATED', retryable: false, requestId: expect.any(String) },
        },
      ],
    })
  })

  it('demands its scope', async () => {
    const withKey = await codesOf(program.graphql(operation))
    const asOperator = await codesOf(app.operator(operation))
    const asOperatorOfProgram = await codesOf(app.operator(operation, {}, { 'X-Program-Id': program.id }))
    const isForOperator = forTheOperator.includes(name)
    expect(withKey.includes('FORBIDDEN')).toBe(isForOperator)
    expect(asOperator.includes('FORBIDDEN')).toBe(!isForOperator && !forOwners.includes(name))
    for (const codes of [withKey, asOperator, asOperatorOfProgram]) {
      expect(['', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_INPUT', 'REFUSED']).toContain(codes.join())
    }
    expect(asOperatorOfProgram).not.toContain('FORBIDDEN')
  })
})
