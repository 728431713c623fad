import {
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import { z } from 'zod'
import { addressFieldNames } from '../../../modules/payout-methods/addresses.ts'
import { publicSchema } from '../../../schema/schema.ts'
import type { Data } from '../marks.ts'
import { type List, pages, rowPage } from '../pages.ts'
import { type Call, defineTool, fitted, next, rows, ToolError } from '../tool.ts'

const names = Object.keys(pages) as [List, ...List[]]

/** Long, read by a statement of their own, or where somebody is paid: `query` has them. */
const leftOut: ReadonlySet<string> = new Set([
  ...['raw', 'data', 'html', 'text', 'importedId', 'isViewOnly', 'invitationUrl', 'nextTryAt'],
  ...['json', 'pdf', 'previousHash'],
  ...[...addressFieldNames, 'postalAddress'],
])

/** The fields of a row that are values. Amounts have one form. */
function valuesOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields())
  const values = fields.filter(({ name, type: of, args }) => {
    const named = getNamedType(of)
    return (
      (isScalarType(named) || isEnumType(named)) && !leftOut.has(name) && !args.some((arg) => isNonNullType(arg.type))
    )
  })
  const owner = fields.some(({ name }) => name === 'affiliate') ? ['affiliate { id email }'] : []
  return [...values.map(({ name }) => name), ...owner].join(' ')
}

/** What a list is of, as its types are called. */
function nounOf(list: List): string {
  const field = publicSchema.getQueryType()?.getFields()[list]
  const connection = getNamedType(field?.type as never) as unknown as GraphQLObjectType
  return connection.name.replace(/Connection$/, '')
}

/** What `where` and `orderBy` of a list can name. Many clients cannot read the resource with the schema. */
function namesIn(list: List): string {
  const where = publicSchema.getType(`${nounOf(list)}Where`)
  const order = publicSchema.getType(`${nounOf(list)}OrderField`)
  const fields = isInputObjectType(where) ? Object.keys(where.getFields()) : []
  const orders = isEnumType(order) ? order.getValues().map(({ name }) => name) : []
  return `Fields of \`where\`: ${fields.join(', ')}. Fields of \`orderBy\`: ${orders.join(', ')}.`
}

const queries = new Map<List, string>()

function queryOf(list: List): string {
  const known = queries.get(list)
  if (known) return known
  const noun = nounOf(list)
  const node = publicSchema.getType(noun) as GraphQLObjectType
  const made = `query List($first: Int, $after: String, $where: ${noun}Where, $orderBy: [${noun}Order!]) {
    ${list}(first: $first, after: $after, where: $where, orderBy: $orderBy) {
      totalCount pageInfo { hasNextPage } edges { cursor node { ${valuesOf(node)} } }
    }
  }`
  queries.set(list, made)
  return made
}

type Edge = { cursor: string; node: Data }

/** Most rows have many fields without a value, which would fill the budget. */
const withoutNulls = (row: Data): Data => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

function linked(call: Call, name: List, row: Data): Data {
  const path = rowPage(name, row)
  return path === null ? row : { ...row, page: call.page(path) }
}

export const list = defineTool({
  name: 'list',
  title: 'List records',
  description:
    'Lists records, newest first, with the filters and orders of GraphQL. Read the resource `tributary://schema/<list> where` for the fields of a filter. The answer ends when its budget is full, with a cursor for the rest.',
  audience: 'program',
  input: z.object({
    list: z.enum(names).describe('Which list.'),
    where: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Conditions, such as `{"state": {"equals": "DUE"}, "amountCents": {"gte": 1000}}`.'),
    orderBy: z
      .array(z.strictObject({ field: z.string(), direction: z.enum(['ASC', 'DESC']) }))
      .max(3)
      .optional()
      .describe('Such as `[{"field": "CREATED_AT", "direction": "ASC"}]`.'),
    first: z.number().int().min(1).max(100).default(20).describe('At most so many rows.'),
    after: z.string().max(1_000).optional().describe('The cursor of the previous answer.'),
  }),
  output: {
    totalCount: z.number().describe('How many match in all.'),
    rows: rows('The records. Fields that are null are left out. `page` is where the dashboard shows the record.'),
    next,
    url: z.string(),
  },
  async run(call, { list: name, ...args }) {
    const { [name]: page } = await call.ask(queryOf(name), args).catch((error: unknown) => {
      if (!(error instanceof ToolError) || error.code !== 'BAD_REQUEST') throw error
      throw new ToolError(`${error.message} ${namesIn(name)}`, error.code)
    })
    const edges = page.edges.map(({ cursor, node }: Edge) => ({ cursor, node: linked(call, name, withoutNulls(node)) }))
    const { items, next: rest } = fitted(call, edges, page.pageInfo.hasNextPage)
    return { totalCount: page.totalCount, rows: items, next: rest, url: call.page(pages[name].list) }
  },
})
