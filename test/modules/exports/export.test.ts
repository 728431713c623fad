import { randomInt } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { mintId } from '../../../src/kernel/ids.ts'
import { createApiKey } from '../../../src/modules/access/api-keys/service.ts'
import { createApp } from '../../../src/server/app.ts'
import { insertRows } from '../../database/reader/rows.ts'
import { adminToken, createTestApp, type TestProgram } from '../../support/app.ts'
import { createTestDatabase, silentLog } from '../../support/database.ts'
import {
  createAffiliate,
  createSeller,
  listed,
  made,
  recordVisit,
  reportSale,
  unknownId,
} from '../../support/factories.ts'

const test = await createTestApp()
const address = 'http://localhost:4000/v1/exports'

async function requestExport(program: TestProgram, path: string, accept?: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${program.secret}`, ...(accept && { Accept: accept }) }
  const response = await test.app.fetch(new Request(`${address}/${path}`, { ...init, headers }))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function requestParquet(program: TestProgram, path: string) {
  const headers = { Authorization: `Bearer ${program.secret}` }
  const response = await test.app.fetch(new Request(`${address}/${path}`, { headers }))
  return { status: response.status, headers: response.headers, bytes: await response.arrayBuffer() }
}

async function rowsOf(program: TestProgram, path: string): Promise<any[]> {
  const { status, text } = await requestExport(program, path, 'application/x-ndjson')
  if (status !== 200) throw new Error(text)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const nouns = [
  'affiliates',
  'customers',
  'visits',
  'referrals',
  'sales',
  'refunds',
  'commissions',
  'payouts',
  'payments',
  'unattributed_sales',
]

describe('an export of the program', () => {
  let program: TestProgram
  let seller: Awaited<ReturnType<typeof createSeller>>
  beforeAll(async () => {
    program = await test.createProgram()
    seller = await createSeller(program, { days_before_commissions_are_due: 0 })
    await createAffiliate(program, { first_name: '=1+1', last_name: 'O"Hara, Ada\nLovelace', state: 'active' })
    const { id: referralId } = await recordVisit(program, seller.link.token)
    const at = new Date('2026-03-10T12:00:00Z')
    const visit = { programId: program.id, id: mintId(at), linkId: seller.link.id, referralId, visitorHash: 'hash', at }
    await test.database.db.visit.create({ data: { ...visit, url: 'https://acme.test/pricing' } })
    const sale = { coupon: seller.coupon, customer_name: 'Grace', email: 'grace@example.com', external_id: 'inv_1' }
    await reportSale(program, sale)
    const { commission } = await reportSale(program, { coupon: seller.coupon, amount_cents: 500, currency: 'eur' })
    await made(program.delete(`/commissions/${commission.id}`))
    const run = await made(program.post('/payout_runs', { method: 'manual' }))
    await made(program.post(`/payout_runs/${run.id}/pay`))
    await made(program.post('/conversions/refund', { external_id: 'inv_1', amount_cents: 4_000 }))
    await program.post('/conversions', { coupon: 'NONE', amount_cents: 700, external_id: 'inv_2' })
  })

  it.each(['affiliates', 'referrals', 'commissions', 'payouts'])(
    '%s: has the fields of the REST list, oldest first',
    async (noun) => {
      const rows = await rowsOf(program, noun)
      const data = (await listed(program, `/${noun}?limit=100`)).reverse()
      expect(data.length).toBeGreaterThan(0)
      expect(rows).toHaveLength(data.length)
      for (const [index, { object, campaign, links, coupon, amount, ...fields }] of data.entries()) {
        // Fields are called the same in all exports, also where the contract has names of its own.
        const { wallet_a_email, wallet_b_email, ...shared } = fields
        expect(rows[index]).toMatchObject({ ...shared, ...(amount !== undefined && { amount_cents: amount }) })
        if (noun !== 'affiliates') continue
        expect(rows[index]).toMatchObject({
          paypal_email: wallet_a_email,
          wise_email: wallet_b_email,
          campaign_id: campaign.id,
          link_tokens: links.map(({ token }: { token: string }) => token),
          coupon_token: coupon?.token ?? null,
        })
      }
    },
  )

  it('sales: has the sale, its customer and its commission', async () => {
    const [first, second] = await rowsOf(program, 'sales')
    expect(first).toEqual({
      id: expect.any(String),
      created_at: '2026-03-10T12:00:00.000Z',
      updated_at: '2026-03-10T12:00:00.000Z',
      occurred_at: '2026-03-10T12:00:00.000Z',
      external_id: 'inv_1',
      amount_cents: 10_000,
      currency: 'usd',
      refunded_cents: 4_000,
      affiliate_id: seller.affiliate.id,
      campaign_id: seller.campaign.id,
      referral_id: expect.any(String),
      customer_email: 'grace@example.com',
      customer_name: 'Grace',
      attributed_by: 'coupon',
      outcome: 'earned',
      // The commission of 1000, minus 400 for the refund after its payment.
      commission_amount_cents: 600,
      commission_currency: 'usd',
      affiliate_email: seller.affiliate.email,
      campaign_name: seller.campaign.name,
      source: 'coupon',
    })
    // New columns are last, so that scripts that read columns by position still work.
    expect(Object.keys(first).slice(-4)).toEqual(['commission_currency', 'affiliate_email', 'campaign_name', 'source'])
    expect(second).toMatchObject({ currency: 'eur', outcome: 'void', customer_email: null, commission_amount_cents: 0 })
  })

  it.each(nouns)('%s: has the same data in CSV and in JSON lines', async (noun) => {
    const rows = await rowsOf(program, noun)
    const { text, headers } = await requestExport(program, noun, 'text/csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const cells = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    const inCsv = (value: unknown) => (Array.isArray(value) ? value.join(' ') : value === null ? '' : String(value))
    const expected = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, inCsv(value)])),
    )
    // Text that a spreadsheet would read as a formula is escaped. Negative amounts stay numbers.
    for (const row of expected) if (row.first_name?.startsWith('=')) row.first_name = `'${row.first_name}`
    expect(cells).toEqual(expected)
    if (noun === 'commissions') expect(cells.map((cell) => cell.amount_cents)).toContain('-400')
  })

  it('escapes each beginning that a spreadsheet takes for a formula, and nothing else', async () => {
    const own = await test.createProgram()
    const formulas = ['=a', '+a', '-a', '@a', '＝a', '＋a', '－a', '＠a', '=a,b']
    const others = ['a=b', 'ä+', 'a,b', 'a"b', 'a\nb', '"=a', 'a@b']
    for (const name of [...formulas, ...others]) await createAffiliate(own, { first_name: name })
    const { text } = await requestExport(own, 'affiliates', 'text/csv')
    const cells = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    expect(cells.map((cell) => cell.first_name)).toEqual([...formulas.map((name) => `'${name}`), ...others])
  })

  it('accepts the filters of the REST list', async () => {
    const filters = [
      'affiliates?email=NOBODY@example.com',
      `affiliates?campaign_id=${seller.campaign.id}`,
      'affiliates?state[]=disabled&state[]=active',
      'referrals?conversion_state=visitor',
      `referrals?affiliate_id=${seller.affiliate.id}`,
      'referrals?email=Grace@Example.com',
      'commissions?state=voided',
      'commissions?state[]=paid&state[]=due',
      'payouts?state=paid',
      'commissions?affiliate_id=none',
      'referrals?updated_since=2026-03-10T12:00:00Z',
      'referrals?updated_until=2026-03-10T12:00:00Z',
    ]
    for (const filter of filters) {
      const ids = (await listed(program, `/${filter}`)).map(({ id }) => id).reverse()
      expect([filter, (await rowsOf(program, filter)).map(({ id }) => id)]).toEqual([filter, ids])
    }
    const sales: [string, number][] = [
      ['external_id=inv_1', 1],
      ['currency=EUR', 1],
      ['email=GRACE@example.com', 1],
      [`affiliate_id=${seller.affiliate.id}`, 2],
      [`campaign_id=${seller.campaign.id}&currency=usd`, 1],
      ['occurred_since=2026-03-10T12:00:00Z', 2],
      ['occurred_until=2026-03-10T12:00:00Z', 0],
      ['updated_since=2026-03-11', 0],
    ]
    for (const [filter, count] of sales)
      expect([filter, await rowsOf(program, `sales?${filter}`)]).toMatchObject([filter, { length: count }])
  })

  it('customers, visits, refunds, payments and unattributed sales are the rows of the views for other tools', async () => {
    const views: Record<string, string> = {
      customers: 'customer_id',
      visits: 'visit_id',
      refunds: 'refund_id',
      payments: 'payment_id',
      unattributed_sales: 'unattributed_sale_id',
    }
    for (const [noun, id] of Object.entries(views)) {
      const rows = await rowsOf(program, noun)
      const columns = Object.keys(rows[0]).filter((name) => !['id', 'customer_name'].includes(name))
      const [{ seen }] = (await test.database.db.$queryRawUnsafe(
        `select jsonb_agg(to_jsonb(v) order by ${id}) as seen from reports.${noun} v where program_id = '${program.id}'`,
      )) as [{ seen: Record<string, unknown>[] }]
      const inWire = (value: unknown) =>
        typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value
      expect(seen).toHaveLength(1)
      expect(rows).toEqual(
        rows.map((row, index) => ({
          ...row,
          id: seen[index]?.[id],
          ...Object.fromEntries(columns.map((name) => [name, inWire(seen[index]?.[name])])),
        })),
      )
    }
    expect(await rowsOf(program, 'unattributed_sales')).toMatchObject([
      { reason: 'coupon_not_found', amount_cents: 700 },
    ])
    expect(await rowsOf(program, 'payments')).toMatchObject([{ state: 'paid', method: 'manual', gone_cents: 1_000 }])
  })

  it('affiliates have what they earned, in the currency of the program or in another', async () => {
    const earned = async (filter = '') =>
      (await rowsOf(program, `affiliates${filter}`)).map((row) => [
        ...[row.currency, row.earned_cents, row.owed_cents, row.paid_cents],
      ])
    expect(await earned()).toEqual([
      ['usd', 600, -400, 1_000],
      ['usd', 0, 0, 0],
    ])
    await made(program.post('/conversions', { coupon: seller.coupon, amount_cents: 500, currency: 'gbp' }))
    expect((await earned('?currency=GBP'))[0]).toEqual(['gbp', 50, 50, 0])
  })

  it('updated_since and updated_until take what was changed then', async () => {
    for (const noun of ['customers', 'refunds', 'payments', 'unattributed_sales', 'visits']) {
      const count = async (filter: string) => (await rowsOf(program, `${noun}?${filter}`)).length
      const counts = [
        await count('updated_since=2026-03-10T11:00:00Z'),
        await count('updated_since=2026-03-10T12:01:00Z'),
      ]
      expect([noun, ...counts, await count('updated_until=2026-03-10T11:00:00Z')]).toEqual([noun, 1, 0, 0])
    }
    expect(await rowsOf(program, `visits?affiliate_id=${seller.affiliate.id}`)).toHaveLength(1)
    expect(await rowsOf(program, `refunds?affiliate_id=${unknownId}`)).toEqual([])
  })

  it('CSV has a byte-order mark, and amounts in units with a decimal mark, if they are asked for', async () => {
    const file = async (query: string) => {
      const headers = { Authorization: `Bearer ${program.secret}` }
      const response = await test.app.fetch(new Request(`${address}/commissions?${query}`, { headers }))
      return Buffer.from(await response.arrayBuffer())
    }
    const withMark = await file('bom=true&decimal=comma')
    expect([...withMark.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const rows = parse(withMark, { bom: true, columns: true, delimiter: ';' }) as Record<string, string>[]
    expect(rows.map(({ amount }) => amount)).toEqual(expect.arrayContaining(['10,00', '-4,00']))
    const withPoint = parse(await file('decimal=point'), { columns: true }) as Record<string, string>[]
    expect(withPoint.map(({ amount }) => amount)).toEqual(rows.map(({ amount }) => amount?.replace(',', '.')))
    const { status, text } = await requestExport(program, 'commissions?format=jsonl&decimal=comma')
    expect([status, JSON.parse(text).details]).toEqual([422, ['Format must be csv for bom and decimal']])
    expect((await requestExport(program, 'commissions?decimal=dot')).status).toBe(422)
  })

  it('continues after a given row', async () => {
    const rows = await rowsOf(program, 'sales')
    expect(await rowsOf(program, `sales?after=${rows[0].id}`)).toEqual(rows.slice(1))
    expect(await rowsOf(program, `sales?after=${rows.at(-1).id}`)).toEqual([])
  })

  it.each(nouns)('%s in Parquet are the rows of the JSON lines, with numbers and times', async (noun) => {
    const { status, headers, bytes } = await requestParquet(program, `${noun}?format=parquet`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.apache.parquet'])
    expect(headers.get('content-disposition')).toContain(`${noun}-2026-03-10.parquet"`)
    const rows = await parquetReadObjects({ file: bytes })
    const expected = await rowsOf(program, noun)
    expect(expected.length).toBeGreaterThan(0)
    const asJson = (value: unknown) => {
      if (value instanceof Date) return value.toISOString()
      return typeof value === 'bigint' ? Number(value) : value
    }
    const lines = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asJson(value)])),
    )
    expect(lines).toEqual(
      expected.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
        ),
      ),
    )
    if ('amount_cents' in (rows[0] ?? {})) expect(rows[0]?.amount_cents).toBeTypeOf('bigint')
    expect(rows[0]?.[noun === 'visits' ? 'visited_at' : 'created_at']).toBeInstanceOf(Date)
  })

  it('an empty file in Parquet has its columns', async () => {
    const empty = await requestParquet(await test.createProgram(), 'sales?format=parquet')
    const { num_rows, schema } = parquetMetadata(empty.bytes)
    expect([num_rows, schema.map(({ name }) => name)]).toEqual([
      0n,
      ['root', ...Object.keys((await rowsOf(program, 'sales'))[0])],
    ])
  })

  it('JSON lines have two names, and referrals their sub-id', async () => {
    const program = await test.createProgram()
    const { link } = await createSeller(program)
    await program.graphql(
      'mutation ($token: String!) { recordVisit(input: { token: $token, sub: "video-1" }) { id: __typename } }',
      { token: link.token },
    )
    for (const name of ['jsonl', 'ndjson']) {
      const response = await requestExport(program, `referrals?format=${name}`)
      expect(response.headers.get('content-type')).toBe('application/x-ndjson')
      expect(JSON.parse(response.text)).toMatchObject({ link_id: link.id, sub: 'video-1' })
    }
  })

  it('is a download named after the program, the resource and the day', async () => {
    const { headers } = await requestExport(program, 'payouts?format=ndjson', 'text/csv')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${program.slug}-payouts-2026-03-10.ndjson"`)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-request-id')).toMatch(/./)
  })

  it('HEAD returns only the headers', async () => {
    const [head, get] = [
      await requestExport(program, 'sales', undefined, { method: 'HEAD' }),
      await requestExport(program, 'sales'),
    ]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-disposition')).toBe(get.headers.get('content-disposition'))
  })
})

