import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

// That `npm run check` finds what a wrong connection has wrong: schema.graphql itself is linted there.

const { rulesFor } = await import(new URL('../../eslint.config.mjs', import.meta.url).href)

async function problemsOf(sdl: string): Promise<string[]> {
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: [rulesFor(sdl)] })
  const [result] = await eslint.lintText(sdl, { filePath: 'sample.graphql' })
  return [
    ...new Set(result?.messages.map(({ ruleId, message }) => ruleId?.replace('@graphql-eslint/', '') ?? message)),
  ].sort()
}

const good = `
"""What can be asked."""
type Query {
  """Those who sell."""
  sellers(first: Int, last: Int, after: String, before: String): SellerConnection!
}
"""Sellers, a page of them."""
type SellerConnection { edges: [SellerEdge!]! nodes: [Seller!]! pageInfo: PageInfo! totalCount: Int! }
"""A seller's place in the list."""
type SellerEdge { node: Seller! cursor: String! }
"""What has an id."""
interface Node { id: ID! }
"""Somebody who sells."""
type Seller implements Node { id: ID! createdAt: String! }
"""Where a page stands."""
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
`

it('takes a connection that is as Relay has it', async () => {
  expect(await problemsOf(good)).toEqual([])
})

it.each([
  ['without a way back', 'first: Int, last: Int, after: String, before: String', 'first: Int', 'relay-arguments'],
  ['whose argument is no number', 'first: Int', 'first: String', 'relay-arguments'],
  ['without pageInfo', 'pageInfo: PageInfo! ', '', 'relay-connection-types'],
  ['whose edges are no list', '[SellerEdge!]!', 'SellerEdge!', 'relay-connection-types'],
  ['whose edge has no cursor', ' cursor: String!', '', 'relay-edge-types'],
  ['whose pageInfo does not say whether it goes on', 'hasNextPage: Boolean! ', '', 'relay-page-info'],
  ['of resources without an id', 'implements Node { id: ID! createdAt', '{ createdAt', 'strict-id-in-types'],
  ['of what is no Node', 'implements Node ', '', 'relay-edge-types'],
  ['without a description', '"""Those who sell."""', '', 'require-description'],
  ['that no query leads to', ': SellerConnection!', ': String', 'no-unreachable-types'],
  ['with a type of another case', /SellerEdge/g, 'seller_edge', 'naming-convention'],
])('finds a connection %s', async (_, found, replaced, rule) => {
  expect(await problemsOf(good.replace(found, replaced))).toContain(rule)
})
