import { buildSchema, getIntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import { costOfField, limits } from '../../src/graphql/cost.ts'
import { createTestApp } from '../support/app.ts'
import { hostileQueries, times } from '../support/hostile.ts'

const app = await createTestApp()
const program = await app.createProgram()

const send = async (body: object, Accept = 'application/json') => {
  const response = await app.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json', Accept },
      body: JSON.stringify(body),
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    size: text.length,
    answer: JSON.parse(text),
    requestId: response.headers.get('x-request-id'),
  }
}

describe.each(Object.entries(hostileQueries))('%s', (_, { body, reason, mayParse }) => {
  it.each(['application/json', 'application/graphql-response+json'])(
    'is rejected with a small response (%s)',
    async (accept) => {
      for (const _round of ['parsed', 'cached']) {
        const { status, size, answer } = await send(body, accept)
        expect(size).toBeLessThan(64 * 1024)
        expect(answer.errors).not.toHaveLength(0)
        expect(answer.data ?? null).toBeNull()
        // How deep the parser gets before its stack is full is not the same in every run. Then it finds the syntax error.
        if (mayParse && answer.errors[0].extensions.code === 'GRAPHQL_PARSE_FAILED') continue
        if (!reason) {
          expect(answer.errors.length).toBeLessThanOrEqual(limits.errors + 1)
          expect(status).toBe(accept === 'application/json' ? 200 : 400)
          continue
        }
        expect(status).toBe(400)
        expect(answer.errors).toMatchObject([
          { extensions: { code: 'QUERY_TOO_COMPLEX', reasons: [reason.toUpperCase()] } },
        ])
      }
    },
  )
})

describe('legitimate queries are executed', () => {
  it('the introspection query of tools', async () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, oneOf: true })
    expect((await send({ query })).answer.data).toHaveProperty('__schema')
  })

  it('the same list for two states', async () => {
    const page = 'totalCount nodes { id state amountCents currency affiliate { email campaign { name } } }'
    const query = `{ open: payouts(where: { state: { equals: PENDING } }, first: 100) { ${page} } paid: payouts(where: { state: { equals: PAID } }, first: 100) { ${page} } }`
    expect((await send({ query })).answer.data).toMatchObject({ open: { nodes: [] }, paid: { nodes: [] } })
  })
})

describe('brackets are counted before a query is parsed', () => {
  it('but not in texts and comments, and not what is closed', async () => {
    const text = '{[('.repeat(25)
    const query = `# ${text}
      { affiliates(where: { search: "\\"${text}" }) { totalCount } program { id ${'... { id } '.repeat(100)} } # ${text}
      }`
    expect((await send({ query })).answer).toMatchObject({ data: { affiliates: { totalCount: 0 } } })
    const block = `{ affiliates(where: { search: """${text} \\""" ${text}""" }) { totalCount } }`
    expect((await send({ query: block })).answer).toMatchObject({ data: { affiliates: { totalCount: 0 } } })
  })

  it('and conditions of eight levels are executed', async () => {
    const query = `{ commissions(where: ${'{ and: ['.repeat(8)}{}${'] }'.repeat(8)}) { totalCount } }`
    expect((await send({ query })).answer.data).toEqual({ commissions: { totalCount: 0 } })
  })
})

describe('extensions.cost', () => {
  const costOf = async (query: string, variables = {}) => (await send({ query, variables })).answer.extensions.cost

  it('is part of every response, also of failed ones', async () => {
    expect(await costOf('{ __typename }')).toEqual({ requested: 1, limit: limits.cost })
    const { answer } = await send({
      query: 'mutation { voidCommission(input: { id: "00000000-0000-7000-8000-000000000000" }) { commission { id } } }',
    })
    expect(answer).toMatchObject({
      data: { voidCommission: null },
      errors: [{}],
      extensions: { cost: { requested: 3 } },
    })
  })

  it('is part of a rejection by cost', async () => {
    const { body } = hostileQueries['lists in lists'] as { body: object }
    expect((await send(body)).answer.extensions.cost.requested).toBeGreaterThan(limits.cost)
  })

  it('counts the records of groups once for each group, and 25 groups as one row', async () => {
    const groups = (limit: number, fields: string) =>
      costOf(`{ sales(first: 0) { groupBy(by: [AFFILIATE_ID], limit: ${limit}) { ${fields} } } }`)
    expect(await groups(25, 'count')).toMatchObject({ requested: 2 + 1 })
    expect(await groups(1000, 'count')).toMatchObject({ requested: 2 + 40 })
    expect(await groups(25, 'affiliate { email }')).toMatchObject({ requested: 2 + 25 * 2 })
    const everything = 'affiliate { sales(first: 100) { nodes { id } } }'
    expect((await groups(1000, everything)).requested).toBeGreaterThan(limits.cost)
  })

  it('counts fields below a list once per requested row, also in fragments and by variables', async () => {
    expect(await costOf('{ payouts(first: 40) { nodes { id state } } }')).toMatchObject({ requested: 1 + 40 * 3 })
    const query = `query ($limit: Int) { payouts(first: $limit) { ...Rows } }
      fragment Rows on PayoutConnection { nodes { id ... on Payout { state } } }`
    expect(await costOf(query, { limit: 40 })).toMatchObject({ requested: 1 + 40 * 3 })
    expect(await costOf(query, { limit: 1_000_000 })).toMatchObject({ requested: 1 + 100 * 3 })
    expect(await costOf(query)).toMatchObject({ requested: 1 + 25 * 3 })
  })

  it('counts the default of a variable that is not given, also after a request in which it was null', async () => {
    const query = 'query ($limit: Int = 100) { payouts(first: $limit) { nodes { id state } } }'
    expect(await costOf(query, { limit: null })).toMatchObject({ requested: 1 + 25 * 3 })
    expect(await costOf(query)).toMatchObject({ requested: 1 + 100 * 3 })
  })

  it('counts only the executed operation', async () => {
    const query = 'query A { a: __typename b: __typename } query B { __typename }'
    expect((await send({ query, operationName: 'B' })).answer.extensions.cost.requested).toBe(1)
  })
})