it('collects due commissions into payouts first', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  await reportSale(program, { coupon })
  expect(await rowsOf(program, 'payouts')).toMatchObject([{ state: 'pending', amount_cents: 1_000 }])
})

it('has every row once, in batches', async () => {
  const program = await test.createProgram()
  const { affiliate } = await createSeller(program)
  await test.database.db.$executeRaw`
    insert into referrals (program_id, id, affiliate_id, campaign_id, expires_at, created_at, updated_at, is_counted)
    select program_id, gen_random_uuid(), id, campaign_id, now(), now(), now(), true from affiliates, generate_series(1, 2500)
    where id = ${affiliate.id}::uuid`
  await test.database.db.$executeRaw`update affiliates set visitors = visitors + 2500 where id = ${affiliate.id}::uuid`
  const ids = (await rowsOf(program, 'referrals')).map(({ id }) => id)
  expect(ids).toHaveLength(2_500)
  expect(ids).toEqual([...new Set(ids)].sort())
})

describe('lines that the database writes', () => {
  const seed = randomInt(2 ** 31)
  let random: Awaited<ReturnType<typeof createTestDatabase>>
  let download: (noun: string, format: string) => Promise<string>
  beforeAll(async () => {
    random = await createTestDatabase()
    await insertRows(random.db, seed)
    const now = () => new Date('2026-01-15T00:00:00Z')
    const app = createApp({ database: random, adminToken, publicUrl: () => '', log: silentLog, now })
    const actor = { kind: 'operator' } as const
    const { id } = await random.db.program.findFirstOrThrow()
    const { secret } = await createApiKey({ db: random.db, now, log: silentLog, requestId: 'test', actor }, id, {
      name: 'Test',
    })
    download = async (noun, format) => {
      const headers = { Authorization: `Bearer ${secret}` }
      const response = await app.fetch(new Request(`${address}/${noun}?format=${format}`, { headers }))
      return await response.text()
    }
    return () => {
      app.stop()
      return random.drop()
    }
  })

  it.each(nouns.flatMap((noun) => ['csv', 'csv&decimal=comma', 'ndjson'].map((format) => [noun, format] as const)))(
    `%s in %s are those of its rows, byte for byte (seed ${seed})`,
    async (noun, format) => {
      const text = await download(noun, format)
      // Without it, the rows are read and written in this process.
      const write = vi.spyOn(random.db.reads, 'asText').mockResolvedValue(undefined)
      const byRows = await download(noun, format)
      expect(write).toHaveBeenCalledOnce()
      write.mockRestore()
      expect(byRows.split('\n').length).toBeGreaterThan(4)
      expect(text).toBe(byRows)
    },
  )
})

