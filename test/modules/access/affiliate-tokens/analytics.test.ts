import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type GraphQLClient } from '../../../support/app.ts'
import { clientOf, tellStory } from './story.ts'

const test = await createTestApp()
let story: Awaited<ReturnType<typeof tellStory>>
let own: GraphQLClient

beforeAll(async () => {
  story = await tellStory(test)
  own = await clientOf(test, story.program, story.ada.id)
})

const numbers = `
  from to timeZone currency
  totals { visitors leads conversions sales salesAmount { formatted } commissionAccrued { amountCents } refunds }
  visitors: timeSeries(metric: VISITORS, interval: WEEK, compareTo: PREVIOUS_PERIOD) { points { label value comparison } }
  earned: timeSeries(metric: COMMISSION_ACCRUED, interval: MONTH) { points { label money { amountCents } } }`
const args = 'range: { preset: LAST_90_DAYS }, timeZone: "Europe/Berlin"'

it("an affiliate's numbers equal analytics filtered by that affiliate", async () => {
  const { me } = await own(`{ me { analytics(${args}) { ${numbers} } } }`)
  const { analytics } = await story.program.graphql(
    `query ($id: ID!) { analytics(${args}, where: { affiliateId: { equals: $id } }) { ${numbers} } }`,
    { id: story.ada.id },
  )
  expect(me.analytics).toEqual(analytics)
  expect(me.analytics.totals).toMatchObject({ visitors: 5, leads: 4, conversions: 3, sales: 3, refunds: 1 })
  const { analytics: all } = await story.program.graphql(`{ analytics(${args}) { totals { visitors sales } } }`)
  expect(all.totals.sales).toBeGreaterThan(me.analytics.totals.sales)
})

it('a page of affiliates returns the same numbers for each', async () => {
  const { affiliates } = await story.program.graphql(
    `{ affiliates { nodes { id analytics(${args}) { ${numbers} } } } }`,
  )
  expect(affiliates.nodes).toHaveLength(2)
  for (const { id, analytics: found } of affiliates.nodes) {
    const { analytics } = await story.program.graphql(
      `query ($id: ID!) { analytics(${args}, where: { affiliateId: { equals: $id } }) { ${numbers} } }`,
      { id },
    )
    expect(found).toEqual(analytics)
  }
})

it('different ranges, currencies and metrics in one request do not mix', async () => {
  const { me } = await own(`{ me {
    year: analytics(range: { preset: LAST_12_MONTHS }) { totals { sales } timeSeries(metric: SALES, interval: MONTH) { points { value } } }
    yesterday: analytics(range: { preset: YESTERDAY }) { totals { sales } timeSeries(metric: SALES) { points { value } } }
    euro: analytics(range: { preset: LAST_12_MONTHS }, currency: "eur") { totals { sales } }
  } }`)
  expect(me.year.totals.sales).toBe(3)
  expect(me.year.timeSeries.points).toHaveLength(12)
  expect(me.yesterday).toEqual({ totals: { sales: 0 }, timeSeries: { points: [{ value: 0 }] } })
  expect(me.euro.totals.sales).toBe(0)
})

it.each([
  ['{ analytics(range: { preset: TODAY }) { totals { visitors } } }', 'Query.analytics'],
  [
    '{ me { campaign { affiliates { nodes { analytics(range: { preset: TODAY }) { from } } } } } }',
    'Campaign.affiliates',
  ],
  ['{ me { program { affiliates { totalCount } } } }', 'Program.affiliates'],
  ['{ me { program { publishableKey } } }', 'Program.publishableKey'],
])(
  "no path leads to other affiliates' numbers, or to more of the program than what its portal shows: %s",
  async (query, field) => {
    await expect(own(query)).rejects.toThrow(`An affiliate token cannot read ${field}`)
  },
)

it('an invalid range is reported as for an API key', async () => {
  await expect(own('{ me { analytics(range: {}) { from } } }')).rejects.toThrow("can't be blank")
  await expect(own('{ me { analytics(range: { preset: TODAY }, timeZone: "Nowhere") { from } } }')).rejects.toThrow(
    'zone',
  )
})
