import type { Request } from './load.ts'
import type { ServerName } from './servers.ts'

export type Scenario = {
  name: string
  /** Whether `--gate` measures it. */
  isInGate?: boolean
  /** What `fastify + pg` is asked for the same: the ratios are against it. */
  requests: Partial<Record<ServerName, Request>> & { Tributary: Request; 'fastify + pg': Request }
  /** The required ratio of requests per second to each of these servers. */
  goals: Partial<Record<ServerName, number>>
  /** Reads the facts from an answer, so that answers of different form can be compared; null for writes. */
  facts: Partial<Record<ServerName, (answer: unknown) => unknown>> | null
}

const get = (path: string, modulo?: number): Request => ({ method: 'GET', path, modulo })
const post = (path: string, body: object, modulo?: number): Request => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  modulo,
})
const graphql = (query: string, variables?: object, modulo?: number) =>
  post('/graphql', { query: query.replaceAll(/\s+/g, ' '), variables }, modulo)

type Filled = { programId: string; publishableKey: string; sales: number; affiliates: number }

export function createScenarios({ programId, publishableKey, sales, affiliates }: Filled): Scenario[] {
  const rest = (name: string, path: string, goal: number, servers: ServerName[], modulo?: number): Scenario => ({
    name,
    requests: {
      Tributary: get(path, modulo),
      'fastify + pg': get(path, modulo),
      ...Object.fromEntries(servers.map((server) => [server, get(path, modulo)])),
    },
    goals: { 'fastify + pg': goal },
    facts: {},
  })
  const visit = { key: publishableKey, token: 't{m}', visitor: 'visitor {n} of the benchmark' }
  // Every second referral of the filled database is a conversion, which does not expire.
  const conversion = { referral_id: '00000002-0000-7000-a000-{hex}', amount_cents: 4900, external_id: 'bench {n}' }
  const affiliateId = '0000000a-0000-7000-a000-{hex}'
  return [
    rest('GET /v1/affiliates?limit=25', '/v1/affiliates?limit=25', 1, ['node:http, one statement', 'fastify + Prisma']),
    {
      ...rest('GET /v1/affiliates?limit=25, pages 1 to 40', '/v1/affiliates?limit=25&page={page}', 1, [], 40),
      isInGate: true,
    },
    {
      ...rest(
        'GET /v1/affiliates/{id}',
        `/v1/affiliates/${affiliateId}`,
        0.8,
        ['node:http, one statement', 'fastify + Prisma'],
        affiliates,
      ),
      isInGate: true,
    },
    rest(
      'GET /v1/commissions?state=due&limit=100, pages 1 to 60',
      '/v1/commissions?state=due&limit=100&page={page}',
      1,
      ['node:http, one statement'],
      // 45 of 100 commissions are due.
      Math.min(60, Math.floor((sales * 0.45) / 100)),
    ),
    rest(
      'GET /v1/referrals?conversion_state=conversion&limit=100, pages 1 to 40',
      '/v1/referrals?conversion_state=conversion&limit=100&page={page}',
      1,
      ['node:http, one statement'],
      40,
    ),
    {
      name: 'an affiliate by GraphQL with variables',
      isInGate: true,
      requests: {
        Tributary: graphql(affiliateQuery, { id: affiliateId }, affiliates),
        'fastify + pg': get(`/v1/affiliates/${affiliateId}`, affiliates),
      },
      goals: { 'fastify + pg': 0.8 },
      facts: { Tributary: factsOfGraphqlAffiliate, 'fastify + pg': (answer) => facts(1, [rowOfRest(answer as Row)]) },
    },
    {
      name: 'the 25 affiliates by GraphQL',
      requests: {
        Tributary: graphql(affiliatesQuery),
        'fastify + pg': get('/v1/affiliates?limit=25'),
        'PostGraphile 5': graphql(postgraphileQuery(programId)),
      },
      goals: { 'fastify + pg': 0.8, 'PostGraphile 5': 2 },
      facts: { Tributary: factsOfGraphql, 'PostGraphile 5': factsOfPostgraphile, 'fastify + pg': factsOfRest },
    },
    {
      name: '{ program { name } } by GraphQL',
      requests: {
        Tributary: graphql('{ program { name } }'),
        'fastify + pg': get('/v1/program'),
        'node:http, one statement': get('/v1/program'),
      },
      goals: { 'fastify + pg': 0.6 },
      facts: { Tributary: (answer) => (answer as { data: { program: unknown } }).data.program },
    },
    {
      name: 'POST /v1/conversions',
      isInGate: true,
      requests: {
        Tributary: post('/v1/conversions', conversion, sales),
        'fastify + pg': post('/v1/conversions', conversion, sales),
      },
      goals: { 'fastify + pg': 0.7 },
      facts: null,
    },
    {
      name: 'POST /track/visits',
      isInGate: true,
      requests: {
        Tributary: post('/track/visits', visit, affiliates),
        'fastify + pg': post('/track/visits', visit, affiliates),
      },
      goals: { 'fastify + pg': 0.7 },
      facts: null,
    },
  ]
}

