import { describe, expect, it } from 'vitest'
import { createTestApp, graphqlClient } from '../support/app.ts'
import { createSeller } from '../support/factories.ts'

const { app, createProgram } = await createTestApp()
const program = await createProgram()
const { affiliate } = await createSeller(program)
const { createAffiliateToken } = await program.graphql(
  'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
  { id: affiliate.id },
)

const ask = async (query: string, variables = {}, secret = program.secret) => {
  const request = new Request('http://localhost:4000/graphql', {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await (await app.fetch(request)).json()) as any
}
const costOf = async (query: string, variables = {}, secret = program.secret) =>
  (await ask(query, variables, secret)).extensions.cost.requested as number

const year = 'range: { preset: LAST_12_MONTHS }'
const decade = 'range: { from: "2016-03-01T00:00:00Z", to: "2026-03-01T00:00:00Z" }'
const points = '{ points { value } }'

describe('a report costs what it makes', () => {
  it.each([
    [`{ analytics(${year}) { totals { sales } } }`, 502],
    [`{ analytics(${year}) { timeSeries(metric: SALES, interval: DAY) ${points} } }`, 1 + 866 + 2 * 366],
    [`{ analytics(${year}) { timeSeries(metric: SALES, interval: MONTH) ${points} } }`, 1 + 512 + 2 * 12],
    [
      `{ analytics(${year}) { timeSeries(metric: SALES, interval: MONTH, groupBy: CAMPAIGN, top: 4) { groups ${points} } } }`,
      1 + 500 + 572 + 3 * 12 * 6,
    ],
    [
      `{ analytics(${year}) { timeSeries(metric: SALES, interval: MONTH, compareTo: PREVIOUS_PERIOD) ${points} } }`,
      1 + 2 * 512 + 2 * 12,
    ],
    [`{ analytics(${decade}) { timeSeries(metric: SALES, interval: QUARTER) ${points} } }`, 1 + 3 * (504 + 2 * 4)],
    [`{ affiliates(first: 100) { nodes { analytics(${year}) { totals { sales } } } } }`, 1 + 100 * 103],
  ])('%s', async (query, cost) => expect(await costOf(query)).toBe(cost))

  it('also where interval and range are variables, in the same document', async () => {
    const query = `query ($range: AnalyticsRange!, $interval: AnalyticsInterval!) {
      analytics(range: $range) { timeSeries(metric: SALES, interval: $interval) ${points} }
    }`
    const range = { preset: 'LAST_12_MONTHS' }
    const years = { from: '2016-03-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }
    expect(await costOf(query, { range, interval: 'QUARTER' })).toBe(1 + 504 + 2 * 4)
    expect(await costOf(query, { range, interval: 'DAY' })).toBe(1 + 866 + 2 * 366)
    expect(await costOf(query, { range: years, interval: 'QUARTER' })).toBe(1 + 3 * (504 + 2 * 4))
  })

  it('also with an affiliate token', async () => {
    const client = graphqlClient(app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
    expect(await client('{ me { email } }')).toEqual({ me: { email: affiliate.email } })
    const query = `{ me { analytics(${year}) { timeSeries(metric: SALES, interval: DAY) ${points} } } }`
    expect(await costOf(query, {}, createAffiliateToken.token)).toBe(2 + 466 + 2 * 366)
  })

  it('so that 45 series of days are refused in one query', async () => {
    const fields = Array.from(
      { length: 45 },
      (_, n) => `a${n}: analytics(${year}) { timeSeries(metric: SALES) ${points} }`,
    )
    const { errors } = await ask(`{ ${fields.join(' ')} }`)
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX', reasons: ['COST'] } }])
  })
})

it.each([
  ['/graphql', 405],
  ['/v1/affiliates', 405],
])('OPTIONS %s is no CORS preflight that is allowed: 401 without a key, %i with one', async (path, status) => {
  const preflight = (headers: Record<string, string>) =>
    app.fetch(
      new Request(`http://localhost:4000${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://a.test', ...headers },
      }),
    )
  for (const [headers, expected] of [
    [{}, 401],
    [{ Authorization: `Bearer ${program.secret}` }, status],
  ] as const) {
    const response = await preflight(headers)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([expected, null])
  }
})
