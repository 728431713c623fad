import { describe, expect, it } from 'vitest'
import { createAppDb } from '../../src/database/app-db.ts'
import { adminToken, createInstance, createTestApp, graphqlClient } from '../support/app.ts'
import { silentLog } from '../support/database.ts'
import { createSeller, listed, reportSale, unknownId } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const failure = (query: string, variables = {}) => program.graphql(query, variables).catch((error) => error.errors[0])
const send = (path: string, init: RequestInit = {}) =>
  app.app.fetch(
    new Request(`http://localhost:4000/graphql${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${program.secret}`, ...(init.headers as object) },
    }),
  )
const requestId = expect.stringMatching(/\S/)
const json = { 'Content-Type': 'application/json' }

describe('a request that is refused before it is executed', () => {
  const responseType = 'application/graphql-response+json'
  const query = { method: 'POST', body: '{"query":"{ __typename }"}' }
  const refusals = {
    UNAUTHENTICATED: { ...query, headers: { ...json, Authorization: 'Bearer trib_at_ended' } },
    UNSUPPORTED_MEDIA_TYPE: { ...query, headers: { 'Content-Type': 'text/plain' } },
    PAYLOAD_TOO_LARGE: { ...query, body: `{"query":"${' '.repeat(1_100_000)}"}`, headers: json },
  }

  it.each(Object.entries(refusals))('is answered in the media type that it accepts: %s', async (code, request) => {
    const ask = (accept: string) =>
      send('', { ...request, headers: { ...('headers' in request && request.headers), Accept: accept } as HeadersInit })
    for (const [accept, type] of [
      [responseType, responseType],
      [`${responseType},application/json;q=0.9`, responseType],
      [`application/json,${responseType};q=0.9`, 'application/json'],
      ['*/*', 'application/json'],
    ] as const) {
      const response = await ask(accept)
      expect([accept, response.headers.get('content-type')]).toEqual([accept, type])
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] })
    }
  })
})