const campaignFields = `id createdAt updatedAt name url private rewardType commissionAmountCents commissionCurrency
  minimumPayoutCents daysBeforeReferralsExpire daysBeforeCommissionsAreDue maxCommissions maxCommissionPeriodInMonths`
const affiliateFields = `createdAt updatedAt firstName lastName email walletAEmail: paypalEmail walletBEmail: wiseEmail state billingCustomerId
  confirmedAt visitors leads conversions`
const linkFields = 'token visitors leads conversions'

const wholeAffiliate = `id ${affiliateFields}
  campaign { ${campaignFields} commissionPercent } links { nodes { id ${linkFields} } } coupon { id token }`

export const affiliatesQuery = `{ affiliates(first: 25) { totalCount nodes { ${wholeAffiliate} } } }`

const affiliateQuery = `query Affiliate($id: ID!) { affiliate(id: $id) { ${wholeAffiliate} } }`

const postgraphileQuery = (programId: string) => `{
  allAffiliates(first: 25, orderBy: [PRIMARY_KEY_DESC], condition: { programId: "${programId}" }) {
    totalCount nodes { id: rowId ${affiliateFields}
      campaign: campaignByProgramIdAndCampaignId { ${campaignFields.replace('id', 'id: rowId')} commissionBasisPoints }
      links: affiliateLinksByProgramIdAndAffiliateId { nodes { id: rowId ${linkFields} } }
      coupons: affiliateCouponsByProgramIdAndAffiliateId(first: 1) { nodes { id: rowId token } } } } }`

// The facts that all three answers have, by their GraphQL names.
type Row = Record<string, unknown>
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const renamed = (row: Row, drop: string[]): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !drop.includes(name))
      .map(([name, value]) => [camel(name), plain(name, value)]),
  )

/** Times have several spellings, as have the values of enums and 64-bit integers. */
function plain(name: string, value: unknown): unknown {
  if (value !== null && /At$|_at$/.test(name)) return new Date(value as string).toISOString()
  if (['state', 'reward_type', 'rewardType'].includes(name)) return String(value).toLowerCase()
  return value !== null && /cents$/i.test(name) ? Number(value) : value
}

const facts = (total: unknown, rows: { row: Row; campaign: Row; links: Row[]; coupon: Row | null }[]) => ({
  total,
  rows: rows.map(({ row, campaign, links, coupon }) => ({
    ...renamed(row, ['object', 'campaign', 'links', 'coupon', 'coupons']),
    campaign: renamed(campaign, ['object', 'commissionBasisPoints']),
    links: links.map((link) => renamed(link, ['object', 'url', 'affiliate_id'])),
    coupon: coupon && renamed(coupon, ['object', 'affiliate_id']),
  })),
})

const rowOfRest = (row: Row) => ({
  row,
  campaign: row.campaign as Row,
  links: row.links as Row[],
  coupon: row.coupon as Row | null,
})

function factsOfRest(answer: unknown) {
  const { pagination, data } = answer as { pagination: { total_count: number }; data: Row[] }
  return facts(pagination.total_count, data.map(rowOfRest))
}

type Nodes = { nodes: Row[] }

const rowOfGraphql = (row: Row) => ({
  row,
  campaign: row.campaign as Row,
  links: (row.links as Nodes).nodes,
  coupon: row.coupon as Row | null,
})

function factsOfGraphql(answer: unknown) {
  const { affiliates } = (answer as { data: { affiliates: Nodes & { totalCount: number } } }).data
  return facts(affiliates.totalCount, affiliates.nodes.map(rowOfGraphql))
}

const factsOfGraphqlAffiliate = (answer: unknown) =>
  facts(1, [rowOfGraphql((answer as { data: { affiliate: Row } }).data.affiliate)])

function factsOfPostgraphile(answer: unknown) {
  const { allAffiliates } = (answer as { data: { allAffiliates: Nodes & { totalCount: number } } }).data
  return facts(
    allAffiliates.totalCount,
    allAffiliates.nodes.map((row) => {
      const { commissionBasisPoints, ...campaign } = row.campaign as Row
      return {
        row,
        campaign: { ...campaign, commissionPercent: Number(commissionBasisPoints) / 100 },
        links: (row.links as Nodes).nodes,
        coupon: (row.coupons as Nodes).nodes[0] ?? null,
      }
    }),
  )
}
