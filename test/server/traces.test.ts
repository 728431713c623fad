import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { summaryOf } from '../../src/server/traces/statement.ts'
import { createTracing } from '../../src/server/traces/tracing.ts'
import { createTestApp, graphqlClient, restClient } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'
import { createReceiver } from '../support/receiver.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}
const [server, internal, client] = [2, 1, 3]

const collector = await createReceiver()
vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${collector.port}`)
vi.stubEnv('OTEL_SERVICE_NAME', 'tributary-of-the-test')
const failures: string[] = []
const tracing = createTracing((reason) => void failures.push(reason))
const lines: string[] = []
const log = createLog('info', { destination: { write: (line) => void lines.push(line) }, traceId: tracing.traceId })
const database = await createTestDatabase({ spans: tracing.spans })
const { app, createProgram } = await createTestApp({ database, tracing, log })

/** The same service over a socket, whose requests come after the key's first use. */
const http = createServer(app.handle)
http.listen(0, '127.0.0.1')
await once(http, 'listening')
const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
const fetchThere = async (request: Request) => {
  const { pathname, search } = new URL(request.url)
  const body = request.method === 'GET' ? undefined : await request.text()
  return fetch(address + pathname + search, { method: request.method, headers: request.headers, body })
}

const program = await createProgram()
const authorization = { Authorization: `Bearer ${program.secret}` }
const email = 'grace.hopper@example.com'
const parentId = '00f067aa0ba902b7'
let last = 0
/** A trace of the client, for each request another. */
const newTrace = (flag = '01') => {
  last += 1
  const id = `4bf92f3577b34da6a3ce929d0e0e${last.toString(16).padStart(4, '0')}`
  return { id, headers: { ...authorization, traceparent: `00-${id}-${parentId}-${flag}` } }
}

const traces = {
  write: newTrace(),
  read: newTrace(),
  directRead: newTrace(),
  directWrite: newTrace(),
  query: newTrace(),
  directQuery: newTrace(),
  rejected: newTrace(),
  unsampled: newTrace('00'),
}
const query = `query Affiliates { affiliates(first: 2) { nodes { id email } } }`
const answers: Record<string, { status: number; headers: Headers; body: any }> = {}
let ownTrace = ''
let spans: Span[] = []
let resources = ''

beforeAll(async () => {
  const { coupon } = await createSeller(program, {})
  const affiliate = { email, first_name: 'Grace', last_name: 'Hopper' }
  answers.write = await restClient(app.fetch, traces.write.headers).post('/affiliates', affiliate)
  answers.read = await restClient(app.fetch, traces.read.headers).get(`/affiliates?email=${email}`)
  answers.directRead = await restClient(fetchThere, traces.directRead.headers).get('/affiliates?limit=1')
  const sale = { coupon, amount_cents: 123_456, email: 'customer.of.grace@example.com', external_id: 'sale-of-grace' }
  answers.directWrite = await restClient(fetchThere, traces.directWrite.headers).post('/conversions', sale)
  await graphqlClient(fetchThere, traces.query.headers)(query)
  await graphqlClient(fetchThere, traces.directQuery.headers)(query)
  answers.unsampled = await restClient(app.fetch, traces.unsampled.headers).get('/affiliates')
  answers.rejected = await post(traces.rejected.headers, '{ affiliates(first: 1) { nodes { unknownField } } }')
  const own = await fetch(`${address}/healthz`)
  ownTrace = own.headers.get('x-trace-id') ?? ''
  // A span ends when its response is sent.
  await new Promise((resolve) => http.close(resolve))
  await tracing.stop()
  const sent = collector.events().flatMap(({ resourceSpans }) => resourceSpans)
  spans = sent.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans)
  resources = JSON.stringify(sent.map(({ resource }) => resource))
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await collector.close()
})

async function post(headers: Record<string, string>, text: string) {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const attribute = (span: Span | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

/** The three levels of a trace. */
function levelsOf({ id }: { id: string }) {
  const own = spans.filter(({ traceId }) => traceId === id)
  const requests = own.filter(({ kind }) => kind === server)
  const operations = own.filter(({ kind }) => kind === internal)
  const statements = own.filter(({ kind }) => kind === client)
  return { requests, operations, statements, all: own }
}

describe('one request is one trace: request, operation, statements', () => {
  it.each([
    ['a REST write', 'write', 'POST /v1', 'Mutation.createAffiliate', 201],
    ['a REST read', 'read', 'GET /v1', 'Query.affiliates', 200],
    ['a REST read over a socket', 'directRead', 'GET /v1', 'Query.affiliates', 200],
    ['a sale that is reported over a socket', 'directWrite', 'POST /v1', 'Mutation.reportConversion', 201],
    ['a GraphQL query', 'query', 'POST /graphql', 'query', 200],
    ['a GraphQL query of a known key', 'directQuery', 'POST /graphql', 'query', 200],
  ] as const)('%s', (_label, name, request, operation, status) => {
    const { requests, operations, statements, all } = levelsOf(traces[name])
    expect(requests.map((span) => span.name)).toEqual([request])
    expect(requests[0]?.parentSpanId).toBe(parentId)
    expect(attribute(requests[0], 'http.response.status_code')).toBe(status)
    expect(operations.map((span) => span.name)).toEqual([operation])
    expect(operations[0]?.parentSpanId).toBe(requests[0]?.spanId)
    const ofOperation = new Set([operations[0]?.spanId, ...statements.map(({ spanId }) => spanId)])
    const within = statements.filter(({ parentSpanId = '' }) => ofOperation.has(parentSpanId))
    expect(within.length).toBeGreaterThan(0)
    const ids = new Set(all.map(({ spanId }) => spanId))
    for (const span of all) expect(ids.has(span.parentSpanId as string) || span === requests[0]).toBe(true)
    for (const span of statements) expect(attribute(span, 'db.query.text')).toBeTruthy()
  })
})

it('names the operation of GraphQL and the statements of a write', () => {
  expect(attribute(levelsOf(traces.directQuery).operations[0], 'graphql.operation.name')).toBe('Affiliates')
  const names = levelsOf(traces.directWrite).statements.map(({ name }) => name)
  expect(names).toContain('TRANSACTION')
  expect(names.join()).toMatch(/INSERT|WITH/)
})

it('a request without traceparent has a trace of its own', () => {
  expect(ownTrace).toMatch(/^[0-9a-f]{32}$/)
  expect(levelsOf({ id: ownTrace }).requests).toMatchObject([{ name: 'GET /healthz' }])
})

it('a client can ask not to be traced: the response still names its trace', () => {
  expect(answers.unsampled).toMatchObject({ status: 200 })
  expect(answers.unsampled?.headers.get('x-trace-id')).toBe(traces.unsampled.id)
  expect(spans.filter(({ traceId }) => traceId === traces.unsampled.id)).toEqual([])
})

it('the trace is in the log, in X-Trace-Id, and in the errors of GraphQL', () => {
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  for (const { id } of Object.values(traces)) expect(logged.filter(({ traceId }) => traceId === id)).toHaveLength(1)
  for (const name of ['write', 'read', 'directRead', 'directWrite', 'rejected'] as const)
    expect(answers[name]?.headers.get('x-trace-id')).toBe(traces[name].id)
  expect(answers.rejected?.body.errors[0].extensions).toMatchObject({
    code: 'GRAPHQL_VALIDATION_FAILED',
    traceId: traces.rejected.id,
  })
})

it('spans contain no values and no secrets', () => {
  const sent = collector.received.map(({ body }) => body).join('\n')
  expect(sent).toContain('affiliates')
  for (const value of [email, 'Grace', 'Hopper', '123456', 'sale-of-grace', program.secret, program.id])
    expect(sent).not.toContain(value)
  expect(resources).toContain('tributary-of-the-test')
  expect(failures).toEqual([])
})

it('OpenTelemetry is loaded on demand only', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const imports = files.flatMap((file) =>
    [
      ...readFileSync(`src/${file}`, 'utf8').matchAll(
        /^import (?!type ).*'(@opentelemetry\/|.*traces\/tracing\.ts).*$/gm,
      ),
    ].map(() => file),
  )
  expect(new Set(imports)).toEqual(new Set(['server/traces/tracing.ts']))
})

it.each([
  ['SELECT "public"."programs"."id" FROM "public"."programs" WHERE 1=1', 'SELECT programs'],
  ['with written_sales as (insert into sales select * from x) select 1', 'WITH sales'],
  ['select set_config($1, $2, true)', 'SELECT'],
  ['update "affiliates" set x = $1', 'UPDATE affiliates'],
])('%s is named %s', (text, name) => expect(summaryOf(text)).toBe(name))
