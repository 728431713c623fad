import { describe, expect, it } from 'vitest'
import { foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createCountedDatabase } from '../../support/database.ts'
import { createLead, createSeller, listed, recordVisit, reportSale } from '../../support/factories.ts'
import { readFacts, totalsOf, totalsQuery } from './facts.ts'

const database = await createCountedDatabase()
const app = await createTestApp({ database })
const { db } = app.database

const queryAnalytics = async (program: TestProgram, fields: string, args = 'range: { preset: THIS_YEAR }') =>
  (await program.graphql(`{ analytics(${args}) { ${fields} } }`)).analytics

/** Reads the totals of all time, and checks them against the sums of the rows. */
async function totals(program: TestProgram, currency = 'usd', now = app.clock.now) {
  const args = `range: { from: "1970-01-01T00:00:00Z", to: "2199-01-01T00:00:00Z" }, currency: "${currency}"`
  const { totals: found } = await queryAnalytics(program, totalsQuery, args)
  expect(found).toEqual(totalsOf(await readFacts(db, program.id), currency, now.getTime()))
  return found
}

describe('after every kind of write the totals equal the sums of the rows', async () => {
  const program = await app.createProgram()
  const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const cents = async () => {
    const found = await totals(program)
    return [found.commissionAccrued, found.commissionDue, found.commissionPaid, found.commissionVoid].map(
      (m) => m.amountCents,
    )
  }

  it('visits, leads, and sales by coupon, by e-mail, with a date, in another currency', async () => {
    expect(await totals(program)).toMatchObject({
      visitors: 0,
      conversionRate: null,
      averageSale: null,
      earningsPerClick: null,
    })
    await recordVisit(program, link.token)
    expect(await totals(program)).toMatchObject({ visitors: 1, leads: 0, leadRate: 0 })
    const { email } = await createLead(program, link.token)
    expect(await totals(program)).toMatchObject({ visitors: 2, leads: 1, leadRate: 0.5 })
    await reportSale(program, { email, amount_cents: 333 })
    await reportSale(program, { coupon, amount_cents: 1_000, occurred_at: '2025-12-31T23:59:59.999Z' })
    await reportSale(program, { coupon, currency: 'eur', amount_cents: 7 })
    expect(await totals(program)).toMatchObject({
      visitors: 4,
      conversions: 3,
      conversionRate: 0.75,
      sales: 2,
      averageSale: { amountCents: 667 },
      earningsPerClick: { amountCents: 33 },
    })
    expect(await totals(program, 'eur')).toMatchObject({ sales: 1, salesAmount: { amountCents: 7 } })
    expect((await queryAnalytics(program, 'totals { sales }', 'range: { preset: LAST_YEAR }')).totals.sales).toBe(1)
  })

  it('amended, void, paid and refunded commissions', async () => {
    expect(await cents()).toEqual([133, 133, 0, 0])
    const { commission, sale_id } = await reportSale(program, { coupon })
    await program.put(`/commissions/${commission.id}`, { amount: 900 })
    expect(await cents()).toEqual([1_033, 1_033, 0, 0])
    const { commission: voided } = await reportSale(program, { coupon })
    await program.delete(`/commissions/${voided.id}`)
    expect(await cents()).toEqual([1_033, 1_033, 0, 1_000])
    await program.post('/conversions/refund', { sale_id, amount_cents: 5_000 })
    expect(await cents()).toEqual([633, 633, 0, 1_000])
    for (const { id } of await listed(program, '/payouts?state=pending')) await program.post(`/payouts/${id}/pay`)
    expect(await cents()).toEqual([633, 0, 633, 1_000])
    await program.post('/conversions/refund', { sale_id })
    expect(await cents()).toEqual([133, -500, 633, 1_000])
    expect(await totals(program)).toMatchObject({ refunds: 2, refundAmount: { amountCents: 10_000 } })
  })
})

