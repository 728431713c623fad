import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import {
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLInputObjectType,
  getNamedType,
  isNonNullType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { createOpenApiDocument } from '../../src/rest/openapi/document.ts'
import { routes, routesOf } from '../../src/rest/routes.ts'
import { buildRestParts, publicSchema } from '../../src/schema/schema.ts'
import { createTestApp, type TestApp, type TestProgram } from '../support/app.ts'
import { contract, examplesOf, readDocument, superset } from './openapi-contract.ts'

const unknownId = '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47'
const ownPaths = ['/openapi.json', '/openapi.superset.json']
const { document, operations } = contract

describe('documents exactly what is served', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await (await createTestApp()).createProgram()
  })

  const paths = Object.keys(document.paths).filter((path) => !ownPaths.includes(path))

  it('the documents are read-only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ownPaths) {
        const { status, headers } = await program.send(path, { method })
        expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      }
    }
  })

  it.each(paths)('%s accepts exactly the documented methods', async (path) => {
    const documented = operations.filter((operation) => operation.path === path).map(({ method }) => method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers, body } = await program.send(path.replace('{id}', unknownId), { method })
      expect(`${method} ${status === 405}`).toBe(`${method} ${!documented.includes(method)}`)
      expect(body.error).not.toBe('Not found.')
      if (status === 405) {
        const allowed = headers.get('allow')?.split(', ') ?? []
        expect(allowed.filter((name) => name !== 'HEAD').sort()).toEqual([...documented].sort())
      }
    }
  })

  it('has an operation for every row of the route table', () => {
    const served = routesOf('contract').map(({ method, path }) => `${method} ${path}`)
    const documented = operations.map(({ method, path }) => `${method} ${path}`)
    expect(documented.sort()).toEqual([...served, ...ownPaths.map((path) => `GET ${path}`)].sort())
  })

  it('other operations of the schema cannot be reached', async () => {
    const fields = Object.keys({
      ...publicSchema.getQueryType()?.getFields(),
      ...publicSchema.getMutationType()?.getFields(),
    })
    const others = ['webhook', 'graphql', 'docs', 'openapi', 'affiliates/x/y', 'payouts/x', 'referrals/x']
    for (const path of [...fields, ...fields.map((field) => `${field}/x`), ...others].map((name) => `/${name}`)) {
      if (operations.some((operation) => operation.path.replace('{id}', 'x') === path)) continue
      const { status, body } = await program.get(path)
      expect({ path, status, body }).toEqual({ path, status: 404, body: { error: 'Not found.' } })
    }
  })

  it('the inputs in the route table match the arguments of the operations', () => {
    const { operations } = buildRestParts()
    for (const { operation, input, path, isExport } of routes) {
      const [kind, name] = operation.split('.') as [string, string]
      const type = kind === 'Query' ? operations.getQueryType() : operations.getMutationType()
      // A mutation has one argument `input`, and the id in the path.
      const taken = ((type?.getFields()[`${name}Page`] ?? type?.getFields()[name])?.args ?? [])
        .flatMap((arg): (GraphQLArgument | GraphQLInputField)[] => {
          const argType = getNamedType(arg.type)
          return argType instanceof GraphQLInputObjectType ? Object.values(argType.getFields()) : [arg]
        })
        // REST chooses the format of an export itself, also by the Accept header, its batches and its columns.
        .filter(
          (field) =>
            field.name !== 'id' &&
            !(isExport && ['format', 'decimal', 'until', 'ends', 'columns'].includes(field.name)),
        )
      // A route without an input reads nothing. Other arguments of its operation are for GraphQL and have to be optional.
      if (!input) {
        const required = taken.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
        expect({ path, required }).toEqual({ path, required: [] })
        continue
      }
      expect({ path, fields: Object.keys(input.shape).sort() }).toEqual({
        path,
        fields: taken.map((field) => field.name).sort(),
      })
    }
  })
})

describe('the document of the contract', () => {
  const { paths, components } = createOpenApiDocument('https://affiliates.acme.test') as any
  const fields: Record<string, string[]> = {
    'GET /affiliates': [],
    'POST /affiliates': [
      'email',
      'first_name',
      'last_name',
      'campaign_id',
      'token',
      'wallet_a_email',
      'wallet_b_email',
    ],
    'GET /affiliates/{id}': [],
    'PUT /affiliates/{id}': ['first_name', 'last_name', 'email', 'wallet_a_email', 'wallet_b_email', 'state'],
    'GET /campaigns': [],
    'POST /campaigns': [
      ...['name', 'url', 'commission_percent', 'commission_amount_cents', 'days_before_referrals_expire'],
      ...['minimum_payout_cents', 'max_commission_period_in_months'],
    ],
    'GET /campaigns/{id}': [],
    'PUT /campaigns/{id}': [
      ...['name', 'url', 'private', 'commission_percent', 'commission_amount_cents', 'commission_currency'],
      ...['minimum_payout_cents', 'days_before_referrals_expire', 'days_before_commissions_are_due'],
      ...['max_commissions', 'max_commission_period_in_months'],
    ],
    'GET /affiliate_links': [],
    'POST /affiliate_links': ['affiliate_id', 'token'],
    'GET /affiliate_coupons': [],
    'POST /affiliate_coupons': ['affiliate_id', 'token'],
    'GET /referrals': [],
    'GET /commissions': [],
    'GET /commissions/{id}': [],
    'PUT /commissions/{id}': ['amount'],
    'DELETE /commissions/{id}': [],
    'GET /payouts': [],
    'POST /payouts/{id}/pay': [],
    'POST /conversions': [
      ...['amount_cents', 'referral_id', 'email', 'coupon', 'currency', 'external_id', 'customer_name', 'occurred_at'],
    ],
  }

  it('has the 20 operations of the contract, with its fields', () => {
    const described = Object.entries(paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => {
        const name = requestBody?.content['application/json'].schema.$ref.split('/').pop()
        const properties = name ? Object.keys(components.schemas[name].properties) : []
        return [`${method.toUpperCase()} ${path}`, properties.sort()]
      }),
    )
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(Object.entries(fields).map(([name, names]) => [name, names.sort()])),
    )
  })

  it('the document of the superset says where each operation comes from', () => {
    const origins = superset.operations.map(({ method, path, operation }) => [
      `${method} ${path}`,
      operation['x-origin'],
    ])
    const ofContract = origins.filter(([, origin]) => origin === 'contract').map(([name]) => name)
    expect(ofContract.toSorted()).toEqual(Object.keys(fields).toSorted())
    const ofOthers = origins.filter(([name]) => !ofContract.includes(name) && !name.includes('/openapi'))
    expect(new Set(ofOthers.map(([, origin]) => origin))).toEqual(new Set(['convention', 'tributary']))
  })
})

