import { parse, validate } from 'graphql'
import { expect, it, vi } from 'vitest'
import { readAllRows, readTotal, replaceRows } from '../../../src/pages/graphiql/result/all-rows.ts'
import { type Connection, findConnection } from '../../../src/pages/graphiql/result/paging.ts'
import type { Operation } from '../../../src/pages/graphiql/send-operation.ts'
import { publicSchema } from '../../../src/schema/schema.ts'

const connectionOf = (query: string, table: string, variables = {}) =>
  findConnection({ query, variables }, table) as Connection
const compact = ({ query }: Operation) => query.replace(/\s+/g, ' ').trim()

it('asks for a page of the connection alone, with only the variables and fragments that it uses', () => {
  const query = `
    query Sold($state: AffiliateState!, $range: AnalyticsRange!, $first: Int) {
      analytics(range: $range) { totals { sales } }
      list: affiliates(first: $first, where: { state: { equals: $state } }) { totalCount nodes { ...Row } }
    }
    fragment Row on Affiliate { email }
    fragment Unused on Sale { id }`
  const variables = { state: 'ACTIVE', range: { preset: 'TODAY' }, first: 10 }
  const found = findConnection({ query: query.replace('fragment Unused on Sale { id }', ''), variables }, 'list')
  expect(found).toMatchObject({ path: ['list'], noun: 'affiliates', size: 10, isLaterPage: false })
  const page = found?.pageQuery(100, 'c1') as Operation
  expect(compact(page)).toBe(
    'query Sold($state: AffiliateState!) { list: affiliates(where: {state: {equals: $state}}, first: 100, after: "c1") { nodes { ...Row } tributaryPage: pageInfo { hasNextPage endCursor } } } fragment Row on Affiliate { email }',
  )
  expect(page.variables).toEqual({ state: 'ACTIVE' })
})

it.each([
  ['{ affiliates { nodes { email } } }', 'affiliates'],
  ['{ affiliates(last: 5, before: "c") { edges { cursor node { email } } } }', 'affiliates'],
  ['query ($id: ID!) { affiliate(id: $id) { email sales(first: 10) { nodes { externalId } } } }', 'affiliate.sales'],
  ['query { ...All } fragment All on Query { sales(first: 1) { nodes { externalId } } }', 'sales'],
])('writes valid operations for %s', (query, table) => {
  const found = connectionOf(query, table, { id: 'a' })
  for (const operation of [found.countQuery, found.pageQuery(100, null), found.pageQuery(100, 'c')])
    expect(validate(publicSchema, parse(operation.query))).toEqual([])
})

it.each([
  ['a list inside of a list', '{ affiliates { nodes { sales { nodes { id } } } } }', 'affiliates.sales'],
  ['a list that is no connection', '{ campaign(id: "a") { name } }', 'campaign'],
  ['a mutation', 'mutation { affiliates { nodes { id } } }', 'affiliates'],
  ['a text that is no query', '{', 'affiliates'],
])('finds no connection for %s', (_, query, table) => {
  expect(findConnection({ query }, table)).toBeNull()
})

const sales = connectionOf('{ sales(first: 2) { nodes { id } } }', 'sales')
const page = (ids: number[], endCursor: string | null) => ({
  data: { sales: { nodes: ids.map((id) => ({ id })), tributaryPage: { hasNextPage: endCursor !== null, endCursor } } },
})
const options = (changes = {}) => ({ signal: new AbortController().signal, onProgress: () => {}, ...changes })

it('reads every page, with progress', async () => {
  const send = vi
    .fn()
    .mockResolvedValueOnce(page([1, 2], 'c2'))
    .mockResolvedValueOnce(page([3], null))
  const onProgress = vi.fn()
  const all = await readAllRows(sales, send, options({ onProgress }))
  expect(all).toEqual({ connection: { nodes: [{ id: 1 }, { id: 2 }, { id: 3 }] }, count: 3, isCut: false })
  expect(onProgress.mock.calls).toEqual([[2], [3]])
  expect(compact(send.mock.calls[1]?.[0])).toContain('after: "c2"')
  expect(replaceRows({ sales: { nodes: [], totalCount: 3 } }, ['sales'], all?.connection ?? {})).toEqual({
    sales: { nodes: [{ id: 1 }, { id: 2 }, { id: 3 }], totalCount: 3 },
  })
})

it('stops at the limit and says that there are more', async () => {
  const send = vi.fn(async () => page([1, 2], 'c'))
  expect(await readAllRows(sales, send, options({ limit: 4 }))).toMatchObject({ count: 4, isCut: true })
  expect(send).toHaveBeenCalledTimes(2)
})

it('reads pages of the size of the query where larger ones cost too much', async () => {
  const tooComplex = { errors: [{ message: 'Too much.', extensions: { code: 'QUERY_TOO_COMPLEX' } }] }
  const send = vi
    .fn()
    .mockResolvedValueOnce(tooComplex)
    .mockResolvedValueOnce(page([1], null))
  expect(await readAllRows(sales, send, options())).toMatchObject({ count: 1 })
  expect(compact(send.mock.calls[1]?.[0])).toContain('sales(first: 2)')
})

it('keeps no rows when a page fails or the user stops', async () => {
  const send = vi
    .fn()
    .mockResolvedValueOnce(page([1], 'c'))
    .mockResolvedValueOnce({ errors: [{ message: 'Gone.' }] })
  await expect(readAllRows(sales, send, options())).rejects.toThrow('Gone.')
  const abort = new AbortController()
  const stopping = options({ signal: abort.signal, onProgress: () => abort.abort() })
  expect(await readAllRows(sales, async () => page([1], 'c'), stopping)).toBeNull()
})

it('reads the total of a list', async () => {
  expect(await readTotal(sales, async () => ({ data: { sales: { tributaryTotal: 189 } } }))).toBe(189)
})
