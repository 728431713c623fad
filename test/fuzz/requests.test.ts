import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { superset } from '../rest/openapi-contract.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { createWorld, type Kind } from '../tenancy/world.ts'
import { graphqlRequests } from './graphql-requests.ts'
import { restRequests } from './rest-requests.ts'
import type { Samples } from './values.ts'

// Requests that are made from the OpenAPI document and from the schema. FUZZ_SEED repeats a run.

const runs = Number(process.env.FUZZ_RUNS)
/** Thousands of requests take minutes. */
const timeout = 30 * 60_000
const seed = Number(process.env.FUZZ_SEED)
console.log(`FUZZ_SEED=${seed}`)

const test = await createTestApp({ requestsPer30Seconds: 1_000_000_000 })
const program = await test.createProgram()
const world = createWorld(test, program, 'quokka')
const samples: Samples = { ids: [], texts: [] }

beforeAll(async () => {
  const input = { id: program.keyId, profile: 'SUPERSET' }
  await test.operator('mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { __typename } }', { input })
  const kinds = [
    'affiliate',
    'campaign',
    'link',
    'coupon',
    'referral',
    'customer',
    'sale',
    'commission',
    'refund',
  ] as const
  const others = ['payout', 'unattributedSale', 'event', 'webhookEndpoint', 'webhookDelivery'] as const
  const words = ['linkToken', 'couponToken', 'affiliateEmail', 'customerEmail', 'saleExternalId', 'billingId'] as const
  for (const kind of [...kinds, ...others] as Kind[]) samples.ids.push(await world.get(kind))
  for (const kind of words) samples.texts.push(await world.get(kind))
})

/** Words of the inside of the service. What was sent can be repeated, so only parts that are not sent count. */
const internal =
  /node_modules|\bat \S+ \(|prisma|\bpg_|postgres|pglite|SELECT |INSERT INTO|\/src\/|\.[tj]s:\d|\bundefined\b/gi

function expectNothingInternal(text: string, sent: string): void {
  const leaked = [...text.matchAll(internal)].filter(([word]) => !sent.includes(word))
  if (leaked.length > 0) expect.fail(`internal words ${leaked.map(([word]) => word).join(', ')} in ${text}`)
}

it(
  `${runs} requests of REST: no 500, no internal word, each answer as documented`,
  async () => {
    const property = fc.asyncProperty(restRequests(samples), async ({ operation, path, init }) => {
      const headers = { Authorization: `Bearer ${program.secret}`, ...(init.headers as object) }
      const response = await test.app.fetch(new Request(`http://localhost:4000/v1${path}`, { ...init, headers }))
      const text = await response.clone().text()
      expect(response.headers.get('x-request-id')).toMatch(/\S/)
      expectNothingInternal(text, `${path} ${decodeURIComponent(path)} ${init.body}`)
      expect(response.status).toBeLessThan(500)
      if (response.status >= 400) expect(JSON.parse(text)).toMatchObject({ error: expect.any(String) })
      if (response.status < 300) await superset.expectDocumented(operation, response)
    })
    await fc.assert(property, { numRuns: runs, seed })
  },
  timeout,
)

it(
  `${runs} requests of GraphQL: no internal error, no internal word, each error with a code`,
  async () => {
    const property = fc.asyncProperty(graphqlRequests(samples), fc.boolean(), async (body, asOperator) => {
      // What an operator changes could be the key.
      const isOperator = asOperator && body.query.startsWith('query')
      const response = await test.app.fetch(
        new Request('http://localhost:4000/graphql', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${isOperator ? adminToken : program.secret}`,
            'Content-Type': 'application/json',
            ...(isOperator && { 'X-Program-Id': program.id }),
          },
          body: JSON.stringify(body),
        }),
      )
      const text = await response.text()
      expect(response.headers.get('x-request-id')).toMatch(/\S/)
      expect(response.status).toBeLessThan(500)
      const { errors = [] } = JSON.parse(text) as { errors?: { extensions: { code: string } }[] }
      for (const error of errors) {
        expectNothingInternal(JSON.stringify(error), JSON.stringify(body))
        expect(error).toMatchObject({ message: expect.any(String), extensions: { code: expect.any(String) } })
        expect(error.extensions.code).not.toBe('INTERNAL')
      }
    })
    await fc.assert(property, { numRuns: runs, seed })
  },
  timeout,
)