it('counts a held commission as due only after its approval, and separately in the liability', async () => {
  const program = await app.createProgram()
  const { coupon, affiliate } = await createSeller(program, {
    days_before_commissions_are_due: 0,
    self_referrals: 'hold',
  })
  const { commission } = await reportSale(program, { coupon, email: affiliate.email })
  const liability = async () =>
    (
      await queryAnalytics(
        program,
        'liability { currency owed { amountCents } held { amountCents } weeks { week amount { formatted } commissions } }',
      )
    ).liability
  expect((await totals(program)).commissionDue.amountCents).toBe(0)
  expect(await liability()).toEqual([
    { currency: 'usd', owed: { amountCents: 0 }, held: { amountCents: 1_000 }, weeks: [] },
  ])
  await db.commission.update({
    where: { programId_id: { programId: program.id, id: commission.id } },
    data: { heldReason: null },
  })
  await db.$executeRaw`insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, request_id, at)
    select program_id, gen_random_uuid(), id, 'approved', 0, currency, 'system', '-', now() from commissions where program_id = ${program.id}::uuid`
  await listed(program, '/payouts')
  expect((await totals(program)).commissionDue.amountCents).toBe(1_000)
  expect(await liability()).toEqual([
    {
      currency: 'usd',
      owed: { amountCents: 1_000 },
      held: { amountCents: 0 },
      weeks: [{ week: '2026-W11', amount: { formatted: '10.00 USD' }, commissions: 1 }],
    },
  ])
})

it("counts a commission as due by the sandbox's own clock, to the millisecond", async () => {
  const program = await app.createProgram({ isSandbox: true })
  const { coupon } = await createSeller(program, { days_before_commissions_are_due: 30 })
  await reportSale(program, { coupon })
  const range = 'range: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" }'
  const due = async () =>
    (await queryAnalytics(program, 'totals { commissionDue { amountCents } }', range)).totals.commissionDue.amountCents
  expect(await due()).toBe(0)
  await app.operator(`mutation { advanceClock(input: { programId: "${program.id}", days: 29 }) { __typename } }`)
  expect(await due()).toBe(0)
  const { now } = app.clock
  app.clock.advanceDays(1)
  expect(await due()).toBe(1_000)
  const elapsed = app.clock.now.getTime() - now.getTime()
  expect(elapsed).toBe(86_400_000)
  app.clock.advanceMinutes(-1 / 60_000)
  expect(await due()).toBe(0)
  app.clock.advanceMinutes(1 / 60_000)
  app.clock.advanceDays(-1)
})

it('a series has a point for every interval, with its comparison', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const [occurred_at, amount_cents] of [
    ['2026-03-01T22:59:59Z', 100],
    ['2026-03-01T23:00:00Z', 200],
    ['2025-03-02T12:00:00Z', 50],
    ['2026-02-26T12:00:00Z', 30],
  ])
    await reportSale(program, { coupon, occurred_at, amount_cents })
  const args = 'range: { from: "2026-02-28T23:00:00Z", to: "2026-03-03T23:00:00Z" }, timeZone: "Europe/Berlin"'
  const series = async (compareTo: string) =>
    (
      await queryAnalytics(
        program,
        `timeSeries(metric: SALES_AMOUNT, compareTo: ${compareTo}) { metric interval points { start label value money { amountCents } comparison comparisonMoney { amountCents } } }`,
        args,
      )
    ).timeSeries
  const years = await series('PREVIOUS_YEAR')
  expect([years.metric, years.interval]).toEqual(['SALES_AMOUNT', 'DAY'])
  expect(
    years.points.map((p: any) => [
      p.start,
      p.label,
      p.value,
      p.money.amountCents,
      p.comparison,
      p.comparisonMoney.amountCents,
    ]),
  ).toEqual([
    ['2026-02-28T23:00:00.000Z', '2026-03-01', null, 100, null, 0],
    ['2026-03-01T23:00:00.000Z', '2026-03-02', null, 200, null, 50],
    ['2026-03-02T23:00:00.000Z', '2026-03-03', null, 0, null, 0],
  ])
  const before = await series('PREVIOUS_PERIOD')
  expect(before.points.map((p: any) => p.comparisonMoney.amountCents)).toEqual([30, 0, 0])
  const { timeSeries } = await queryAnalytics(
    program,
    'timeSeries(metric: CONVERSION_RATE, interval: MONTH) { points { label value } }',
    'range: { preset: THIS_QUARTER }',
  )
  expect(timeSeries.points).toEqual([
    { label: '2026-01', value: null },
    { label: '2026-02', value: null },
    { label: '2026-03', value: 0.5 },
  ])
})