describe('the multiplier of fields below a list', () => {
  const fields = buildSchema(`type Query {
    rows(first: Int, last: Int): Rows! page(limit: Int): Rows! ranking(by: String, limit: Int! = 10): [Row!]! links: [Row!]!
    one(id: ID!): Row
  } type Rows { nodes: [Row!]! edges: [Row!] data: [Row!]! totalCount: Int! } type Row { id: ID! }`).getTypeMap() as any
  const multiplier = (coordinate: string, args = {}) => {
    const [type = '', name = ''] = coordinate.split('.')
    return costOfField(args, null, fields[type].getFields()[name]).multiplier
  }
  it.each([
    ['Query.rows', { first: 3 }, 3],
    ['Query.rows', { last: 7, first: null }, 7],
    ['Query.page', { limit: 5n }, 5],
    ['Query.ranking', { limit: 20 }, 20],
    ['Query.rows', { first: 5_000 }, 100],
    ['Query.rows', { first: -5_000 }, 1],
    ['Query.rows', { first: null }, 25],
    ['Query.rows', {}, 25],
    ['Query.links', {}, 10],
    ['Rows.nodes', {}, 1],
    ['Rows.edges', {}, 1],
    ['Rows.data', {}, 1],
    ['Rows.totalCount', {}, 1],
    ['Query.one', { id: '1' }, 1],
  ])('%s with %o: %i', (coordinate, args, times) => {
    expect(multiplier(coordinate, args)).toBe(times)
  })
})

it('REST responses have no cost', async () => {
  expect((await program.get('/payouts?limit=100')).body).not.toHaveProperty('extensions')
})

describe('an error repeats at most 100 characters of what was sent', () => {
  const sent = 'q'.repeat(50_000)
  const name = 'q'.repeat(90)
  const id = 'query ($v: ID!) { affiliate(id: $v) { id } }'
  it.each<[string, object | string]>([
    ['a field', { query: `{ ${sent} }` }],
    ['a short field', { query: `{ ${name} }` }],
    ['text after the query', { query: `{ program { id } } ${sent}` }],
    ['a parameter', { query: '{ __typename }', [sent.slice(0, 190)]: 1 }],
    ['a parameter with a long name', { query: '{ __typename }', [sent]: 1 }],
    ['an operation name', { query: '{ __typename }', operationName: sent }],
    ['keys of a variable', { query: id, variables: { v: times(60, () => ({ [sent.slice(0, 190)]: 1 })) } }],
    [
      'a variable of another type',
      { query: 'query ($v: Int) { payouts(first: $v) { nodes { id } } }', variables: { v: sent } },
    ],
    [
      'an enum value with spaces',
      {
        query: 'query ($v: CommissionState) { commissions(where: { state: { equals: $v } }) { totalCount } }',
        variables: { v: 'qqq '.repeat(100) },
      },
    ],
    [
      'an unknown field of an input',
      {
        query: 'query ($v: CommissionWhere) { commissions(where: $v) { totalCount } }',
        variables: { v: { [name]: 1 } },
      },
    ],
    [
      'an id',
      {
        query: 'mutation ($v: ID!) { voidCommission(input: { id: $v }) { commission { id } } }',
        variables: { v: sent },
      },
    ],
    ['a literal id', { query: `mutation { voidCommission(input: { id: "${sent}" }) { commission { id } } }` }],
    ['a literal of another type', { query: `{ payouts(first: "${sent}") { nodes { id } } }` }],
    ['a literal list of short words', { query: `{ payouts(first: [${'qqq '.repeat(60)}]) { nodes { id } } }` }],
    [
      'a literal object of short words',
      { query: `{ payouts(first: { ${'qqq: qqq '.repeat(30)} }) { nodes { id } } }` },
    ],
    [
      'the names of conflicting fields',
      {
        query: `{ ${[1, 2].map((n) => `${'qqqqqqqq: program { '.repeat(8)} qqqqqqqq: ${n === 1 ? 'id' : 'name'} ${'}'.repeat(8)}`).join(' ')} }`,
      },
    ],
    ['an alias', { query: `mutation { ${name}: voidCommission(input: { id: "x" }) { commission { id } } }` }],
    [
      'a cursor',
      { query: 'query ($v: String) { payouts(first: 1, after: $v) { nodes { id } } }', variables: { v: sent } },
    ],
    ['invalid JSON', `{"query":"${sent}`],
    ['text', sent],
  ])('%s', async (_label, body) => {
    const response = await app.app.fetch(
      new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )
    const { errors } = (await response.json()) as { errors: object[] }
    expect(errors.length).toBeGreaterThan(0)
    for (const error of errors)
      expect(JSON.stringify(error).match(/q{3,}/g)?.join('').length ?? 0).toBeLessThanOrEqual(100)
  })
})

