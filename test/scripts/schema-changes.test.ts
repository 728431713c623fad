import { describe, expect, it } from 'vitest'
import { hashOf, judgeChanges, readDeclarations } from '../../scripts/schema-changes.ts'

const before =
  'type Query { seller(id: ID!): Seller sellers(first: Int): [Seller!]! } type Seller { id: ID! name: String state: State } enum State { ON }'
const judge = (found: string, replaced: string, declared: Parameters<typeof judgeChanges>[2] = []) =>
  judgeChanges(before, before.replace(found, replaced), declared)

it.each([
  ['a field that is gone', ' name: String', '', 'Seller.name'],
  ['a field of another type', 'name: String', 'name: Int', 'Seller.name'],
  ['a field that may be null now', '[Seller!]!', '[Seller!]', 'Query.sellers'],
  ['an argument that has to be given now', 'first: Int', 'first: Int!', 'Query.sellers'],
  ['an argument that is gone', '(first: Int)', '', 'Query.sellers.first'],
  ['a value that is gone', '{ ON }', '{ OFF }', 'State.ON'],
])('%s is breaking', async (_, found, replaced, path) => {
  const { undeclared } = await judge(found, replaced)
  expect(undeclared).toEqual([expect.stringMatching(new RegExp(`^${path}`))])
})

it('what is new is not, and a new value of an enum is dangerous', async () => {
  const verdict = await judge('{ ON }', '{ ON OFF } type More { id: ID! }')
  expect(verdict).toEqual({ undeclared: [], declared: [], dangerous: [expect.stringContaining('State.OFF')], idle: [] })
})

describe('a breaking change that is declared', () => {
  it.each(['Query.sellers.first', 'Query.sellers', 'Query'])('at %s is let through', async (path) => {
    const verdict = await judge('(first: Int)', '', [{ path, reason: 'They are few.' }])
    expect(verdict).toMatchObject({ undeclared: [], declared: [expect.stringContaining('first')], idle: [] })
  })

  it.each(['Query.seller', 'Query.sellersOfOld', 'Seller'])('at %s is not another one', async (path) => {
    const declared = { path, reason: 'They are few.' }
    expect(await judge('(first: Int)', '', [declared])).toMatchObject({
      undeclared: [expect.any(String)],
      idle: [declared],
    })
  })

  it('as all of them is up to one schema, and not beyond', async () => {
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
  ['of everything, without an end', '{"breaking": [{"path": "*", "reason": "x"}]}', 'schema'],
])('a declaration %s is refused', (_, text, message) => {
  expect(() => readDeclarations(text)).toThrow(message)
})
