import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildCalendars } from '../../../src/modules/analytics/build-calendars.ts'
import { foldDeltas, foldLock } from '../../../src/modules/analytics/fold.ts'
import { makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, type GraphQLClient, graphqlClient } from '../../support/app.ts'
import { examples } from '../../support/examples.ts'
import { createRandom } from '../../support/money-traffic.ts'
import { type Fact, readFacts, totalsOf, totalsQuery } from './facts.ts'

type Dimension = 'affiliate' | 'campaign' | 'source' | 'coupon'
const keyOf = (fact: Fact, dimension: Dimension) => fact[dimension === 'source' ? 'link' : dimension]

// Compares analytics with totals that are computed from the single rows of a demo program of ten months, or 25 in deep mode.
// The results must be equal for any number of unfolded deltas.

const app = await createTestApp()
const { db } = app.database
const now = app.clock.now.getTime()
const seed = randomInt(2 ** 31)
const random = createRandom(seed)
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana']

let query: GraphQLClient
let facts: Fact[]
beforeAll(async () => {
  const demo = await makeDemoProgram(db, { now: app.clock.now, months: Math.min(examples(10), 25) })
  query = graphqlClient(app.app.fetch, { Authorization: `Bearer ${demo?.secret}` })
  facts = await readFacts(db, demo?.program.id ?? '')
})

const within = ({ from, to }: { from: Date; to: Date }) =>
  facts.filter(({ at }) => at >= from.getTime() && at < to.getTime())

/** A random range of milliseconds to months. Its ends are often the exact time of a fact. */
function randomRange() {
  const at = () => (facts[Math.floor(random() * facts.length)] as Fact).at
  const rounds = [1, 1_000, 900_000, 3_600_000, 86_400_000]
  const round = rounds[Math.floor(random() * rounds.length)] as number
  const [a, b] = [at(), random() < 0.3 ? at() : at() + Math.floor(random() * 5 * 86_400_000)].map(
    (ms) => Math.floor(ms / round) * round,
  ) as [number, number]
  return { from: new Date(Math.min(a, b)), to: new Date(Math.max(a, b) + 1) }
}

/** Builds the rollup of a time zone that has been asked for: a program has one. The app also does, at any time. */
async function buildZones() {
  const buildAll = async () => {
    for (const timeZone of zones)
      await queryAnalytics('cohorts { month }', { range: { preset: 'THIS_YEAR' }, timeZone })
    await buildCalendars(db)
    const calendars = await db.analyticsCalendar.findMany()
    expect(calendars.map(({ builtUntil }) => builtUntil)).toEqual(['ffffffff-ffff-ffff-ffff-ffffffffffff'])
  }
  await vi.waitFor(buildAll, { timeout: 240_000, interval: 100 })
}

const queryAnalytics = async (fields: string, variables: object) =>
  (
    await query(
      `query ($range: AnalyticsRange!, $timeZone: String, $where: AnalyticsWhere) {
        analytics(range: $range, timeZone: $timeZone, where: $where) { ${fields} }
      }`,
      { ...variables },
    )
  ).analytics

const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T

/** The label of each fact's interval in a time zone, computed by PostgreSQL. */
async function labelsOf(sales: readonly Fact[], timeZone: string, interval: string): Promise<string[]> {
  const form = { day: 'YYYY-MM-DD', week: 'IYYY"-W"IW', month: 'YYYY-MM', quarter: 'YYYY"-Q"Q' }[interval] ?? ''
  const ats = JSON.stringify(sales.map(({ at }) => new Date(at)))
  const rows = await db.$queryRawUnsafe<{ label: string }[]>(
    `select to_char(at::text::timestamptz at time zone $2, $3) as label
     from jsonb_array_elements_text($1::jsonb) with ordinality a(at, n) order by n`,
    ats,
    timeZone,
    form,
  )
  return rows.map(({ label }) => label)
}

