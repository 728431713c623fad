import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createAffiliate, createCoupon, recordVisit, reportSale } from '../support/factories.ts'

// Normalized caches keep one object for each id. The packages are those of this folder: see run.ts.

const load = createRequire(import.meta.url)
const test = await createTestApp()
const program = await test.createProgram()

for (const [name, sales, visits] of [
  ['ada', 1, 5],
  ['bob', 3, 1],
  ['cy', 2, 3],
] as const) {
  const { id } = await createAffiliate(program, { email: `${name}@example.com`, token: name })
  await createCoupon(program, id, name.toUpperCase())
  for (let n = 0; n < visits; n += 1) await recordVisit(program, name)
  for (let n = 0; n < sales; n += 1)
    await reportSale(program, { coupon: name.toUpperCase(), email: `${name}${n}@example.com` })
}
await test.app.flush()

/** The same affiliates in two orders with other values, and in funnels. */
const document = `query caches_Query {
  analytics(range: { preset: LAST_30_DAYS }) {
    bySales: top(by: SALES, dimension: AFFILIATE) { rank label value subjectId affiliate { id email } }
    byVisitors: top(by: VISITORS, dimension: AFFILIATE) { rank label value subjectId affiliate { id email } }
    funnel(by: AFFILIATE) { label subjectId visitors conversions }
  }
}`

const send = async (query: string) => {
  const headers = { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ query })
  return (await test.app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))).json()
}

type Cache = { fetch(): Promise<unknown>; read(): Promise<unknown> }

function apollo(): Cache {
  const { ApolloClient, ApolloLink, InMemoryCache, Observable, gql } = load('@apollo/client')
  const link = new ApolloLink(
    ({ query }: any) =>
      new Observable((observer: any) => {
        send(load('graphql').print(query)).then((result) => {
          observer.next(result)
          observer.complete()
        })
      }),
  )
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  return {
    fetch: async () => (await client.query({ query: gql(document) })).data,
    read: async () => client.readQuery({ query: gql(document) }),
  }
}

function graphcache(): Cache {
  const { Client, fetchExchange } = load('@urql/core')
  const { cacheExchange } = load('@urql/exchange-graphcache')
  // The map in docs/graphql.md, with which nothing is warned about.
  const [, valueTypes = ''] = /valueTypes = `([^`]*)`/.exec(readFileSync('docs/graphql.md', 'utf8')) ?? []
  const keys = Object.fromEntries(
    valueTypes
      .trim()
      .split(/\s+/)
      .map((name) => [name, () => null]),
  )
  const logger = (level: string, message: string) => level !== 'debug' && expect.unreachable(message)
  const client = new Client({
    url: 'http://localhost/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys, logger }), fetchExchange],
    fetch: (url: string, init: RequestInit) => {
      const headers = { ...init.headers, Authorization: `Bearer ${program.secret}` }
      return test.app.fetch(new Request(url, { ...init, headers }))
    },
  })
  return {
    fetch: async () => (await client.query(document, {}).toPromise()).data,
    read: async () => (await client.query(document, {}, { requestPolicy: 'cache-only' }).toPromise()).data,
  }
}

function relay(): Cache {
  const folder = `${import.meta.dirname}/out/relay`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(`${folder}/generated`, { recursive: true })
  writeFileSync(`${folder}/caches.js`, `const query = graphql\`${document}\``)
  const config = {
    src: '.',
    schema: '../../../../schema.graphql',
    language: 'javascript',
    artifactDirectory: './generated',
  }
  writeFileSync(`${folder}/relay.config.json`, JSON.stringify(config))
  execFileSync(load('relay-compiler'), ['relay.config.json'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery, getRequest } =
    load('relay-runtime')
  const environment = new Environment({
    network: Network.create(({ text }: any) => send(text)),
    store: new Store(new RecordSource()),
  })
  const { default: query } = load(`${folder}/generated/caches_Query.graphql.js`)
  return {
    fetch: () => fetchQuery(environment, query, {}).toPromise(),
    read: async () => environment.lookup(createOperationDescriptor(getRequest(query), {}).fragment).data,
  }
}

it.each(Object.entries({ apollo, graphcache, relay }))(
  'the cache of %s gives what the server answered: it merges no two rows of rankings',
  async (_name, create) => {
    const cache = create()
    const { data } = await send(document)
    expect(data.analytics.bySales).not.toEqual(data.analytics.byVisitors)
    expect(await cache.fetch()).toMatchObject(data)
    expect(await cache.read()).toMatchObject(data)
  },
)