describe.each([
  ['contract', readDocument('contract', 'contract')],
  ['contract, with all that its keys can use', contract],
  ['superset', superset],
] as const)('the document of the %s profile', (profile, { document, operations }) => {
  it('passes the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it('passes the rules of Spectral', async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset(oas as never)
    const problems = await linter.run(JSON.stringify(document))
    expect(problems.map(({ code, message, path }) => [code, message, path.join('.')])).toEqual([])
  })

  it('every operation has an id, a summary and a description', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map((tag: { name: string }) => tag.name)
    for (const { operation } of operations) {
      expect(operation).toMatchObject({ summary: expect.stringMatching(/./), description: expect.stringMatching(/./) })
      expect(tags).toEqual(expect.arrayContaining(operation.tags))
    }
  })

  it('uses the REST names of fields', () => {
    const descriptions = [...JSON.stringify(document.components).matchAll(/"description":"(.*?[^\\])"/g)]
    expect(descriptions.filter(([, text]) => /\b[a-z]+[A-Z]/.test(text as string))).toEqual([])
  })

  it('every operation except the documents accepts both authentication schemes', () => {
    expect(document.security).toEqual([{ basic: [] }, { bearer: [] }])
    const own = operations.filter(({ operation }) => operation.security)
    const isPublic = profile === 'contract' ? [] : ownPaths
    expect(own.map(({ path, operation }) => [path, operation.security])).toEqual(isPublic.map((path) => [path, []]))
  })
})

describe.each([
  ['contract', readDocument('contract', 'contract')],
  ['contract, with all that its keys can use', contract],
  ['superset', superset],
] as const)('the examples of the %s profile are valid', (_profile, { document, operations, expectValid, resolve }) => {
  it.each(operations.map((operation) => [operation.operation.operationId, operation] as const))(
    '%s',
    (_id, { operation }) => {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.values(resolve(part)?.content ?? {}),
      ) as { schema: { format?: string } }[]
      // A file of bytes has no example.
      for (const content of contents.filter(({ schema }) => schema.format !== 'binary')) {
        const examples = examplesOf(content)
        expect(examples.length).toBeGreaterThan(0)
        for (const example of examples) expectValid(content.schema, example, JSON.stringify(example))
      }
      for (const parameter of operation.parameters ?? [])
        for (const example of examplesOf(parameter)) expectValid(parameter.schema, example, parameter.name)
    },
  )

  it('in schemas of fields', () => {
    for (const schema of Object.values(document.components.schemas) as { properties?: Record<string, any> }[])
      for (const [name, property] of Object.entries(schema.properties ?? {}))
        for (const example of property.examples ?? []) expectValid(property, example, name)
  })
})

describe('is served', () => {
  let app: TestApp['app']
  beforeAll(async () => {
    app = (await createTestApp()).app
  })
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(new Request('http://localhost:4000/v1/openapi.json', { method, headers }))

  it('without a key, with the URL of this service', async () => {
    const response = await ask()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const body = await response.json()
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Tributary', version: '1.0.0' } })
    expect(body.servers[0].url).toBe('http://localhost:4000/v1')
    expect(body.paths).toEqual(readDocument('contract', 'contract').document.paths)
  })

  it('for the superset profile too', async () => {
    const response = await app.fetch(new Request('http://localhost:4000/v1/openapi.superset.json'))
    const body = await response.json()
    expect([response.status, body.info.title]).toEqual([200, 'Tributary (superset)'])
    expect(body.paths).toEqual(superset.document.paths)
    expect(body.components.schemas.Affiliate.required).toContain('paypal_email')
  })

  it('with a trailing slash', async () => {
    const response = await app.fetch(new Request('http://localhost:4000/v1/openapi.json/'))
    expect([response.status, response.headers.get('etag')]).toEqual([200, (await ask()).headers.get('etag')])
  })

  it('with 304 to a current If-None-Match, and 412 to an outdated If-Match', async () => {
    const etag = (await ask()).headers.get('etag') as string
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await ask({ 'If-None-Match': known })
      expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200)
    expect((await ask({ 'If-Match': '"other"' })).status).toBe(412)
    expect((await ask({ 'If-Match': etag })).status).toBe(200)
  })

  it('to HEAD without a body', async () => {
    const [get, head] = [await ask(), await ask({}, 'HEAD')]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
  })
})