describe('the request', () => {
  let program: TestProgram
  beforeAll(async () => {
    program = await test.createProgram()
  })

  it.each([
    [undefined, 'text/csv'],
    ['*/*', 'text/csv'],
    ['text/*', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['text/html, */*;q=0.1', 'text/csv'],
    ['application/json', 'text/csv'],
    ['text/html', 'text/csv'],
  ])('200 for Accept %s in the format %s', async (accept, type) => {
    const { headers } = await requestExport(program, 'sales', accept)
    expect(headers.get('content-type')).toContain(type)
  })

  it('422 lists every problem', async () => {
    const { status, text } = await requestExport(program, 'commissions?state=gone&updated_since=x&after=1')
    const { error, details } = JSON.parse(text)
    expect([status, error, details.length]).toEqual([422, 'Could not export commissions.', 3])
    expect(JSON.parse((await requestExport(program, 'sales?format=xlsx')).text).details).toEqual([
      'Format must be one of: csv, ndjson, jsonl, parquet',
    ])
  })

  it('401 without a valid key, 404 for an unknown resource, 405 for POST', async () => {
    const unknown = { ...program, secret: 'trib_sk_none' }
    expect((await requestExport(unknown, 'sales')).status).toBe(401)
    expect((await requestExport(program, 'campaigns')).status).toBe(404)
    const { status, headers } = await requestExport(program, 'sales', undefined, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('never returns rows of another program', async () => {
    const { affiliate } = await createSeller(program)
    const other = await test.createProgram()
    for (const noun of nouns) expect(await rowsOf(other, noun)).toEqual([])
    expect(await rowsOf(other, `affiliates?after=${affiliate.id}`)).toEqual([])
  })
})

describe('where', () => {
  it('accepts the conditions of the same list in GraphQL', async () => {
    const program = await test.createProgram()
    const [one, two] = [await createSeller(program), await createSeller(program)]
    for (const [{ coupon }, amount_cents] of [
      [one, 1000],
      [two, 2000],
      [two, 3000],
    ] as const)
      await reportSale(program, { coupon, amount_cents })
    const amounts = async (where: object) =>
      (await rowsOf(program, `sales?where=${encodeURIComponent(JSON.stringify(where))}`)).map((row) => row.amount_cents)
    expect(await amounts({ amountCents: { gte: 2000 } })).toEqual([2000, 3000])
    expect(await amounts({ affiliate: { email: { equals: one.affiliate.email } } })).toEqual([1000])
    expect(
      await amounts({ commissions: { some: { state: { equals: 'PENDING' } } }, not: { amountCents: { lt: 3000 } } }),
    ).toEqual([3000])
  })

  it.each([
    ['{', 'Where must be conditions as JSON'],
    ['[]', 'where: '],
    ['{"nonsense":1}', 'where: Field "nonsense" is not defined by type "SaleWhere".'],
    ['{"amountCents":{"gt":"x"}}', 'where.amountCents.gt: '],
  ])('rejects %s', async (where, message) => {
    const program = await test.createProgram()
    const { status, text } = await requestExport(program, `sales?where=${encodeURIComponent(where)}`)
    expect(status).toBe(422)
    expect(JSON.parse(text).details[0]).toContain(message)
  })
})
