import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

// The linter's rules, tested with a sample schema. `npm run check` lints schema.graphql itself.

const { rulesFor } = await import(new URL('../../eslint.config.mjs', import.meta.url).href)

async function problemsOf(sdl: string): Promise<string[]> {
  const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: [rulesFor(sdl)] })
  const [result] = await eslint.lintText(sdl, { filePath: 'sample.graphql' })
  return [
    ...new Set(result?.messages.map(({ ruleId, message }) => ruleId?.replace('@graphql-eslint/', '') ?? message)),
  ].sort()
}

const good = `
"""Reads data."""
type Query {
  """Those who sell."""
  sellers(
    """Rows from the start.""" first: Int
    """Rows from the end.""" last: Int
    """Rows after this cursor.""" after: String
    """Rows before this cursor.""" before: String
  ): SellerConnection!
}
"""A page of sellers."""
type SellerConnection {
  """Sellers with cursors.""" edges: [SellerEdge!]!
  """Sellers without cursors.""" nodes: [Seller!]!
  """The page's position.""" pageInfo: PageInfo!
  """Sellers on all pages.""" totalCount: Int!
}
"""A seller's place in the list."""
type SellerEdge { """The seller.""" node: Seller! """The position.""" cursor: String! }
"""A record with an id."""
interface Node { """Unique id.""" id: ID! }
"""Somebody who sells."""
type Seller implements Node { """Unique id.""" id: ID! """Time of creation.""" createdAt: String! """State.""" state: State! }
"""Whether a seller sells."""
enum State { """Sells.""" OPEN }
"""The position of a page."""
type PageInfo {
  """Rows follow.""" hasNextPage: Boolean!
  """Rows precede.""" hasPreviousPage: Boolean!
  """First cursor.""" startCursor: String
  """Last cursor.""" endCursor: String
}
`

it('accepts a connection that follows the Relay specification', async () => {
  expect(await problemsOf(good)).toEqual([])
})

it.each<[string, string | RegExp, string, string]>([
  ['without backward paging', /"""Rows from the end."""[^)]*/, '', 'relay-arguments'],
  ['whose argument is not a number', 'first: Int', 'first: String', 'relay-arguments'],
  ['without pageInfo', '"""The page\'s position.""" pageInfo: PageInfo!', '', 'relay-connection-types'],
  ['whose edges are not a list', '[SellerEdge!]!', 'SellerEdge!', 'relay-connection-types'],
  ['whose edge has no cursor', '"""The position.""" cursor: String!', '', 'relay-edge-types'],
  ['whose pageInfo has no hasNextPage', '"""Rows follow.""" hasNextPage: Boolean!', '', 'relay-page-info'],
  ['of resources without an id', 'implements Node { """Unique id.""" id: ID!', '{', 'strict-id-in-types'],
  ['without a description', '"""Those who sell."""', '', 'require-description'],
  ['whose argument has no description', '"""Rows from the start."""', '', 'require-description'],
  ['whose edge field has no description', '"""The seller."""', '', 'require-description'],
  ['of a type with an undescribed enum value', '"""Sells."""', '', 'require-description'],
  ['with a type that is not in PascalCase', /SellerEdge/g, 'seller_edge', 'naming-convention'],
])('reports a connection %s', async (_, found, replaced, rule) => {
  expect(await problemsOf(good.replace(found, replaced))).toContain(rule)
})
