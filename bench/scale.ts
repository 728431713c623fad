import { createPostgresBenchDatabase } from './database.ts'
import { createFilledProgram, type FilledProgram } from './filled.ts'
import type { Request } from './load.ts'
import { medianMs } from './measure.ts'
import { headersOf } from './peers.ts'
import { ask } from './same-answers.ts'
import { type Server, servers } from './servers.ts'

export const summary = 'Pages, counts and a full sync of many rows against ten thousand. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 1_000_000

const few = 10_000
/** A sync reads every page. Here it reads this many, evenly spaced from the first to the last. */
const sampledPages = 100
const pageSize = 100

type Page = { pagination: { total_count: number; total_pages: number } }

const get = (path: string): Request => ({ method: 'GET', path })
const graphql = (query: string): Request => ({ method: 'POST', path: '/graphql', body: JSON.stringify({ query }) })

const nodes = 'nodes { id amountCents currency state dueAt paidAt }'
const queries: { name: string; goal: number; request: (pages: number) => Request }[] = [
  { name: 'commissions, first page', goal: 1.2, request: () => get('/v1/commissions?limit=25') },
  { name: 'commissions, last page', goal: 2, request: (pages) => get(`/v1/commissions?limit=25&page=${pages}`) },
  { name: 'commissions, state=due', goal: 1.2, request: () => get('/v1/commissions?state=due&limit=25') },
  {
    name: 'referrals, conversions',
    goal: 1.2,
    request: () => get('/v1/referrals?conversion_state=conversion&limit=25'),
  },
  {
    name: 'sales by GraphQL, totalCount',
    goal: 1.2,
    request: () => graphql('{ sales(first: 25) { totalCount nodes { id } } }'),
  },
  {
    name: 'commissions by GraphQL, totalCount',
    goal: 1.2,
    request: () => graphql(`{ commissions(first: 25) { totalCount ${nodes} } }`),
  },
  {
    name: 'due commissions by GraphQL, totalCount',
    goal: 1.2,
    request: () => graphql(`{ commissions(first: 25, where: { state: { equals: DUE } }) { totalCount ${nodes} } }`),
  },
]

export async function run(many: number): Promise<void> {
  const { db, databaseUrl, close, drop } = await createPostgresBenchDatabase()
  let server: Server | undefined
  try {
    const startedAt = performance.now()
    const small = await createFilledProgram({ db, databaseUrl }, { sales: few, affiliates: 1_000 })
    const large = await createFilledProgram({ db, databaseUrl }, { sales: many, affiliates: 1_000 })
    await close()
    console.log(`filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    server = await servers.Tributary(databaseUrl)
    const rows = []
    for (const { name, goal, request } of queries) {
      const smallMs = await measure(server, small, request)
      const largeMs = await measure(server, large, request)
      rows.push(rowOf(name, smallMs, largeMs, goal))
    }
    rows.push(
      rowOf(`sync of commissions, a page of ${pageSize}`, await sync(server, small), await sync(server, large), 1.5),
    )
    console.table(rows)
  } finally {
    await server?.stop()
    await drop()
  }
}

const rowOf = (what: string, smallMs: number, largeMs: number, goal: number) => ({
  what,
  [`${few}, ms`]: Number(smallMs.toPrecision(3)),
  'many, ms': Number(largeMs.toPrecision(3)),
  ratio: Number((largeMs / smallMs).toPrecision(3)),
  goal,
})

/** The first runs warm up and are not counted. */
async function measure(server: Server, { secret, sales }: FilledProgram, request: (pages: number) => Request) {
  const send = () => ask(server, request(Math.ceil(sales / 25)), headersOf(secret))
  await medianMs(5, send)
  return medianMs(15, send)
}

/** Milliseconds for a page, on average over all pages. */
async function sync(server: Server, { secret }: FilledProgram): Promise<number> {
  const read = (page: number) =>
    ask(server, get(`/v1/commissions?limit=${pageSize}&page=${page}`), headersOf(secret)) as Promise<Page>
  const { pagination } = await read(1)
  const pages = Math.min(sampledPages, pagination.total_pages)
  const startedAt = performance.now()
  for (let n = 0; n < pages; n += 1) await read(1 + Math.floor((n * pagination.total_pages) / pages))
  return (performance.now() - startedAt) / pages
}
