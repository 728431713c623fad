import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { unknownId } from '../../support/factories.ts'
import { roomy } from '../../support/tracking.ts'
import { contract as contractDocument, superset as supersetDocument } from '../openapi-contract.ts'
import { createSupersetKey } from './keys.ts'
import { contract, listOf, superset } from './schemas.ts'
import { type Story, tellStory } from './story.ts'
import { validBody } from './valid-body.ts'

// Sales, and an affiliate's referrals and commissions: reads of the convention that the contract does not have.

const test = await createTestApp({ tracking: roomy, requestsPer30Seconds: 10_000 })
let program: TestProgram
let story: Story
let key: Awaited<ReturnType<typeof createSupersetKey>>

beforeAll(async () => {
  program = await test.createProgram()
  story = await tellStory(test, program)
  key = await createSupersetKey(test, program)
})

/** The ids in the billing system of the listed sales, newest first. */
const listedSales = async (query: string, client: Pick<TestProgram, 'get'> = key) => {
  const { status, body } = await client.get(`/sales?${query}`)
  return status === 200 ? body.data.map((sale: any) => sale.stripe_charge_id) : [status, ...body.details]
}

describe('GET /sales', () => {
  it('filters by affiliate, campaign and customer', async () => {
    const { ada, bob } = story.affiliates
    expect(await listedSales(`affiliate_id=${bob.id}`)).toEqual(['ch_6', 'ch_5'])
    expect(await listedSales(`affiliate_id=${ada.id}&email=Alan@Example.com`)).toEqual(['ch_4', 'ch_3'])
    expect(await listedSales(`affiliate_id=${unknownId}`)).toEqual([])
    expect(await listedSales(`campaign_id=${story.campaigns.fixed.id}`)).toEqual(['ch_6', 'ch_5'])
    expect(await listedSales('stripe_customer_id=cus_linus')).toEqual(['ch_6', 'ch_5'])
    expect(await listedSales('billing_customer_id=cus_linus&limit=1')).toEqual(['ch_6'])
  })

  it('filters by the customer id that referrals show', async () => {
    const { data } = (await key.get('/referrals')).body
    const idOf = (email: string) => data.find(({ customer }: any) => customer?.email === email).customer.id as string
    expect(idOf('linus@example.com')).toBe('cus_linus')
    expect(await listedSales('customer_id=cus_linus')).toEqual(['ch_6', 'ch_5'])
    const alan = idOf('alan@example.com')
    expect(await listedSales(`customer_id=${alan.toUpperCase()}`)).toEqual(['ch_4', 'ch_3'])
    expect(await listedSales('customer_id=nobody')).toEqual([])
  })

  it('filters by when a sale was last changed; a refund is a change', async () => {
    const { data } = (await key.get('/sales')).body
    const refunded = data.find((sale: any) => sale.stripe_charge_id === 'ch_3')
    expect([refunded.created_at, refunded.updated_at]).toEqual(['2026-03-10T12:10:00.000Z', '2026-03-10T12:30:00.000Z'])
    expect(await listedSales('updated_since=2026-03-10T12:20:00Z')).toContain('ch_3')
    expect(await listedSales('updated_until=2026-03-10T12:30:00Z')).not.toContain('ch_3')
    expect(await listedSales('updated_since=2026-03-10T12:30:00Z&updated_until=2026-03-10T12:30:00Z')).toEqual([])
    expect(await listedSales('updated_since=today')).toEqual([422, expect.stringContaining('Updated since')])
  })

  it('has the same sale as its commission, and as a read by id', async () => {
    const { id, sale } = (await key.get(`/commissions/${story.sales.refunded.commission.id}`)).body
    const alone = (await key.get(`/sales/${story.sales.refunded.sale_id}?expand[]=affiliate`)).body
    expect(alone).toEqual(sale)
    expect(id).toBe(story.sales.refunded.commission.id)
    expect((await key.get('/sales?expand=referral')).body.data.find((one: any) => one.id === sale.id)).toEqual(sale)
  })

  it("has the contract's referral and affiliate for a key with the contract profile", async () => {
    const { data } = await validBody('sales', program.get('/sales?expand=affiliate'), 200, listOf(contract.sale))
    const { ada } = story.affiliates
    const sale = data.find((one) => one.id === story.sales.refunded.sale_id)
    expect(sale?.affiliate).toEqual((await program.get(`/affiliates/${ada.id}`)).body)
    const { body } = await program.get('/referrals?conversion_state=conversion')
    expect(body.data).toContainEqual(sale?.referral)
  })

  it('finds an imported sale by the id that it had on the old server', async () => {
    const id = story.sales.refunded.sale_id
    const record = {
      programId: program.id,
      kind: 'sale' as const,
      externalId: 'old-sale',
      id,
      seen: {},
      seenAt: new Date(),
    }
    await test.database.db.importedRecord.create({ data: record })
    expect((await key.get('/sales/old-sale')).body.id).toBe(id)
    await test.database.db.importedRecord.deleteMany({ where: { programId: program.id } })
  })

  it('a sale of another program and an unknown one are a 404', async () => {
    const other = await test.createProgram()
    for (const id of [story.sales.refunded.sale_id, unknownId, 'none']) {
      const { status, body } = await other.get(`/sales/${id}`)
      expect([status, body]).toEqual([404, { error: `Sale not found: ${id}` }])
    }
    expect(await listedSales('', other)).toEqual([])
  })
})