describe.each(['not folded', 'partly folded', 'folded', 'rebuilt'])(`%s (seed ${seed})`, (state) => {
  beforeAll(async () => {
    if (state === 'partly folded') {
      await foldDeltas(db)
      await buildZones()
      // These updates subtract every fact of some commissions and add it again.
      await db.$executeRaw`update commissions set amount_cents = amount_cents + 1 where amount_cents > 0 and id::text like '%7'`
      await db.$executeRaw`update commissions set amount_cents = amount_cents - 1 where amount_cents > 1 and id::text like '%7'`
      // The rollup gets the first sales of some customers, and sales of others, in the wrong months.
      await db.$executeRaw`update sales set occurred_at = occurred_at - interval '50 days', amount_cents = amount_cents + 1 where id::text like '%7'`
      await foldDeltas(db)
      await db.$executeRaw`update sales set occurred_at = occurred_at + interval '50 days', amount_cents = amount_cents - 1 where id::text like '%7'`
    }
    if (state === 'folded') await foldDeltas(db)
    // A migration that changes what counts does the same to a database that has rows.
    if (state === 'rebuilt') {
      await db.$transaction([
        db.$executeRaw`select pg_advisory_xact_lock(${foldLock}::bigint)`,
        db.$executeRaw`select analytics_rebuild()`,
      ])
      await buildZones()
    }
  })

  it('totals of any range are the sums of its rows', async () => {
    for (let n = 0; n < examples(6); n += 1) {
      const range = randomRange()
      const { totals } = await queryAnalytics(totalsQuery, { range })
      expect(totals, JSON.stringify(range)).toEqual(totalsOf(within(range), 'usd', now))
    }
  })

  it('totals with a filter are the sums of the matching rows', async () => {
    for (let n = 0; n < examples(6); n += 1) {
      const range = randomRange()
      const fact = pick(facts)
      const cases: [object, (fact: Fact) => boolean][] = [
        [{ affiliateId: { equals: fact.affiliate } }, ({ affiliate }) => affiliate === fact.affiliate],
        [{ affiliateId: { not: fact.affiliate } }, ({ affiliate }) => affiliate !== fact.affiliate],
        [{ campaignId: { in: [fact.campaign] } }, ({ campaign }) => campaign === fact.campaign],
        [{ linkId: { equals: fact.link } }, ({ link }) => link === fact.link],
        [
          { couponId: { not: null }, campaignId: { not: fact.campaign } },
          ({ coupon, campaign }) => coupon !== null && campaign !== fact.campaign,
        ],
      ]
      const [where, matches] = pick(cases)
      const { totals } = await queryAnalytics(totalsQuery, { range, where })
      expect(totals, JSON.stringify({ range, where })).toEqual(totalsOf(within(range).filter(matches), 'usd', now))
    }
  })

  it('a series in any time zone counts each fact in the interval of its local time', async () => {
    for (let n = 0; n < examples(6); n += 1) {
      const timeZone = pick(zones)
      const interval = pick(['day', 'week', 'month', 'quarter'])
      const range = randomRange()
      const where = random() < 0.3 ? { affiliateId: { equals: pick(facts).affiliate } } : null
      const { timeSeries } = await queryAnalytics(
        `timeSeries(metric: SALES_AMOUNT, interval: ${interval.toUpperCase()}) { points { label money { amountCents } } }`,
        { range, timeZone, where },
      )
      const sales = within(range).filter(
        ({ kind, currency, affiliate, amount }) =>
          kind === 'sale' && currency === 'usd' && amount !== 0n && (!where || affiliate === where.affiliateId.equals),
      )
      const expected: Record<string, number> = {}
      const labels = await labelsOf(sales, timeZone, interval)
      for (const [i, label] of labels.entries())
        expected[label] = (expected[label] ?? 0) + Number((sales[i] as Fact).amount)
      const found = timeSeries.points.filter((point: any) => point.money.amountCents !== 0)
      const input = JSON.stringify({ range, timeZone, interval })
      expect(Object.fromEntries(found.map((point: any) => [point.label, point.money.amountCents])), input).toEqual(
        expected,
      )
    }
  })

  it('the series of groups and of the rest are the sums of their rows, compared too', async () => {
    for (let n = 0; n < examples(6); n += 1) {
      const dimension = pick(['affiliate', 'campaign', 'source', 'coupon'] as const)
      const [timeZone, interval, range] = [pick(zones), pick(['week', 'month']), randomRange()]
      // 50 groups by week, compared, cost more than a query may.
      const top = pick(interval === 'week' ? [1, 3] : [1, 3, 50])
      const where = random() < 0.3 ? { campaignId: { equals: pick(facts).campaign } } : null
      const point = '{ label money { amountCents } comparisonMoney { amountCents } }'
      const { timeSeries } = await queryAnalytics(
        `timeSeries(metric: COMMISSION_ACCRUED, interval: ${interval.toUpperCase()}, compareTo: PREVIOUS_PERIOD,
          groupBy: ${dimension.toUpperCase()}, top: ${top}) { points ${point} groups { subjectId isRest points ${point} } }`,
        { range, timeZone, where },
      )
      const counted = within(range).filter(
        ({ kind, currency, campaign }) =>
          kind === 'accrued' && currency === 'usd' && (!where || campaign === where.campaignId.equals),
      )
      const labels = await labelsOf(counted, timeZone, interval)
      const own = timeSeries.groups.flatMap(({ subjectId }: any) => subjectId ?? [])
      const expected: Record<string, number> = {}
      for (const [index, fact] of counted.entries()) {
        const group = own.includes(keyOf(fact, dimension)) ? keyOf(fact, dimension) : 'rest'
        const key = `${group} ${labels[index]}`
        expected[key] = (expected[key] ?? 0) + Number(fact.amount)
      }
      const found = timeSeries.groups.flatMap(({ subjectId, points }: any) =>
        points.map(({ label, money }: any) => [`${subjectId ?? 'rest'} ${label}`, money.amountCents]),
      )
      const withoutZeros = (sums: Record<string, number>) =>
        Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0))
      const input = JSON.stringify({ dimension, range, timeZone, interval, top, where })
      expect(withoutZeros(Object.fromEntries(found)), input).toEqual(withoutZeros(expected))
      for (const [index, { money, comparisonMoney }] of timeSeries.points.entries()) {
        const sumOf = (name: string) =>
          timeSeries.groups.reduce((sum: number, { points }: any) => sum + points[index][name].amountCents, 0)
        expect([sumOf('money'), sumOf('comparisonMoney')], input).toEqual([
          money.amountCents,
          comparisonMoney.amountCents,
        ])
      }
    }
  })

  it('cohorts in any time zone are those of the single sales', async () => {
    for (let n = 0; n < examples(8); n += 1) {
      const timeZone = pick(zones)
      const range = random() < 0.5 ? randomRange() : { preset: pick(['THIS_YEAR', 'LAST_12_MONTHS', 'LAST_90_DAYS']) }
      const fact = pick(facts)
      const where = random() < 0.4 ? { campaignId: { equals: fact.campaign } } : null
      const field = pick(['cohorts', 'customerCohorts'])
      const ofUsd = field === 'cohorts'
      const sales = facts.filter(
        ({ kind, campaign, currency }) =>
          kind === 'sale' && (!where || campaign === fact.campaign) && (!ofUsd || currency === 'usd'),
      )
      const amount = ofUsd ? 'salesAmount { amountCents }' : ''
      const { from, to, cohorts } = await queryAnalytics(
        `from to cohorts: ${field} { month customers ${amount} periods { index activeCustomers ${amount} } }`,
        { range, timeZone, where },
      )
      const until = sales.filter(({ at }) => at < Math.min(Date.parse(to), now + 1)).sort((a, b) => a.at - b.at)
      const months = await labelsOf(until, timeZone, 'month')
      const first = new Map<string, { at: number; month: string }>()
      const expected: Record<string, { customers: Set<string>; cents: number }> = {}
      for (const [index, { customer = '', at, currency, amount }] of until.entries()) {
        const month = months[index] as string
        const cohort = first.get(customer) ?? { at, month }
        first.set(customer, cohort)
        if (cohort.at < Date.parse(from)) continue
        const key = `${cohort.month} ${month}`
        const period = expected[key] ?? { customers: new Set(), cents: 0 }
        expected[key] = period
        period.customers.add(customer)
        if (ofUsd && currency === 'usd') period.cents += Number(amount)
      }
      const found = cohorts.flatMap(({ month, periods }: any) =>
        periods
          .filter(({ activeCustomers }: any) => activeCustomers > 0)
          .map(({ index, activeCustomers, salesAmount }: any) => [
            `${month} ${cohorts.slice(cohorts.findIndex((c: any) => c.month === month))[index].month}`,
            { customers: activeCustomers, cents: salesAmount?.amountCents ?? 0 },
          ]),
      )
      const sums = Object.entries(expected).map(([key, { customers, cents }]) => [
        key,
        { customers: customers.size, cents },
      ])
      expect(Object.fromEntries(found), JSON.stringify({ range, timeZone, where })).toEqual(Object.fromEntries(sums))
    }
  })

  it('the rollups are those of the rows', async () => expect(await examine(app.database)).toEqual([]))

  it('the top ten of every dimension are the ten largest sums', async () => {
    for (const dimension of ['affiliate', 'campaign', 'source', 'coupon'] as const) {
      const range = randomRange()
      const { top } = await queryAnalytics(
        `top(by: COMMISSION_ACCRUED, dimension: ${dimension.toUpperCase()}) { rank subjectId label money { amountCents } }`,
        { range },
      )
      const sums = new Map<string, number>()
      for (const fact of within(range)) {
        const key = keyOf(fact, dimension)
        if (fact.kind === 'accrued' && fact.currency === 'usd' && key !== null)
          sums.set(key, (sums.get(key) ?? 0) + Number(fact.amount))
      }
      const expected = [...sums].filter(([, sum]) => sum !== 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      expect(top.map((item: any) => [item.subjectId, item.money.amountCents])).toEqual(expected.slice(0, 10))
      expect(top.map((item: any) => item.rank)).toEqual(top.map((_: unknown, n: number) => n + 1))
    }
  })
})
