import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createCampaign, createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const largest = 2 ** 53 - 1
const exact = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32, largest - 1, largest]
const beyond = [2 ** 53, '9007199254740992', '9007199254740993', '18446744073709551616', 1e21, '1e3', -1, 0.5]

const everything = await createSeller(program, { commission_percent: 100 })
const sale = (amount: unknown) =>
  program.post('/conversions', { coupon: everything.coupon, email: 'grace@example.com', amount_cents: amount })
const { commission } = await reportSale(program, { coupon: everything.coupon })
const campaign = await createCampaign(program)
const withAmount = await createCampaign(program, { commission_amount_cents: 1 })

type Answered = { status: number; body: any }
const amounts: [string, (value: unknown) => Promise<Answered>, (body: any) => unknown][] = [
  ['amount_cents of a sale', sale, (body) => body.commission?.amount ?? 0],
  [
    'amount of a commission',
    (amount) => program.put(`/commissions/${commission.id}`, { amount }),
    ({ amount }) => amount,
  ],
  [
    'commission_amount_cents of a campaign',
    (cents) => program.put(`/campaigns/${withAmount.id}`, { commission_amount_cents: cents }),
    (body) => body.commission_amount_cents,
  ],
  [
    'commission_amount_cents of a new campaign',
    (cents) => program.post('/campaigns', { name: 'N', url: 'https://acme.test', commission_amount_cents: cents }),
    (body) => body.commission_amount_cents,
  ],
  [
    'minimum_payout_cents of a campaign',
    (cents) => program.put(`/campaigns/${campaign.id}`, { minimum_payout_cents: cents }),
    (body) => body.minimum_payout_cents,
  ],
]

describe.each(amounts)('%s', (_name, send, read) => {
  it.each(exact)('stores %i exactly, as a number and as text', async (cents) => {
    for (const value of [cents, String(cents)]) {
      const { status, body } = await send(value)
      expect(status).toBeLessThan(300)
      expect(read(body)).toBe(cents)
    }
  })

  it.each(beyond)('returns 422 for %j', async (value) => {
    const { status, body } = await send(value)
    expect(status).toBe(422)
    expect(body.error).toEqual(expect.any(String))
  })
})

it('the commission of a sale of 2^53 - 1 is earned and paid exactly', async () => {
  const seller = await createSeller(program, { commission_percent: 33.33, days_before_commissions_are_due: 0 })
  const { commission: earned } = await reportSale(program, { coupon: seller.coupon, amount_cents: largest })
  expect(earned.amount).toBe(Number((BigInt(largest) * 3333n * 2n + 10_000n) / 20_000n))
  const { body } = await program.get(`/payouts?affiliate_id=${seller.affiliate.id}`)
  expect(body.data).toMatchObject([{ amount: earned.amount }])
})
