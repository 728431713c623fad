import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createSeller, listed, reportSale } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

it('200 returns the first sale, and nothing else changes', async () => {
  const { affiliate, coupon } = await createSeller(program)
  const sale = { coupon, email: 'repeat@example.com', external_id: 'inv_1' }
  const first = await reportSale(program, sale)
  const before = (await program.get(`/affiliates/${affiliate.id}`)).body
  app.clock.advanceDays(1)
  const { status, body } = await program.post('/conversions', { ...sale, amount_cents: 10_000 })
  expect(status).toBe(200)
  expect(body).toEqual({ ...first, duplicate: true })
  expect((await program.get(`/affiliates/${affiliate.id}`)).body).toEqual(before)
  expect(await listed(program, `/commissions?affiliate_id=${affiliate.id}`)).toEqual([first.commission])
})

it.each([
  ['another amount', { amount_cents: 1 }],
  ['an invalid amount', { amount_cents: 'nonsense' }],
  ['no other field', { amount_cents: undefined, coupon: undefined }],
  ['another customer', { email: 'somebody-else@example.com' }],
  ['an unknown currency', { currency: 'zzz' }],
  ['an unknown coupon', { coupon: 'NOBODY' }],
])('200 returns the first sale also with %s', async (label, fields) => {
  const { coupon } = await createSeller(program)
  const externalId = `also ${label}`
  const first = await reportSale(program, { coupon, external_id: externalId })
  const { status, body } = await program.post('/conversions', {
    coupon,
    amount_cents: 10_000,
    ...fields,
    external_id: externalId,
  })
  expect(status).toBe(200)
  expect(body).toEqual({ ...first, duplicate: true })
  expect(await listed(program, '/referrals?email=somebody-else@example.com')).toEqual([])
})

it('200 returns the commission in its current state', async () => {
  const { coupon } = await createSeller(program)
  const { commission } = await reportSale(program, { coupon, external_id: 'as-now' })
  const again = async () => (await program.post('/conversions', { external_id: 'as-now' })).body.commission
  await program.put(`/commissions/${commission.id}`, { amount: 5 })
  expect(await again()).toEqual({ ...commission, amount: 5 })
  await program.delete(`/commissions/${commission.id}`)
  expect(await again()).toEqual({ ...commission, amount: 5, state: 'void' })
})

it('200 returns a null commission when the sale earned no commission', async () => {
  const { coupon } = await createSeller(program)
  const first = await reportSale(program, { coupon, amount_cents: 0, external_id: 'nothing' })
  expect(first.commission).toBeNull()
  const { status, body } = await program.post('/conversions', { coupon, amount_cents: 500, external_id: 'nothing' })
  expect(status).toBe(200)
  expect(body).toEqual({ ...first, duplicate: true })
})

it('200 even if the affiliate was disabled since', async () => {
  const { affiliate, coupon } = await createSeller(program)
  await reportSale(program, { coupon, external_id: 'disabled-since' })
  await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
  expect((await program.post('/conversions', { coupon, external_id: 'disabled-since' })).status).toBe(200)
})

it('treats a number and its digits as the same external id', async () => {
  const { coupon } = await createSeller(program)
  const first = await reportSale(program, { coupon, external_id: 1001 })
  const { body } = await program.post('/conversions', { coupon, amount_cents: 10_000, external_id: '1001' })
  expect(body).toEqual({ ...first, duplicate: true })
})

it('compares external ids case-sensitively, and ignores blank ones', async () => {
  const { coupon } = await createSeller(program)
  const ids = ['INV-a', 'inv-A', '', '', null]
  const sales = []
  for (const externalId of ids) sales.push(await reportSale(program, { coupon, external_id: externalId }))
  expect(new Set(sales.map(({ sale_id: id }) => id)).size).toBe(ids.length)
})

it('the external id of a failed report can be used again', async () => {
  const failed = await program.post('/conversions', { amount_cents: 1, coupon: 'NOBODY', external_id: 'retry' })
  expect(failed.status).toBe(422)
  const { coupon } = await createSeller(program)
  const { status } = await program.post('/conversions', { amount_cents: 100, coupon, external_id: 'retry' })
  expect(status).toBe(201)
})

it('GraphQL says how a repeated report differs', async () => {
  const { coupon } = await createSeller(program)
  const differences = async (input: object) => {
    const { reportConversion } = await program.graphql(
      'mutation ($input: ReportConversionInput!) { reportConversion(input: $input) { duplicate differences } }',
      { input: { coupon, externalId: 'differs', ...input } },
    )
    return reportConversion.differences
  }
  expect(await differences({ amountCents: 1_000, currency: 'usd' })).toEqual([])
  expect(await differences({ amountCents: 1_000, currency: 'USD' })).toEqual([])
  expect(await differences({ amountCents: 9_000, currency: 'eur' })).toEqual([
    'The amount was 1000 and is 9000 now.',
    'The currency was usd and is eur now.',
  ])
})