it('a day that a zone skipped at the date line is empty, and takes nothing from the next one', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const occurred_at of ['2011-12-30T09:59:00Z', '2011-12-30T10:00:00Z', '2011-12-31T09:59:00Z'])
    await reportSale(program, { coupon, occurred_at })
  const args = 'range: { from: "2011-12-29T10:00:00Z", to: "2012-01-01T10:00:00Z" }, timeZone: "Pacific/Apia"'
  const { timeSeries } = await queryAnalytics(program, 'timeSeries(metric: SALES) { points { label value } }', args)
  expect(timeSeries.points.map((p: any) => [p.label, p.value])).toEqual([
    ['2011-12-29', 1],
    ['2011-12-30', 0],
    ['2011-12-31', 2],
    ['2012-01-01', 0],
  ])
})

it('groups a series by its largest values, in two statements on facts, with everything else as the rest', async () => {
  const program = await app.createProgram()
  const sellers = [await createSeller(program), await createSeller(program), await createSeller(program)]
  for (const [n, amount_cents, occurred_at] of [
    [0, 100, '2026-02-01T12:00:00Z'],
    [1, 300, '2026-02-01T12:00:00Z'],
    [1, 500, '2026-03-01T12:00:00Z'],
    [2, 50, '2026-03-01T12:00:00Z'],
  ] as const)
    await reportSale(program, { coupon: sellers[n]?.coupon, amount_cents, occurred_at })
  await recordVisit(program, sellers[0]?.link.token ?? '')
  const range = 'range: { from: "2026-02-01T00:00:00Z", to: "2026-04-01T00:00:00Z" }'
  const series = async (
    args: string,
    fields = 'groups { subjectId label isRest points { value money { amountCents } } }',
  ) => (await queryAnalytics(program, `timeSeries(interval: MONTH, ${args}) { ${fields} }`, range)).timeSeries.groups
  const amounts = (groups: any) =>
    groups.map(({ label, points }: any) => [label, ...points.map((p: any) => p.money?.amountCents ?? p.value)])

  database.statements.length = 0
  const byAffiliate = await series('metric: SALES_AMOUNT, groupBy: AFFILIATE, top: 1')
  expect(database.statements.filter((sql) => sql.includes('analytics_'))).toHaveLength(2)
  expect(byAffiliate).toMatchObject([
    { subjectId: sellers[1]?.affiliate.id, isRest: false },
    { subjectId: null, label: 'other', isRest: true },
  ])
  expect(amounts(byAffiliate)).toEqual([
    [sellers[1]?.affiliate.email, 300, 500],
    ['other', 100, 50],
  ])
  expect(await series('metric: SALES_AMOUNT, groupBy: AFFILIATE')).toHaveLength(3)
  const byCampaign = await series('metric: SALES_AMOUNT, groupBy: CAMPAIGN')
  expect(byCampaign.map(({ isRest }: any) => isRest)).toEqual([false, false, false])
  // No sale came through a link, and the visit has no coupon.
  expect(amounts(await series('metric: SALES_AMOUNT, groupBy: SOURCE'))).toEqual([['other', 400, 550]])
  expect(amounts(await series('metric: VISITORS, groupBy: COUPON, top: 50')).at(-1)).toEqual(['other', 0, 1])
  // The rate of the rest is that of its sums.
  expect(amounts(await series('metric: AVERAGE_SALE, groupBy: AFFILIATE, top: 2')).at(-1)).toEqual(['other', null, 50])
  expect(await series('metric: SALES_AMOUNT')).toEqual([])
  await expect(series('metric: SALES, groupBy: CURRENCY')).rejects.toThrow("Group by can't be currency")
  await expect(series('metric: SALES, groupBy: SOURCE, top: 51')).rejects.toThrow('Top must be from 1 to 50')
  await expect(series('metric: SALES, top: 5')).rejects.toThrow("Top can't be given without groupBy")
})