describe('error codes', () => {
  it('INVALID_INPUT lists each problem with its field', async () => {
    const create = 'mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { affiliate { id } } }'
    const { extensions } = await failure(create, { input: { email: 'x', token: 'not a token' } })
    expect(extensions).toEqual({
      code: 'INVALID_INPUT',
      retryable: false,
      requestId,
      problems: [
        { code: 'NOT_AN_EMAIL', field: 'email', path: ['input', 'email'], message: expect.stringMatching(/^Email /) },
        { code: 'NOT_A_TOKEN', field: 'token', path: ['input', 'token'], message: expect.stringMatching(/^Token /) },
      ],
    })
  })

  it('NOT_FOUND names the id', async () => {
    const error = await failure(`mutation { updateAffiliate(input: { id: "${unknownId}" }) { affiliate { id } } }`)
    expect(error).toMatchObject({ message: `Affiliate not found: ${unknownId}`, extensions: { code: 'NOT_FOUND' } })
  })

  it('REFUSED when the current state does not allow the operation', async () => {
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { commission } = await reportSale(program, { coupon })
    const [payout] = await listed(program, '/payouts')
    await program.post(`/payouts/${payout.id}/pay`)
    const error = await failure(`mutation { voidCommission(input: { id: "${commission.id}" }) { commission { id } } }`)
    expect(error.extensions).toEqual({ code: 'REFUSED', retryable: false, requestId })
    expect(error.message).toContain('paid')
  })

  it('REFUSED when no affiliate matches a sale', async () => {
    const error = await failure('mutation { reportConversion(input: { amountCents: 1, coupon: "NO" }) { saleId } }')
    const reasons = ['NO_MATCHING_AFFILIATE', 'COUPON_NOT_FOUND']
    expect(error.extensions).toEqual({ code: 'REFUSED', retryable: false, requestId, reasons })
  })

  it("GraphQL's own errors keep their codes", async () => {
    const { message, extensions } = await failure('{ nonsense }')
    expect(message).toContain('nonsense')
    expect(extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED', retryable: false, requestId })
    expect((await failure('{ nonsense ')).extensions.code).toBe('GRAPHQL_PARSE_FAILED')
  })

  it('a problem of the whole input or of an argument has a path', async () => {
    const whole = await failure('mutation { reportConversion(input: { amountCents: 1 }) { saleId } }')
    expect(whole.extensions.problems).toEqual([
      { path: ['input'], message: expect.stringContaining('At least one of') },
    ])
    const { extensions } = await failure('{ payoutRunPreview(method: PAYPAL, currency: "zzz") { payouts } }')
    expect(extensions.problems).toMatchObject([{ path: ['currency'], field: 'currency' }])
  })

  it('each error has the id of its own request, also when the query is cached', async () => {
    const ids = []
    for (const name of ['first', 'second']) {
      const more = { headers: { ...json, 'X-Request-Id': name }, method: 'POST', body: '{"query":"{ nonsense }"}' }
      ids.push(((await (await send('', more)).json()) as any).errors[0].extensions.requestId)
    }
    expect(ids).toEqual(['first', 'second'])
  })

  it('UNAVAILABLE is retryable', async () => {
    const { db } = app.database
    const prisma = new Proxy(db, { get: (db, name) => (name === 'affiliate' ? failing : Reflect.get(db, name)) })
    const down = createAppDb(prisma, db.sql, db.reads)
    const failing = { findUnique: () => Promise.reject(Object.assign(new Error('gone'), { code: 'P1001' })) }
    const { fetch } = createInstance({
      database: { ...app.database, db: down },
      adminToken,
      publicUrl: () => '',
      log: silentLog,
      now: () => app.clock.now,
    })
    const client = graphqlClient(fetch, { Authorization: `Bearer ${program.secret}` })
    const error = await client(`{ affiliate(id: "${unknownId}") { id } }`).catch((failed) => failed.errors[0])
    expect(error.extensions).toEqual({ code: 'UNAVAILABLE', retryable: true, requestId })
  })
})

it.each([
  ['query ($v: [CommissionState!]) { commissions(where: { state: { in: $v } }) { totalCount } }', 'NOPE'],
  ['query ($v: SafeInt) { commissions(where: { amountCents: { gt: $v } }) { totalCount } }', 'x'],
  ['query ($v: DateTime) { commissions(where: { updatedAt: { gt: $v } }) { totalCount } }', 'yesterday'],
  ['query ($v: ID!) { commission(id: $v) { id } }', { a: 1 }],
  ['mutation ($v: CreateAffiliateInput!) { createAffiliate(input: $v) { affiliate { id } } }', { nonsense: 1 }],
])('an invalid variable is a BAD_REQUEST that names it: %s', async (query, v) => {
  const { message, extensions } = await failure(query, { v })
  expect(message).toContain('"$v"')
  expect(extensions).toEqual({ code: 'BAD_REQUEST', retryable: false, requestId })
})

describe('the endpoint', () => {
  it('sends X-Request-Id with every response', async () => {
    for (const response of [
      await send('?query={__typename}'),
      await send('', { method: 'POST', headers: json, body: '{' }),
    ]) {
      expect(response.headers.get('x-request-id')).toMatch(/\S/)
    }
  })

  it('accepts Basic and Bearer authentication', async () => {
    const Authorization = `Basic ${Buffer.from(`${program.secret}:`).toString('base64')}`
    const body = '{"query":"{ program { id } }"}'
    const response = await send('', { method: 'POST', headers: { ...json, Authorization }, body })
    expect(await response.json()).toMatchObject({ data: { program: { id: program.id } } })
  })

  it('returns 413 for a body over 1 MiB', async () => {
    const body = JSON.stringify({ query: '{ __typename }', padding: 'x'.repeat(1024 * 1024) })
    const response = await send('', { method: 'POST', headers: json, body })
    expect(response.status).toBe(413)
    expect(((await response.json()) as any).errors[0].extensions.code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('returns 400 for invalid JSON', async () => {
    const response = await send('', { method: 'POST', headers: json, body: '{"query":' })
    expect(response.status).toBe(400)
    expect(((await response.json()) as any).errors[0].extensions).toMatchObject({
      code: 'BAD_REQUEST',
      retryable: false,
      requestId,
    })
  })

  it('runs no mutation by GET', async () => {
    const query = encodeURIComponent(
      'mutation { createAffiliate(input: { email: "get@example.com" }) { affiliate { id } } }',
    )
    const response = await send(`?query=${query}`)
    expect(response.status).toBe(405)
    expect(((await response.json()) as any).errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED')
    expect(await listed(program, '/affiliates?email=get@example.com')).toEqual([])
  })

  it('shows a page to browsers, without data', async () => {
    const url = 'http://localhost:4000/graphql?query={programs{id}}'
    const response = await app.app.fetch(new Request(url, { headers: { Accept: 'text/html' } }))
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const text = await response.text()
    expect(text).not.toContain(program.id)
    expect(text).not.toContain(adminToken)
  })

  it('allows no other origin', async () => {
    const response = await send('?query={__typename}', { headers: { Origin: 'https://evil.test' } })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it('amounts are exact up to 2^53 - 1, and larger ones are rejected', async () => {
  const { coupon } = await createSeller(program, { commission_percent: 100 })
  const report =
    'mutation ($cents: SafeInt!, $coupon: String!) { reportConversion(input: { amountCents: $cents, coupon: $coupon }) { commission { amountCents } } }'
  const { reportConversion } = await program.graphql(report, { coupon, cents: Number.MAX_SAFE_INTEGER })
  expect(reportConversion.commission.amountCents).toBe(Number.MAX_SAFE_INTEGER)
  for (const cents of [Number.MAX_SAFE_INTEGER + 1, -1]) {
    expect(await failure(report, { coupon, cents })).toMatchObject({ message: expect.any(String) })
  }
})
