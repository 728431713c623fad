import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createLead, createSeller, recordVisit } from '../../support/factories.ts'
import { createSupersetKey } from './keys.ts'

// A reported sale can name the customer in the billing system. The referral has the id from then on.

const test = await createTestApp()

async function createShop() {
  const program = await test.createProgram()
  return { program, superset: await createSupersetKey(test, program), ...(await createSeller(program)) }
}

const referrals = async (program: Pick<TestProgram, 'get'>, query = '') =>
  (await program.get(`/referrals?${query}`)).body.data as any[]

describe('POST /conversions', () => {
  it.each(['billing_customer_id', 'stripe_customer_id'])('takes %s for the referral of a coupon', async (name) => {
    const { program, superset, coupon } = await createShop()
    const sale = { coupon, amount_cents: 1000, email: 'grace@example.com', [name]: 'cus_1' }
    const { status } = await program.post('/conversions', sale)
    expect(status).toBe(201)
    expect(await referrals(program)).toMatchObject([{ billing_customer_id: 'cus_1', conversion_state: 'conversion' }])
    expect(await referrals(superset)).toMatchObject([{ stripe_customer_id: 'cus_1', customer: { id: 'cus_1' } }])
    for (const client of [program, superset]) {
      expect(await referrals(client, 'billing_customer_id=cus_1')).toHaveLength(1)
      expect(await referrals(client, 'stripe_customer_id=cus_2')).toEqual([])
    }
  })

  it('takes it in a form, for the referral of a visit', async () => {
    const { program, link } = await createShop()
    const { id } = await recordVisit(program, link.token)
    const body = `referral_id=${id}&amount_cents=500&billing_customer_id=cus_9`
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await program.send('/conversions', { method: 'POST', headers, body })).status).toBe(201)
    expect(await referrals(program)).toMatchObject([{ id, billing_customer_id: 'cus_9' }])
  })

  it('adds it with a later sale, and keeps the first one', async () => {
    const { program, link } = await createShop()
    const { id, email } = await createLead(program, link.token)
    const report = (fields: object) => program.post('/conversions', { email, amount_cents: 500, ...fields })
    await report({})
    expect(await referrals(program)).toMatchObject([{ id, billing_customer_id: null }])
    const [before] = await referrals(program)
    test.clock.advanceMinutes(5)
    await report({ billing_customer_id: 'cus_1' })
    await report({ billing_customer_id: 'cus_2' })
    expect(await referrals(program)).toEqual([{ ...before, billing_customer_id: 'cus_1' }])
    expect(await referrals(program, 'updated_since=2026-03-10T12:05:00Z')).toHaveLength(1)
  })

  it('a repeated report and a dry run do not set it', async () => {
    const { program, coupon } = await createShop()
    const sale = { coupon, amount_cents: 1000, email: 'a@example.com', external_id: 'inv_1' }
    await program.post('/conversions', sale)
    const named = { ...sale, billing_customer_id: 'cus_1' }
    expect((await program.post('/conversions', named)).body.duplicate).toBe(true)
    expect((await program.post('/conversions?dry_run=true', { ...named, external_id: 'inv_2' })).status).toBe(200)
    expect(await referrals(program)).toMatchObject([{ billing_customer_id: null }])
  })

  it('is left out if it is blank or too long, and the sale is recorded', async () => {
    const { program, coupon } = await createShop()
    const sale = { coupon, amount_cents: 1000 }
    expect((await program.post('/conversions', { ...sale, billing_customer_id: '' })).status).toBe(201)
    expect((await program.post('/conversions', { ...sale, billing_customer_id: 'c'.repeat(256) })).status).toBe(201)
  })
})

it('GraphQL takes billingCustomerId with a sale', async () => {
  const { program, coupon } = await createShop()
  const { reportConversion } = await program.graphql(
    `mutation ($input: ReportConversionInput!) {
      reportConversion(input: $input) { sale { referral { billingCustomerId } } }
    }`,
    { input: { coupon, amountCents: 1000, billingCustomerId: 'cus_7' } },
  )
  expect(reportConversion.sale.referral.billingCustomerId).toBe('cus_7')
})

it('a sale that is attributed by hand keeps the billing customer of its report', async () => {
  const { program, affiliate } = await createShop()
  const sale = { email: 'new@example.com', amount_cents: 1000, billing_customer_id: 'cus_3' }
  expect((await program.post('/conversions', sale)).status).toBe(422)
  const { unattributedSales } = await program.graphql('{ unattributedSales { nodes { id billingCustomerId } } }')
  const [kept] = unattributedSales.nodes
  expect(kept.billingCustomerId).toBe('cus_3')
  await program.graphql(
    `mutation ($id: ID!, $affiliateId: ID!) {
      attributeSale(input: { id: $id, affiliateId: $affiliateId }) { sale { id } }
    }`,
    { id: kept.id, affiliateId: affiliate.id },
  )
  expect(await referrals(program, 'billing_customer_id=cus_3')).toMatchObject([{ affiliate_id: affiliate.id }])
})
