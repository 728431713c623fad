import { beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { adminToken, createInstance, createTestApp, testKey } from '../support/app.ts'
import { createAffiliate, unknownId } from '../support/factories.ts'

const { database, createProgram, clock } = await createTestApp()
const program = await createProgram()
const { createAffiliateToken } = await program.graphql(
  'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token affiliate { id } } }',
  { id: (await createAffiliate(program)).id },
)

const lines: string[] = []
const log = createLog('debug', {
  secrets: new Set([adminToken]),
  destination: { write: (line) => void lines.push(line) },
})
const webhooks = { key: testKey, allowedHosts: [], allowHttp: true, isIdle: true }
const settings = { adminToken, publicUrl: () => 'http://localhost:4000', log, webhooks }
const app = createInstance({ database, ...settings, now: () => clock.now })
beforeEach(() => void lines.splice(0))

const send = async (path: string, { method = 'GET', secret = program.secret, headers = {}, body }: any = {}) => {
  const init = { method, body, headers: { Authorization: `Bearer ${secret}`, ...headers } }
  const response = await app.fetch(new Request(`http://localhost:4000${path}`, init))
  await response.text()
  return response
}
const graphql = (body: object, secret?: string) =>
  send('/graphql', {
    method: 'POST',
    secret,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const requestLine = () => JSON.parse(lines.find((line) => line.includes('"msg":"request"')) ?? '{}')

describe('a secret is not logged', () => {
  it.each([
    ['an API key', program.secret],
    ['an affiliate token', createAffiliateToken.token as string],
    ['a sign-in ticket', 'trib_sso_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln-_x'],
    ['a generated operator token', 'trib_admin_Zm9vYmFy-_x'],
    ['the configured operator token', adminToken],
  ])('%s', async (_label, secret) => {
    await send(`/v1/affiliates/${secret}`)
    await send(`/v1/${encodeURIComponent(secret).replaceAll('_', '%5F')}`)
    await send(`/portal/${secret}?ticket=${secret}`)
    await send('/v1/affiliates', { headers: { 'X-Request-Id': secret } })
    await graphql({ query: `query ${secret.replace(/\W/g, '_')} { __typename }` })
    log.error({ err: new Error(`cannot read ${secret}`), nested: [{ secret }] }, `failed with ${secret}`)
    const text = lines.join('')
    expect(lines.length).toBeGreaterThanOrEqual(6)
    expect(text).not.toContain(secret)
    const random = secret.replace(/^trib_[a-z]+_/, '')
    expect(text).not.toContain(random)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('but publishable keys and ids are', async () => {
    await send(`/v1/affiliates/${unknownId}`)
    await send(`/v1/${program.publishableKey}`)
    expect(lines.join('')).toContain(unknownId)
    expect(lines.join('')).toContain(program.publishableKey)
  })
})

describe('a request is logged with', () => {
  it('its program, key and REST operation', async () => {
    await send('/v1/affiliates')
    expect(requestLine()).toMatchObject({
      method: 'GET',
      path: '/v1/affiliates',
      status: 200,
      actor: 'api_key',
      programId: program.id,
      keyId: program.keyId,
      operation: expect.stringMatching(/^Query\.\w+$/),
      requestId: expect.any(String),
    })
    expect(requestLine()).not.toHaveProperty('errorCode')
  })

  it('the error code of REST', async () => {
    await send(`/v1/affiliates/${unknownId}`)
    expect(requestLine()).toMatchObject({ status: 404, errorCode: 'NOT_FOUND', keyId: program.keyId })
  })

  it('the error code of a request without a key', async () => {
    await send('/v1/affiliates', { secret: 'nonsense' })
    expect(requestLine()).toMatchObject({ status: 401, errorCode: 'UNAUTHENTICATED' })
    expect(requestLine()).not.toHaveProperty('keyId')
  })

  it('the name of its GraphQL operation and the error code', async () => {
    await graphql({ query: `mutation Void { voidCommission(input: { id: "${unknownId}" }) { commission { id } } }` })
    expect(requestLine()).toMatchObject({ operation: 'Void', errorCode: 'NOT_FOUND', programId: program.id })
  })

  it('the operation name of a query that is rejected', async () => {
    await graphql({ query: 'query Wrong { nonsense }', operationName: 'Wrong' })
    expect(requestLine()).toMatchObject({ operation: 'Wrong', errorCode: 'GRAPHQL_VALIDATION_FAILED' })
  })

  it('the error code of an unsupported media type', async () => {
    await send('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x',
    })
    expect(requestLine()).toMatchObject({ status: 415, errorCode: 'UNSUPPORTED_MEDIA_TYPE', keyId: program.keyId })
  })

  it('the affiliate of a token', async () => {
    await graphql({ query: 'query Own { me { id } }' }, createAffiliateToken.token)
    expect(requestLine()).toMatchObject({
      actor: 'affiliate',
      affiliateId: createAffiliateToken.affiliate.id,
      programId: program.id,
      operation: 'Own',
    })
  })

  it('at most 300 characters of its path', async () => {
    await send(`/v1/${'x'.repeat(5_000)}`)
    expect(requestLine().path.length).toBe(300)
  })
})

it.each([
  '/v1/affiliates',
  `/v1/affiliates/${unknownId}`,
  '/v1/openapi.json',
  '/graphql?query={__typename}',
  '/portal',
  '/track.js',
  '/healthz',
  '/nothing',
])('%s has the header X-Content-Type-Options: nosniff', async (path) => {
  expect((await send(path)).headers.get('x-content-type-options')).toBe('nosniff')
})

it.each([
  ['https://affiliates.acme.test', 'max-age=31536000'],
  ['http://localhost:4000', null],
])('browsers of %s are asked to use only https: %s', async (address, expected) => {
  const app = createInstance({ database, ...settings, publicUrl: () => address })
  for (const path of ['/portal', '/', '/nothing']) {
    const { headers } = await app.fetch(new Request(`${address}${path}`))
    expect([path, headers.get('strict-transport-security')]).toEqual([path, expected])
  }
})

it('names the actor of a change and the mutations, also those in fragments, under any operation name', async () => {
  const query = `mutation Innocent($id: ID!) { ...Change ... on Mutation { b: createApiKey(input: { programId: $id, name: "B" }) { secret } } }
    fragment Change on Mutation { a: createApiKey(input: { programId: $id, name: "A" }) { secret } updateProgram(input: { id: $id }) { program { id } } }`
  await graphql({ query, variables: { id: program.id } }, adminToken)
  expect(requestLine()).toMatchObject({ actor: 'operator', mutations: ['createApiKey', 'updateProgram'] })
  await graphql({ query: '{ programs { id } }' }, adminToken)
  expect(lines.filter((line) => line.includes('"mutations"'))).toHaveLength(1)
})