it.each(['application/json', 'application/graphql-response+json'])(
  'variables nested 1,200 levels deep get a 400, and GraphQL keeps running (%s)',
  async (accept) => {
    const query = 'query ($where: CommissionWhere) { commissions(where: $where) { totalCount } }'
    const where = JSON.parse(`${'{"and":['.repeat(1_200)}{}${']}'.repeat(1_200)}`)
    const { status, answer, requestId } = await send({ query, variables: { where } }, accept)
    expect(status).toBe(400)
    expect(answer.errors).toMatchObject([
      { message: 'The body is nested more than 32 levels deep.', extensions: { code: 'BAD_REQUEST', requestId } },
    ])
    expect((await send({ query, variables: { where: { and: [{}] } } })).answer.data).toEqual({
      commissions: { totalCount: 0 },
    })
  },
)

it('reports at most five mistakes in variables, each with its place', async () => {
  const query =
    'mutation ($all: [CreateAffiliateInput!]!) { createAffiliates(input: { affiliates: $all }) { affiliates { id } } }'
  const { answer } = await send({ query, variables: { all: times(50, () => ({ email: 'a@b.co', unknown: 1 })) } })
  expect(answer.errors).toHaveLength(5)
  expect(answer.errors[1]).toMatchObject({
    message:
      'Variable "$all" got invalid value at "[1]"; Field "unknown" is not defined by type "CreateAffiliateInput".',
    extensions: { code: 'BAD_REQUEST' },
  })
})

const query = '{ program { name } }'

it.each([
  ['application/x-www-form-urlencoded', `${new URLSearchParams({ query })}`],
  ['multipart/form-data; boundary=x', `--x\r\nContent-Disposition: form-data; name="query"\r\n\r\n${query}\r\n--x--`],
  ['application/graphql', query],
  ['text/plain', JSON.stringify({ query })],
])('a POST of %s, which a page of another origin could send, gets a 415', async (type, body) => {
  const headers = { Authorization: `Bearer ${program.secret}`, 'Content-Type': type }
  const response = await app.app.fetch(new Request('http://localhost:4000/graphql', { method: 'POST', headers, body }))
  expect(response.status).toBe(415)
  const { errors } = (await response.json()) as { errors: object[] }
  expect(errors).toMatchObject([
    { message: expect.stringContaining('application/json'), extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
  ])
})

describe('operations that work more than their fields', () => {
  const simulation =
    'simulateCampaign(input: { rules: { commissionPercent: 10 }, range: { preset: LAST_YEAR } }) { sales }'
  // Every line has a problem, so that nothing is written.
  const fileOf = (lines: number) => ['email', ...Array.from({ length: lines }, () => 'nobody')].join('\n')
  const importFile =
    'mutation ($csv: String!) { one: importAffiliates(input: { csv: $csv, dryRun: true }) { created } }'
  const importTwice = `mutation ($csv: String!) {
    one: importAffiliates(input: { csv: $csv, dryRun: true }) { created } two: importAffiliates(input: { csv: $csv, dryRun: true }) { created }
  }`

  it('many simulations in one operation are rejected before any runs', async () => {
    const fields = Array.from({ length: 49 }, (_, n) => `s${n}: ${simulation}`)
    const { answer } = await send({ query: `{ ${fields.join('\n')} }` })
    expect(answer.errors).toHaveLength(1)
    expect(answer.errors[0]).toMatchObject({ extensions: { code: 'QUERY_TOO_COMPLEX', reasons: ['COST'] } })
    expect(answer.errors[0].message).toMatch(
      /^The query costs 980\d{3}; the limit is 50000\. .* in several requests\.$/,
    )
  })

  it.each([
    [2_000, importFile, true],
    [1_000, importTwice, true],
    [2_000, importTwice, false],
  ])('a file of %i lines: %s', async (lines, query, isAllowed) => {
    const { answer } = await send({ query, variables: { csv: fileOf(lines) } })
    expect(answer.extensions.cost.requested <= limits.cost).toBe(isAllowed)
    expect(answer.errors?.[0].extensions.code).toBe(isAllowed ? undefined : 'QUERY_TOO_COMPLEX')
  })

  it('the cost of a file is that of its own lines, also for a query that was measured before', async () => {
    const costOf = async (lines: number) =>
      (await send({ query: importFile, variables: { csv: fileOf(lines) } })).answer.extensions.cost.requested
    expect((await costOf(200)) - (await costOf(100))).toBe(2_000)
  })
})
