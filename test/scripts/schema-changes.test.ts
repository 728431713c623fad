import { describe, expect, it } from 'vitest'
import { hashOf, judgeChanges, readDeclarations } from '../../scripts/schema-changes.ts'

const before =
  'type Query { seller(id: ID!): Seller sellers(first: Int): [Seller!]! } type Seller { id: ID! name: String state: State } enum State { ON }'
const judge = (found: string, replaced: string, declared: Parameters<typeof judgeChanges>[2] = []) =>
  judgeChanges(before, before.replace(found, replaced), declared)

it.each([
  ['a removed field', ' name: String', '', 'Seller.name'],
  ['a field of another type', 'name: String', 'name: Int', 'Seller.name'],
  ['a field that becomes nullable', '[Seller!]!', '[Seller!]', 'Query.sellers'],
  ['an argument that becomes required', 'first: Int', 'first: Int!', 'Query.sellers'],
  ['a removed argument', '(first: Int)', '', 'Query.sellers.first'],
  ['a removed enum value', '{ ON }', '{ OFF }', 'State.ON'],
])('%s is breaking', async (_, found, replaced, path) => {
  const { undeclared } = await judge(found, replaced)
  expect(undeclared).toEqual([expect.stringMatching(new RegExp(`^${path}`))])
})

it('additions are not breaking, and a new enum value is dangerous', async () => {
  const verdict = await judge('{ ON }', '{ ON OFF } type More { id: ID! }')
  expect(verdict).toEqual({
    undeclared: [],
    declared: [],
    dangerous: [expect.stringContaining('State.OFF')],
    unused: [],
  })
})

describe('a declaration of a breaking change', () => {
  it.each(['Query.sellers.first', 'Query.sellers', 'Query'])('at %s accepts the change', async (path) => {
    const verdict = await judge('(first: Int)', '', [{ path, reason: 'They are few.' }])
    expect(verdict).toMatchObject({ undeclared: [], declared: [expect.stringContaining('first')], unused: [] })
  })

  it.each(['Query.seller', 'Query.sellersOfOld', 'Seller'])(
    'at %s does not accept a change of another path',
    async (path) => {
      const declared = { path, reason: 'They are few.' }
      expect(await judge('(first: Int)', '', [declared])).toMatchObject({
        undeclared: [expect.any(String)],
        unused: [declared],
      })
    },
  )

  it('at * accepts all changes that lead to one schema, and no later ones', async () => {
    const after = before.replace(' name: String', '')
    const all = [{ path: '*', reason: 'A new major version.', schema: hashOf(after) }]
    expect(await judgeChanges(before, after, all)).toMatchObject({ undeclared: [], declared: [expect.any(String)] })
    const later = after.replace('(first: Int)', '')
    expect(await judgeChanges(after, later, all)).toMatchObject({
      undeclared: [expect.any(String)],
      declared: [],
      unused: all,
    })
  })
})

it.each([
  ['without a reason', '{"breaking": [{"path": "Query.a"}]}', 'reason'],
  ['of all changes without a schema', '{"breaking": [{"path": "*", "reason": "x"}]}', 'schema'],
])('rejects a declaration %s', (_, text, message) => {
  expect(() => readDeclarations(text)).toThrow(message)
})