it('ranks affiliates, links and currencies, and reads the affiliates in one query', async () => {
  const program = await app.createProgram()
  const [one, other] = [await createSeller(program), await createSeller(program)]
  await reportSale(program, { coupon: one.coupon, amount_cents: 100 })
  await reportSale(program, { coupon: other.coupon, amount_cents: 300 })
  await reportSale(program, { coupon: other.coupon, amount_cents: 1, currency: 'jpy' })
  await recordVisit(program, one.link.token)
  const top = async (by: string, dimension: string) =>
    (
      await queryAnalytics(
        program,
        `top(by: ${by}, dimension: ${dimension}) { rank subjectId label value money { formatted } affiliate { id email } }`,
      )
    ).top
  database.statements.length = 0
  expect(await top('SALES_AMOUNT', 'AFFILIATE')).toEqual(
    [other, one].map(({ affiliate: { id, email } }, n) => ({
      rank: n + 1,
      subjectId: id,
      label: email,
      value: null,
      money: { formatted: n === 0 ? '3.00 USD' : '1.00 USD' },
      affiliate: { id, email },
    })),
  )
  expect(database.statements.filter((sql) => /analytics_by_source|"affiliates"/.test(sql))).toHaveLength(2)
  expect((await top('VISITORS', 'SOURCE')).map(({ label, value }: any) => [label, value])).toEqual([
    [one.link.token, 1],
  ])
  // The earlier name.
  expect(await top('VISITORS', 'LINK')).toEqual(await top('VISITORS', 'SOURCE'))
  expect((await top('SALES_AMOUNT', 'CURRENCY')).map(({ label, money }: any) => [label, money.formatted])).toEqual([
    ['usd', '4.00 USD'],
    ['jpy', '1 JPY'],
  ])
  await expect(top('EARNINGS_PER_CLICK', 'CURRENCY')).rejects.toThrow('visitors, leads and conversions have none')
  const rates = (minimum: number) =>
    queryAnalytics(program, `top(by: CONVERSION_RATE, dimension: AFFILIATE, minimum: ${minimum}) { value base }`)
  expect((await rates(2)).top).toEqual([
    { value: 1, base: 2 },
    { value: 0.5, base: 2 },
  ])
  expect((await rates(3)).top).toEqual([])
  const { funnel } = await queryAnalytics(
    program,
    'funnel(by: AFFILIATE) { subjectId visitors leads conversions sales conversionRate }',
  )
  expect(funnel).toEqual([
    { subjectId: one.affiliate.id, visitors: 2, leads: 1, conversions: 1, sales: 1, conversionRate: 0.5 },
    { subjectId: other.affiliate.id, visitors: 2, leads: 2, conversions: 2, sales: 1, conversionRate: 1 },
  ])
  const { funnel: all } = await queryAnalytics(program, 'funnel { subjectId label visitors sales }')
  expect(all).toEqual([{ subjectId: null, label: 'all', visitors: 4, sales: 2 }])
})

