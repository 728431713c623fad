import { describe, expect, it } from 'vitest'
import { hashOf, judgeChanges, readDeclarations } from '../../scripts/schema-changes.ts'

const before =
  'type Query { seller(id: ID!): Seller sellers(first: Int): [Seller!]! } type Seller { id: ID! name: String state: State } enum State { ON }'
const judge = (found: string, replaced: string, declared: Parameters<typeof judgeChanges>[2] = []) =>
  judgeChanges(before, before.replace(found, replaced), declared)

it.each([
  ['removing a field', ' name: String', '', 'Seller.name'],
  ['changing the type of a field', 'name: String', 'name: Int', 'Seller.name'],
  ['making a field nullable', '[Seller!]!', '[Seller!]', 'Query.sellers'],
  ['making an argument required', 'first: Int', 'first: Int!', 'Query.sellers'],
  ['removing an argument', '(first: Int)', '', 'Query.sellers.first'],
  ['removing an enum value', '{ ON }', '{ OFF }', 'State.ON'],
])('%s is breaking', async (_, found, replaced, path) => {
  const { undeclared } = await judge(found, replaced)
  expect(undeclared).toEqual([expect.stringMatching(new RegExp(`^${path}`))])
})

it('adding a type is not breaking, and adding an enum value is dangerous', async () => {
  const verdict = await judge('{ ON }', '{ ON OFF } type More { id: ID! }')
  expect(verdict).toEqual({ undeclared: [], declared: [], dangerous: [expect.stringContaining('State.OFF')], idle: [] })
})

describe('a declaration of a breaking change', () => {
  it.each(['Query.sellers.first', 'Query.sellers', 'Query'])('of %s allows the change', async (path) => {
    const verdict = await judge('(first: Int)', '', [{ path, reason: 'They are few.' }])
    expect(verdict).toMatchObject({ undeclared: [], declared: [expect.stringContaining('first')], idle: [] })
  })

  it.each(['Query.seller', 'Query.sellersOfOld', 'Seller'])('of %s does not allow another change', async (path) => {
    const declared = { path, reason: 'They are few.' }
    expect(await judge('(first: Int)', '', [declared])).toMatchObject({
      undeclared: [expect.any(String)],
      idle: [declared],
    })
  })

  it('of all changes is valid for one version of the schema', async () => {
    const after = before.replace(' name: String', '')
    const all = [{ path: '*', reason: 'A new major version.', schema: hashOf(after) }]
    expect(await judgeChanges(before, after, all)).toMatchObject({ undeclared: [], declared: [expect.any(String)] })
    const later = after.replace('(first: Int)', '')
    expect(await judgeChanges(after, later, all)).toMatchObject({
      undeclared: [expect.any(String)],
      declared: [],
      idle: all,
    })
  })
})

it.each([
  ['without a reason', '{"breaking": [{"path": "Query.a"}]}', 'reason'],
  ['of all changes without a schema', '{"breaking": [{"path": "*", "reason": "x"}]}', 'schema'],
])('a declaration %s is rejected', (_, text, message) => {
  expect(() => readDeclarations(text)).toThrow(message)
})