describe('the lists of one affiliate', () => {
  const lists = [
    ['referrals', superset('contract').referral, 'conversion_state=conversion'],
    ['commissions', superset('contract').commission, 'state=void'],
  ] as const

  it.each(lists)('GET /affiliates/{id}/%s is the list filtered by the affiliate', async (noun, row, query) => {
    const { ada, bob } = story.affiliates
    for (const filter of ['', query, 'limit=2&page=2', 'expand=affiliate', `affiliate_id=${bob.id}`]) {
      const path = `/affiliates/${ada.id.toUpperCase()}/${noun}?${filter}`
      const own = (await key.get(path)).body
      const all = (await key.get(`/${noun}?${filter.replace(/affiliate_id=.*/, '')}&affiliate_id=${ada.id}`)).body
      expect(own).toEqual(all)
      expect(own.data.length).toBeGreaterThan(0)
    }
    await validBody(noun, key.get(`/affiliates/${ada.id}/${noun}`), 200, listOf(row))
  })

  it.each(lists)(
    'GET /affiliates/{id}/%s is a 404 for an unknown affiliate, and empty for one without any',
    async (noun) => {
      const other = await test.createProgram()
      for (const [client, id] of [
        [key, unknownId],
        [program, 'nobody'],
        [other, story.affiliates.ada.id],
      ] as const) {
        const { status, body } = await client.get(`/affiliates/${id}/${noun}`)
        expect([status, body]).toEqual([404, { error: `Affiliate not found: ${id}` }])
      }
      const { status, body } = await program.get(`/affiliates/${story.affiliates.eve.id}/${noun}`)
      expect([status, body.data]).toEqual([200, []])
      const refused = await program.get(`/affiliates/${story.affiliates.eve.id}/${noun}?page=0`)
      expect([refused.status, refused.body.error]).toEqual([422, `Could not list ${noun}.`])
    },
  )
})

describe.each([
  ['contract', contractDocument],
  ['superset', supersetDocument],
] as const)('the OpenAPI document of the %s profile', (_profile, { document }) => {
  it('has the sales and their filters', () => {
    const { get } = document.paths['/sales']
    expect(get.tags).toEqual(['Sales'])
    const names = get.parameters.map(({ name }: { name: string }) => name)
    const filters = ['affiliate_id', 'customer_id', 'billing_customer_id', 'updated_since', 'updated_until']
    expect(names).toEqual(expect.arrayContaining(['page', 'limit', ...filters]))
    const schema = document.components.schemas.Sale
    expect(schema.required).toEqual(expect.arrayContaining(Object.keys(contract.sale.shape)))
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(contract.sale.shape).sort())
    expect(document.paths['/sales/{id}'].get.responses[404]).toBeDefined()
  })

  it("has an affiliate's referrals and commissions, with the affiliate's id in the path only", () => {
    for (const noun of ['referrals', 'commissions']) {
      const { parameters, description, responses } = document.paths[`/affiliates/{id}/${noun}`].get
      const names = parameters.map(({ name }: { name: string }) => name)
      expect(names).toContain('id')
      expect(names).not.toContain('affiliate_id')
      expect(description).toContain(`The same as \`GET /${noun}\` with the id as \`affiliate_id\`.`)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '304', '404', '422']))
    }
  })
})
