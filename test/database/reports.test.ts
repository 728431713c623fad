import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { decimalsOf } from '../../src/kernel/money/decimals.ts'
import { makeDemoProgram } from '../../src/modules/demo/service.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../support/app.ts'
import { createPostgresClone, silentLog } from '../support/database.ts'
import { reportSale } from '../support/factories.ts'
import { isPostgres, needsPostgres } from '../support/parallel.ts'

const views = [
  ...['affiliates', 'campaigns', 'commissions', 'customers', 'payments', 'payouts', 'programs', 'referrals', 'refunds'],
  ...['sales', 'unattributed_sales', 'visits'],
]

describe.skipIf(!isPostgres)('the schema reports', async () => {
  if (!isPostgres) return it(needsPostgres, () => {})
  const clone = await createPostgresClone()
  const opened = await openDatabase({ databaseUrl: clone.url, dataDir: tmpdir(), log: silentLog })
  const owner = new pg.Pool({ connectionString: clone.url, max: 1 })
  // Roles belong to the server, which other tests use too.
  const role = `bi_${new URL(clone.url).pathname.slice(1)}`
  const drop = async () => {
    await opened.close()
    await owner.query(`drop owned by ${role}; drop role ${role}`)
    await owner.end()
    await clone.drop()
  }
  const database = { ...opened, drop }
  const app = await createTestApp({ database, startsAt: new Date().toISOString() })
  let demo: { program: { id: string; slug: string }; graphql: TestProgram['graphql'] }
  let other: TestProgram

  beforeAll(async () => {
    const made = await makeDemoProgram(database.db, { now: app.clock.now, months: 6 })
    if (!made) throw new Error('The database is not empty.')
    const graphql = graphqlClient(app.app.fetch, { Authorization: `Bearer ${made.secret}` })
    demo = { program: made.program, graphql }
    for (const [external_id, signals] of Object.entries({
      one: { coupon: 'NOBODY' },
      two: { email: 'nobody@example.com' },
      three: { coupon: 'NOBODY', email: 'nobody@example.com' },
    }))
      await graphql('mutation ($input: ReportConversionInput!) { reportConversion(input: $input) { saleId } }', {
        input: { externalId: external_id, amountCents: 1_000, ...signals },
      }).catch(() => null)
    other = await app.createProgram()
    await owner.query(`create role ${role}`)
  })

  /** Runs a statement as the role of the BI tool. Numbers are text, as PostgreSQL sends them. */
  const read = async (sql: string): Promise<Record<string, any>[]> => {
    await owner.query(`set role ${role}`)
    try {
      return (await owner.query(sql)).rows
    } finally {
      await owner.query('reset role')
    }
  }
  const change = (name: 'grantReports' | 'revokeReports', programId: string, as = role) =>
    app.operator(
      `mutation ($input: ${name === 'grantReports' ? 'Grant' : 'Revoke'}ReportsInput!) { ${name}(input: $input) { grant { role } } }`,
      { input: { programId, role: as } },
    )

  it('is closed to a role that was not let in', async () => {
    await expect(read('select * from reports.sales')).rejects.toThrow('permission denied for schema reports')
    await expect(read('select * from sales')).rejects.toThrow('permission denied for table sales')
  })

  it('refuses a role that does not exist, and that of the service', async () => {
    await expect(change('grantReports', demo.program.id, 'nobody_here')).rejects.toThrow(
      'There is no role nobody_here. Create it: CREATE ROLE "nobody_here" LOGIN PASSWORD',
    )
    const [{ name }] = (await owner.query('select current_user as name')).rows
    await expect(change('grantReports', demo.program.id, name)).rejects.toThrow('The service itself uses the role')
    await expect(change('revokeReports', demo.program.id)).rejects.toThrow('does not read the reports of')
  })

  it('shows a role its programs in all views, and nothing else', async () => {
    await change('grantReports', demo.program.id)
    await change('grantReports', demo.program.id)
    const { reportGrants } = await app.operator('query ($id: ID!) { reportGrants(programId: $id) { role } }', {
      id: demo.program.id,
    })
    expect(reportGrants).toEqual([{ role }])
    for (const view of views) {
      const [{ programs }] = (await read(`select array_agg(distinct program_id) as programs from reports.${view}`)) as [
        { programs: string[] | null },
      ]
      expect([view, programs ?? []]).toEqual([view, programs === null ? [] : [demo.program.id]])
    }
    await expect(read('select * from report_grants')).rejects.toThrow('permission denied')
    await expect(read('delete from reports.customers')).rejects.toThrow(/permission denied|cannot delete/)
    await change('grantReports', other.id)
    expect((await read('select program_id from reports.programs')).length).toBe(2)
    await change('revokeReports', other.id)
    expect(await read('select program from reports.programs')).toEqual([{ program: demo.program.slug }])
  })

  it('keeps in the history who let a role in', async () => {
    const { installationHistory } = await app.operator('{ installationHistory(first: 3) { nodes { action } } }')
    expect(installationHistory.nodes.map(({ action }: any) => action)).toEqual([
      'REPORTS_REVOKED',
      'REPORTS_GRANTED',
      'REPORTS_GRANTED',
    ])
  })

  it('shows members of the role what it reads, and the owner everything', async () => {
    const member = `${role}_ada`
    await owner.query(`create role ${member} in role ${role}`)
    await owner.query(`set role ${member}`)
    const { rows } = await owner.query('select program from reports.programs')
    await owner.query(`reset role; drop role ${member}`)
    expect(rows).toEqual([{ program: demo.program.slug }])
    expect((await owner.query('select from reports.programs')).rowCount).toBe(2)
  })

  it('describes each view and each column in the catalog', async () => {
    const { rows } = await owner.query(
      `select c.relname as view, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0
       where c.relnamespace = 'reports'::regnamespace and c.relkind = 'v' and col_description(c.oid, a.attnum) is null
       union select relname, null from pg_class where relnamespace = 'reports'::regnamespace and obj_description(oid) is null`,
    )
    expect(rows).toEqual([])
    const { rows: found } = await owner.query(
      `select relname from pg_class where relnamespace = 'reports'::regnamespace and relkind = 'v' order by 1`,
    )
    expect(found.map(({ relname }) => relname)).toEqual(views)
  })

  it('writes amounts in units with the decimal places of each currency', async () => {
    for (const currency of Intl.supportedValuesOf('currency').map((code) => code.toLowerCase())) {
      const { rows } = await owner.query('select reports.units(-1234567, $1) as units', [currency])
      expect([currency, rows[0].units]).toEqual([
        currency,
        (-1234567 / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency)),
      ])
    }
  })

  describe('answers the questions of docs/reports.md as GraphQL does', () => {
    const page = readFileSync('docs/reports.md', 'utf8')
    const queries = Object.fromEntries(
      [...page.matchAll(/^### (.+)\n\n```sql\n([^`]+)```/gm)].map(([, title = '', sql = '']) => [title, sql]),
    )
    const analytics = 'analytics(range: { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" })'
    const units = (cents: number) => (cents / 100).toFixed(2)
    const day = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    const answer = async (title: string) => {
      const rows = await read(queries[title] as string)
      expect(rows.length).toBeGreaterThan(0)
      return rows
    }

    it('has ten', () => {
      expect(Object.keys(queries)).toHaveLength(10)
    })

    it('Revenue by campaign and month', async () => {
      const rows = await answer('Revenue by campaign and month')
      const { analytics: found } = await demo.graphql(
        `{ ${analytics.replace('2000', '2020').replace('2100', '2030')} { timeSeries(metric: SALES_AMOUNT, interval: MONTH, groupBy: CAMPAIGN, top: 50) {
          groups { label points { label money { cents } } } } } }`,
      )
      const expected = found.timeSeries.groups.flatMap(({ label, points }: any) =>
        points.flatMap((point: any) =>
          point.money.cents === 0 ? [] : [`${label} ${point.label.slice(0, 7)} ${units(point.money.cents)}`],
        ),
      )
      expect(
        rows.map(({ campaign, month, revenue }) => `${campaign} ${day(month).slice(0, 7)} ${revenue}`).sort(),
      ).toEqual(expected.sort())
    })

    it('The best affiliates', async () => {
      const rows = await answer('The best affiliates')
      const { analytics: found } = await demo.graphql(
        `{ ${analytics} { top(by: SALES_AMOUNT, dimension: AFFILIATE, limit: 10) { label money { cents } } } }`,
      )
      expect(rows.map(({ name, revenue }) => `${name} ${revenue}`)).toEqual(
        found.top.map(({ label, money }: any) => `${label} ${units(money.cents)}`),
      )
    })

    it('What is owed', async () => {
      const rows = await answer('What is owed')
      const { commissions } = await demo.graphql(
        `{ commissions(where: { state: { in: [DUE, PENDING] } }) { groupBy(by: [CURRENCY, STATE], limit: 100) { currency state count sum { amount { cents } } } } }`,
      )
      expect(
        rows.map(({ currency, state, owed, commissions }) => `${currency} ${state} ${owed} ${commissions}`),
      ).toEqual(
        commissions.groupBy
          .map((one: any) => `${one.currency} ${one.state.toLowerCase()} ${units(one.sum.amount.cents)} ${one.count}`)
          .sort(),
      )
    })

    it('What is owed, by the week of its due date', async () => {
      const rows = await answer('What is owed, by the week of its due date')
      const { analytics: found } = await demo.graphql(
        `{ ${analytics} { liability { currency weeks { start amount { cents } } } } }`,
      )
      const { weeks } = found.liability.find(({ currency }: any) => currency === 'usd')
      const expected = weeks.map(({ start, amount }: any) => `${start.slice(0, 10)} ${units(amount.cents)}`)
      expect(rows.map(({ week, amount }) => `${day(week)} ${amount}`)).toEqual(
        expected.filter((line: string) => !line.endsWith(' 0.00')),
      )
    })

    it('Share of refunds', async () => {
      const [{ refund_rate } = {}] = await answer('Share of refunds')
      const { analytics: found } = await demo.graphql(`{ ${analytics} { totals { refundRate } } }`)
      expect(Number(refund_rate)).toBeCloseTo(found.totals.refundRate, 4)
    })

    it('From visitor to customer, by campaign', async () => {
      const rows = await answer('From visitor to customer, by campaign')
      const { analytics: found } = await demo.graphql(
        `{ ${analytics} { funnel(by: CAMPAIGN) { label visitors leads conversions } } }`,
      )
      expect(rows.map((row) => Object.values(row).join(' ')).sort()).toEqual(
        found.funnel.map((one: any) => [one.label, one.visitors, one.leads, one.conversions].join(' ')).sort(),
      )
    })

    it('Links, coupons and sub-ids', async () => {
      const rows = await answer('Links, coupons and sub-ids')
      for (const { source, code, conversions } of rows.filter(({ sub }) => sub === null)) {
        const { referrals } = await demo.graphql(
          `query ($where: ReferralWhere) { referrals(where: $where) { totalCount } }`,
          { where: { conversionState: { equals: 'CONVERSION' }, [source]: { token: { equals: code } } } },
        )
        expect([code, Number(conversions)]).toEqual([code, referrals.totalCount])
      }
    })

    it('Why sales earn nothing', async () => {
      const rows = await answer('Why sales earn nothing')
      const { sales } = await demo.graphql(
        '{ sales { groupBy(by: [NO_COMMISSION_REASON], limit: 50) { noCommissionReason count } } }',
      )
      // A group is of one currency.
      const counts: Record<string, number> = {}
      for (const { noCommissionReason, count } of sales.groupBy) {
        if (!noCommissionReason) continue
        const reason = noCommissionReason.toLowerCase()
        counts[reason] = (counts[reason] ?? 0) + count
      }
      expect(Object.fromEntries(rows.map(({ reason, sales }) => [reason, Number(sales)]))).toEqual(counts)
    })

    it('Sales without an affiliate, and why', async () => {
      const rows = await answer('Sales without an affiliate, and why')
      const { unattributedSales } = await demo.graphql(
        '{ unattributedSales(first: 100) { nodes { signals { signal outcome } } } }',
      )
      const reasons = unattributedSales.nodes.map(({ signals }: any) => {
        const tried = signals.find(({ outcome }: any) => !['NOT_GIVEN', 'NOT_TRIED', 'MATCHED'].includes(outcome))
        return tried ? `${tried.signal}_${tried.outcome}`.toLowerCase() : 'no_signal'
      })
      const counts = new Map<string, number>()
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
      expect(rows.map(({ reason, sales }) => `${reason} ${sales}`).sort()).toEqual(
        [...counts].map(([reason, count]) => `${reason} ${count}`).sort(),
      )
    })

    it('What was paid, by month', async () => {
      const rows = await answer('What was paid, by month')
      const sums = new Map<string, number>()
      const { payouts } = await demo.graphql(
        '{ payouts(where: { state: { equals: PAID } }) { groupBy(by: [CURRENCY]) { currency count sum { amount { cents } } } } }',
      )
      for (const { currency, paid } of rows)
        sums.set(currency, (sums.get(currency) ?? 0) + Math.round(Number(paid) * 100))
      expect(Object.fromEntries(sums)).toEqual(
        Object.fromEntries(payouts.groupBy.map(({ currency, sum }: any) => [currency, sum.amount.cents])),
      )
    })
  })

  it('keeps its rights through a version that makes the views again', async () => {
    await owner.query(readFileSync('prisma/sql/reports.sql', 'utf8'))
    await reportSale(other, {
      coupon: (await other.get('/affiliates')).body.data[0]?.coupon?.token,
      email: 'a@b.test',
    }).catch(() => null)
    expect((await read('select from reports.sales')).length).toBeGreaterThan(0)
    await change('revokeReports', demo.program.id)
    await expect(read('select from reports.sales')).rejects.toThrow('permission denied')
  })
})
