import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DocumentNode, type ExecutionResult, execute, getIntrospectionQuery, parse } from 'graphql'
import { afterAll, expect, it } from 'vitest'
import type { GraphQLContext } from '../../src/graphql/context.ts'
import { publicSchema } from '../../src/schema/schema.ts'
import { useKeptIntrospection, type YogaState } from '../../src/server/graphql/kept-introspection.ts'
import { createTestApp } from '../support/app.ts'

const test = await createTestApp()
const program = await test.createProgram()
const server = createServer(test.app.handle)
await once(server.listen(0, '127.0.0.1'), 'listening')
afterAll(() => server.close())
const { port } = server.address() as AddressInfo

type Stringified = ExecutionResult & { stringify?: (result: ExecutionResult) => string }

const state = { sent: {}, actor: { kind: 'operator' } } as Pick<YogaState, 'sent'> & Pick<GraphQLContext, 'actor'>

/** What is sent for a result. */
function sent({ stringify }: Stringified, result: ExecutionResult) {
  expect(stringify?.(result)).toBe('')
  return Buffer.from(state.sent.bytes ?? []).toString()
}

/** Executes documents as Yoga does, and counts what reaches GraphQL's executor. */
function createExecutor() {
  const plugin = useKeptIntrospection()
  const count = { executed: 0 }
  const run = async (query: string): Promise<Stringified> => {
    const document: DocumentNode = parse(query)
    let executeFn: (args: object) => unknown = (args) => {
      count.executed += 1
      return execute(args as never)
    }
    plugin.onExecute?.({
      args: { document, contextValue: state },
      executeFn,
      setExecuteFn: (own: typeof executeFn) => {
        executeFn = own
      },
    } as never)
    return (await executeFn({ schema: publicSchema, document })) as Stringified
  }
  return { run, count }
}

it.each([
  ['a whole schema', getIntrospectionQuery()],
  ['a type', '{ __type(name: "Affiliate") { name fields { name } } __typename }'],
])('%s is executed once, however it is spelled', async (_name, query) => {
  const { run, count } = createExecutor()
  const first = await run(query)
  const again = await run(`# again\n${query.replaceAll(/\s+/g, '  ')}`)
  expect(count.executed).toBe(1)
  const extensions = { cost: { requested: 1 } }
  for (const one of [first, again])
    expect(sent(one, { data: one.data, extensions })).toBe(JSON.stringify({ data: first.data, extensions }))
  expect(sent(again, { data: again.data })).toBe(JSON.stringify({ data: first.data }))
})

it.each([
  ['with fields of data', '{ __typename affiliates { totalCount } }'],
  ['with variables', 'query ($name: String = "Affiliate") { __type(name: $name) { name } }'],
  ['that is one of several operations', 'query A { __typename } query B { __typename }'],
  ['of a mutation', 'mutation { __typename }'],
])('one %s is executed each time', async (_name, query) => {
  const { run, count } = createExecutor()
  for (let n = 0; n < 2; n += 1) expect((await run(query)).stringify).toBeUndefined()
  expect(count.executed).toBe(2)
})

it('a kept result is that of every name of the operation', async () => {
  const { run, count } = createExecutor()
  for (const name of ['', 'IntrospectionQuery', 'Another'])
    expect(sent(await run(`query ${name} { __schema { queryType { name } } }`), { data: {} })).toContain('Query')
  expect(count.executed).toBe(1)
})

it.each([
  ['alone', getIntrospectionQuery()],
  ['its names', '{ __schema { types { name } } }'],
  [
    'with a variable',
    'query ($all: Boolean = true) { __schema { types { name fields(includeDeprecated: $all) { name } } } }',
  ],
  ['beside another field', '{ other: __typename __schema { types { name } } }'],
])('other requests run while the types of the schema are read: %s', async (_name, query) => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  const { run } = createExecutor()
  count()
  const { data } = await run(query)
  isOver = true
  const types = Object.keys(publicSchema.getTypeMap())
  expect((data as { __schema: { types: object[] } }).__schema.types).toHaveLength(types.length)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(types.length / 100))
  expect(data).toEqual((await execute({ schema: publicSchema, document: parse(query) })).data)
})

it('the answers are the same over HTTP, and still need a key', async () => {
  const send = async (secret: string) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ query: getIntrospectionQuery() })
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers, body })
    const text = await response.text()
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    return { status: response.status, text }
  }
  const first = await send(program.secret)
  expect(first.status).toBe(200)
  expect(JSON.parse(first.text)).toMatchObject({ data: { __schema: {} }, extensions: { cost: {} } })
  expect(await send(program.secret)).toEqual(first)
  expect((await send('trib_sk_wrong')).status).toBe(401)
})