it('cohorts are of one currency, and each customer is once in those of all', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const [email, currency, occurred_at] of [
    ['a@example.com', 'eur', '2026-01-05T12:00:00Z'],
    ['a@example.com', 'usd', '2026-02-05T12:00:00Z'],
    ['b@example.com', 'usd', '2026-02-06T12:00:00Z'],
    ['c@example.com', 'eur', '2026-02-07T12:00:00Z'],
    ['c@example.com', 'eur', '2026-03-07T12:00:00Z'],
  ])
    await reportSale(program, { coupon, email, currency, occurred_at, amount_cents: 1_000 })
  const read = async (currency: string) =>
    await queryAnalytics(
      program,
      `cohorts { month customers salesAmount { amountCents currency } periods { activeCustomers } }
        customerCohorts { month customers periods { activeCustomers } }`,
      `range: { preset: THIS_YEAR }, currency: "${currency}"`,
    )
  const rowsOf = (cohorts: any[]) =>
    cohorts.map(({ customers, salesAmount, periods }) => [
      customers,
      ...(salesAmount ? [salesAmount.amountCents] : []),
      periods.map((period: any) => period.activeCustomers),
    ])
  for (const fold of [false, true]) {
    if (fold) await foldDeltas(app.database.db)
    const [usd, eur] = [await read('usd'), await read('eur')]
    expect(rowsOf(usd.cohorts)).toEqual([
      [0, 0, [0, 0, 0]],
      [2, 2_000, [2, 0]],
      [0, 0, [0]],
    ])
    expect(rowsOf(eur.cohorts)).toEqual([
      [1, 1_000, [1, 0, 0]],
      [1, 2_000, [1, 1]],
      [0, 0, [0]],
    ])
    expect(rowsOf(usd.customerCohorts)).toEqual([
      [1, [1, 1, 0]],
      [2, [2, 1]],
      [0, [0]],
    ])
    expect(eur.customerCohorts).toEqual(usd.customerCohorts)
  }
})

it('cohorts group customers by the month of their first sale', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  for (const [email, occurred_at] of [
    ['a@example.com', '2025-12-31T12:00:00Z'],
    ['a@example.com', '2026-02-01T12:00:00Z'],
    ['b@example.com', '2026-01-02T12:00:00Z'],
    ['b@example.com', '2026-03-02T12:00:00Z'],
    ['b@example.com', '2026-03-03T12:00:00Z'],
    ['c@example.com', '2026-01-31T23:30:00Z'],
  ])
    await reportSale(program, { coupon, email, occurred_at })
  const cohorts = async (timeZone: string) =>
    (
      await queryAnalytics(
        program,
        'cohorts { month customers salesAmount { amountCents } periods { index activeCustomers retention } }',
        `range: { preset: THIS_YEAR }, timeZone: "${timeZone}"`,
      )
    ).cohorts
  expect(await cohorts('UTC')).toEqual([
    {
      month: '2026-01',
      customers: 2,
      salesAmount: { amountCents: 40_000 },
      periods: [
        { index: 0, activeCustomers: 2, retention: 1 },
        { index: 1, activeCustomers: 0, retention: 0 },
        { index: 2, activeCustomers: 1, retention: 0.5 },
      ],
    },
    {
      month: '2026-02',
      customers: 0,
      salesAmount: { amountCents: 0 },
      periods: [
        { index: 0, activeCustomers: 0, retention: null },
        { index: 1, activeCustomers: 0, retention: null },
      ],
    },
    {
      month: '2026-03',
      customers: 0,
      salesAmount: { amountCents: 0 },
      periods: [{ index: 0, activeCustomers: 0, retention: null }],
    },
  ])
  expect((await cohorts('Europe/Berlin')).map((c: any) => c.customers)).toEqual([1, 1, 0])
})

it('never counts rows of another program', async () => {
  const [mine, theirs] = [await app.createProgram(), await app.createProgram()]
  const { coupon, affiliate, campaign } = await createSeller(theirs)
  await reportSale(theirs, { coupon })
  for (const where of [
    {},
    { affiliateId: { equals: affiliate.id } },
    { campaignId: { in: [campaign.id] } },
    { affiliateId: { equals: 'x' } },
  ]) {
    const { analytics } = await mine.graphql(
      `query ($where: AnalyticsWhere) { analytics(range: { preset: THIS_YEAR }, where: $where) {
        totals { sales visitors } top(by: SALES, dimension: AFFILIATE) { subjectId } timeSeries(metric: SALES, interval: MONTH, groupBy: AFFILIATE) { groups { label } } funnel(by: CAMPAIGN) { subjectId } liability { currency } cohorts { customers }
      } }`,
      { where },
    )
    expect(analytics).toMatchObject({ totals: { sales: 0, visitors: 0 }, top: [], funnel: [], liability: [] })
    expect(analytics.timeSeries.groups).toEqual([])
    expect(analytics.cohorts.every(({ customers }: any) => customers === 0)).toBe(true)
  }
  expect((await queryAnalytics(theirs, 'totals { sales }')).totals.sales).toBe(1)
})

