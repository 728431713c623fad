import { createHmac } from 'node:crypto'
import { getIntrospectionQuery } from 'graphql'
import { headersOf } from './peers.ts'
import type { Server } from './servers.ts'

/** A request that is sent again and again. */
export type Flood = {
  method?: 'POST'
  path: string
  body?: object
  hasKey?: boolean
  /** The client disconnects so long after it has sent the request, in milliseconds. */
  leavesAfterMs?: number
}

const graphql = (query: string, variables: object = {}): Flood => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
  hasKey: true,
})
const times = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n))
const year = 'range: { preset: LAST_12_MONTHS }'

/** @param start begins each address, so that each import creates its affiliates */
export const csvOf = (start: string, lines = 2_000) =>
  ['email,first_name,coupon', ...times(lines, (n) => `${start}-${n}@example.com,Ada,${start}-${n}`)].join('\n')

export const importQuery =
  'mutation ($csv: String!, $dryRun: Boolean) { importAffiliates(input: { csv: $csv, dryRun: $dryRun }) { created skipped failed } }'

/** What of the flooding program the floods name. */
type Flooded = { endpointId: string; feedId: string }

const feedSecret = 'secret-of-bench'

/** Makes what the floods need: a webhook endpoint, and a feed with an event. */
export async function prepareFloods({ address }: Server, secret: string): Promise<Flooded> {
  const run = async (query: string) => {
    const body = JSON.stringify({ query })
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers: headersOf(secret), body })
    const { data, errors } = (await response.json()) as {
      data: Record<string, Record<string, { id: string }>>
      errors?: object[]
    }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const endpoint = await run(
    'mutation { createWebhookEndpoint(input: { url: "https://example.com/hook" }) { webhookEndpoint { id } } }',
  )
  const feed = await run(
    `mutation { createFeed(input: { kind: GENERIC, name: "Bench", secret: "${feedSecret}" }) { feed { id } } }`,
  )
  const endpointId = endpoint.createWebhookEndpoint?.webhookEndpoint?.id as string
  const feedId = feed.createFeed?.feed?.id as string
  const body = JSON.stringify({ id: 'event-1', x: `${'a'.repeat(24)}!` })
  const headers = {
    'Content-Type': 'application/json',
    'X-Signature': createHmac('sha256', feedSecret).update(body).digest('hex'),
  }
  const stored = await fetch(`${address}/feeds/${feedId}`, { method: 'POST', headers, body })
  if (!stored.ok) throw new Error(`The feed answered ${stored.status}.`)
  return { endpointId, feedId }
}

/** A pattern that takes without end for the event of the feed. */
const slowMapping = '$match(x, /^(a+)+$/)'
const deepWhere = (levels: number) => `${'{ and: ['.repeat(levels)}{}${'] }'.repeat(levels)}`

export const floodsOf = ({ endpointId, feedId }: Flooded): Record<string, Flood> => ({
  lists: graphql(
    '{ affiliates(first: 100) { nodes { id email campaign { name } links(first: 5) { nodes { id url } } } } }',
  ),
  importAffiliates: graphql(importQuery, { csv: csvOf('dry'), dryRun: true }),
  'imports whose clients leave': { ...graphql(importQuery, { csv: csvOf('left-NUMBER') }), leavesAfterMs: 50 },
  createAffiliates: graphql(
    'mutation ($all: [CreateAffiliateInput!]!) { createAffiliates(input: { affiliates: $all }) { __typename } }',
    { all: Array.from({ length: 100 }, (_, n) => ({ email: `many-NUMBER-${n}@example.com` })) },
  ),
  analytics: graphql(
    `{ ${times(
      25,
      (n) => `a${n}: analytics(${year}) { timeSeries(metric: SALES_AMOUNT) { interval points { start } } }`,
    ).join(' ')} }`,
  ),
  payoutPreview: graphql(`{ ${times(40, (n) => `a${n}: payoutPreview(first: 20) { totalCount }`).join(' ')} }`),
  simulateCampaign: graphql(
    '{ simulateCampaign(input: { rules: { commissionPercent: 12 }, range: { preset: LAST_12_MONTHS } }) { sales } }',
  ),
  planRules: graphql(
    '{ planRules(input: { rules: [], since: "2020-01-01T00:00:00Z" }) { sales changedSales largestChanges { __typename } } }',
  ),
  replayEvents: graphql(
    `mutation { replayEvents(input: { endpointId: "${endpointId}", where: { type: { equals: "affiliate.created" } } }) { count } }`,
  ),
  testFeedMapping: graphql(
    'query ($id: ID!, $mapping: String!) { testFeedMapping(feedId: $id, mapping: $mapping) { problem } }',
    {
      id: feedId,
      mapping: slowMapping,
    },
  ),
  'updateFeed of a mapping': graphql(
    'mutation ($id: ID!, $mapping: String!) { updateFeed(input: { id: $id, mapping: $mapping }) { __typename } }',
    { id: feedId, mapping: slowMapping },
  ),
  pauseFeed: graphql(`mutation { pauseFeed(input: { id: "${feedId}" }) { feed { id } } }`),
  'where of 700 levels': graphql(`{ commissions(where: ${deepWhere(700)}) { totalCount } }`),
  introspection: graphql(getIntrospectionQuery()),
  'a new introspection each time': graphql(`query Q_NUMBER ${getIntrospectionQuery().replace(/^query \w+/, '')}`),
  exports: { path: '/v1/exports/referrals?format=csv', hasKey: true },
  sales: {
    method: 'POST',
    path: '/v1/conversions',
    body: { external_id: 'NUMBER', amount_cents: 100, coupon: 'FLOODING', email: 'customer-NUMBER@example.com' },
    hasKey: true,
  },
  '/healthz': { path: '/healthz' },
  '404': { path: '/nothing' },
  'wrong keys': { path: '/v1/affiliates' },
})