it.each([
  ['range: {}', "Preset can't be blank when from and to are not given"],
  ['range: { preset: TODAY, to: "2026-01-01T00:00:00Z" }', "Preset can't be combined with from and to"],
  ['range: { from: "2026-01-01T00:00:00Z" }', "To can't be blank"],
  ['range: { from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }', 'To must be later than from'],
  ['range: { preset: TODAY }, timeZone: "+02:00"', 'Time zone is not the name of an IANA time zone'],
  ['range: { preset: TODAY }, currency: "dollars"', 'Currency is not an ISO 4217 currency code'],
])('%s is rejected', async (args, message) => {
  const program = await app.createProgram()
  await expect(queryAnalytics(program, 'timeZone', args)).rejects.toThrow(message)
})

it('rejects too many points and invalid limits', async () => {
  const program = await app.createProgram()
  const years = 'range: { from: "2020-01-01T00:00:00Z", to: "2024-01-01T00:00:00Z" }'
  await expect(queryAnalytics(program, 'timeSeries(metric: SALES) { interval }', years)).rejects.toThrow(
    'more than 1000 points',
  )
  expect(
    (await queryAnalytics(program, 'timeSeries(metric: SALES, interval: WEEK) { points { label } }', years)).timeSeries
      .points,
  ).toHaveLength(209)
  await expect(queryAnalytics(program, 'top(by: SALES, dimension: SOURCE, limit: 0) { subjectId }')).rejects.toThrow(
    'Limit must be from 1 to 100',
  )
})

it('filters affiliates and campaigns with the conditions of their lists', async () => {
  const program = await app.createProgram()
  const [ada, bob] = [await createSeller(program), await createSeller(program)]
  await program.put(`/affiliates/${ada.affiliate.id}`, { first_name: 'Ada' })
  await program.put(`/campaigns/${bob.campaign.id}`, { name: 'Launch' })
  for (const [{ coupon }, amount_cents] of [
    [ada, 1_000],
    [bob, 5_000],
  ] as const)
    await reportSale(program, { coupon, amount_cents })
  const salesCents = async (where: string) =>
    (
      await queryAnalytics(
        program,
        'totals { salesAmount { amountCents } }',
        `range: { preset: LAST_7_DAYS }, where: ${where}`,
      )
    ).totals.salesAmount.amountCents
  expect(await salesCents('{ affiliate: { search: "ada" } }')).toBe(1_000)
  expect(await salesCents('{ campaign: { name: { equals: "Launch" } } }')).toBe(5_000)
  expect(await salesCents('{ affiliate: { search: "ada" }, campaign: { name: { equals: "Launch" } } }')).toBe(0)
})

it('totals are compared with the same part of the time before', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const { now } = app.clock
  const sell = (daysAgo: number, amount_cents: number) =>
    reportSale(program, {
      coupon,
      amount_cents,
      occurred_at: new Date(now.getTime() - daysAgo * 86_400_000).toISOString(),
    })
  await sell(1, 100)
  await sell(8, 20)
  await sell(15, 3)
  await sell(366, 5_000)
  const day = (daysAgo: number) => new Date(Math.floor(now.getTime() / 86_400_000 - daysAgo) * 86_400_000).toISOString()
  const compared = async (compareTo: string, from: number, to: number) =>
    (
      await queryAnalytics(
        program,
        `comparison(compareTo: ${compareTo}) { salesAmount { cents } }`,
        `range: { from: "${day(from)}", to: "${day(to)}" }`,
      )
    ).comparison.salesAmount.cents
  expect(await compared('PREVIOUS_PERIOD', 6, -1)).toBe(20)
  expect(await compared('PREVIOUS_YEAR', 6, -1)).toBe(5_000)
  // A range that ends in ten days has nine days so far, today with it.
  expect(await compared('PREVIOUS_PERIOD', 8, -10)).toBe(3)
})
