import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, listed, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram({ currency: 'EUR' })
const basics = { name: 'Partners', url: 'https://acme.test/partners' }

describe('201', () => {
  const created = async (fields: object) => {
    const { status, body } = await program.post('/campaigns', { ...basics, ...fields })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }

  it('applies the documented defaults, and returns exactly the documented fields', async () => {
    const body = await created({ commission_percent: 12.5 })
    expect(body).toEqual({
      id: expect.any(String),
      object: 'campaign',
      created_at: '2026-03-10T12:00:00.000Z',
      updated_at: '2026-03-10T12:00:00.000Z',
      name: 'Partners',
      url: 'https://acme.test/partners',
      private: false,
      reward_type: 'percent',
      commission_percent: 12.5,
      commission_amount_cents: null,
      commission_currency: 'eur',
      minimum_payout_cents: 0,
      days_before_referrals_expire: 60,
      days_before_commissions_are_due: 30,
      max_commissions: null,
      max_commission_period_in_months: null,
    })
    expect((await program.get(`/campaigns/${body.id}`)).body).toEqual(body)
  })

  it('stores every given field', async () => {
    const fields = {
      private: true,
      commission_amount_cents: 1500,
      commission_currency: 'JPY',
      minimum_payout_cents: 5000,
      days_before_referrals_expire: 90,
      days_before_commissions_are_due: 0,
      max_commissions: 12,
      max_commission_period_in_months: 24,
    }
    expect(await created(fields)).toMatchObject({
      ...fields,
      reward_type: 'amount',
      commission_percent: null,
      commission_currency: 'jpy',
    })
  })

  it('accepts numbers and booleans as text', async () => {
    const fields = {
      private: 'true',
      commission_percent: '12.50',
      minimum_payout_cents: '5000',
      days_before_referrals_expire: '7',
      max_commissions: '3',
    }
    expect(await created(fields)).toMatchObject({
      private: true,
      commission_percent: 12.5,
      minimum_payout_cents: 5000,
      days_before_referrals_expire: 7,
      max_commissions: 3,
    })
  })

  it.each([0, 100, 0.01, 99.99, 33.33, 0.29, 1.1, '20', '7.5', '7.50'])('keeps %j percent exactly', async (percent) => {
    expect((await created({ commission_percent: percent })).commission_percent).toBe(Number(percent))
  })

  it('keeps the largest exact amount', async () => {
    const body = await created({
      commission_amount_cents: Number.MAX_SAFE_INTEGER,
      minimum_payout_cents: '9007199254740991',
    })
    expect(body.commission_amount_cents).toBe(9_007_199_254_740_991)
    expect(body.minimum_payout_cents).toBe(9_007_199_254_740_991)
  })

  it.each([
    ['percent', 10, null],
    ['amount', null, 500],
  ])('uses the reward type %s to choose between two rewards', async (rewardType, percent, amount) => {
    const both = { reward_type: rewardType, commission_percent: 10, commission_amount_cents: 500 }
    expect(await created(both)).toMatchObject({
      reward_type: rewardType,
      commission_percent: percent,
      commission_amount_cents: amount,
    })
  })

  it.each([
    [{ commission_percent: 10, commission_amount_cents: null }, 'percent'],
    [{ commission_percent: '', commission_amount_cents: 500 }, 'amount'],
  ])('treats a blank reward as omitted: %j', async (fields, rewardType) => {
    expect((await created(fields)).reward_type).toBe(rewardType)
  })

  it("accepts the convention's names of the fields", async () => {
    const fields = {
      commission_amount_cents: 100,
      commission_amount_currency: 'gbp',
      days_until_commissions_are_due: 14,
      max_commission_period_months: 6,
    }
    expect(await created(fields)).toMatchObject({
      commission_currency: 'gbp',
      days_before_commissions_are_due: 14,
      max_commission_period_in_months: 6,
    })
  })
})

describe('422', () => {
  const refusal = async (fields: object) => {
    const { status, body } = await program.post('/campaigns', fields)
    expect(status).toBe(422)
    expect(body.error).toBe('Could not create campaign.')
    return body.details
  }

  it('without name, url and reward, reporting all three', async () => {
    expect(await refusal({})).toEqual([
      "Name can't be blank",
      "Url can't be blank",
      expect.stringMatching(/must be given/),
    ])
  })

  it.each([
    ['neither reward', {}],
    ['both rewards and no reward type', { commission_percent: 10, commission_amount_cents: 500 }],
    ['the reward type of the reward that is missing', { reward_type: 'amount', commission_percent: 10 }],
    ['a reward type alone', { reward_type: 'percent' }],
    ['an unknown reward type', { reward_type: 'both', commission_percent: 10 }],
    ['a percentage above 100', { commission_percent: 100.01 }],
    ['a percentage below 0', { commission_percent: -1 }],
    ['a percentage with three places', { commission_percent: 12.345 }],
    ['a percentage that is not a number', { commission_percent: 'many' }],
    ['a percentage that is a list', { commission_percent: [10] }],
    ['an amount below 0', { commission_amount_cents: -1 }],
    ['an amount that is not whole', { commission_amount_cents: 1.5 }],
    ['an amount beyond 2^53-1', { commission_amount_cents: '9007199254740992' }],
    ['an amount beyond 2^63', { commission_amount_cents: '9223372036854775808' }],
    ['an unknown currency', { commission_percent: 10, commission_currency: 'zzz' }],
    ['days that are not whole', { commission_percent: 10, days_before_referrals_expire: 1.5 }],
    ['negative days', { commission_percent: 10, days_before_commissions_are_due: -1 }],
    ['days beyond 2^31', { commission_percent: 10, days_before_commissions_are_due: 2_147_483_648 }],
    ['a limit of 0', { commission_percent: 10, max_commissions: 0 }],
    ['a limit beyond 2^31', { commission_percent: 10, max_commission_period_in_months: 2_147_483_648 }],
    ['private neither true nor false', { commission_percent: 10, private: 'maybe' }],
  ])('with %s', async (_label, fields) => {
    expect(await refusal({ ...basics, ...fields })).toHaveLength(1)
  })

  it.each([
    'acme.test',
    '/relative',
    'ftp://acme.test',
    'javascript:alert(1)',
    'https://',
    'https://a b.test',
    'https://acme.test/\u0000',
  ])('with the URL %j', async (url) => {
    expect(await refusal({ ...basics, url, commission_percent: 10 })).toEqual([expect.stringMatching(/^Url /)])
  })

  it('with an unknown reward type, listing the valid ones', async () => {
    const [detail] = await refusal({ ...basics, commission_percent: 1, reward_type: 'gift' })
    expect(detail).toContain('percent')
    expect(detail).toContain('amount')
  })
})

it("a program starts with a default campaign that pays 20 percent and has the program's URL and currency", async () => {
  const own = await app.createProgram({ url: 'https://fresh.test', currency: 'gbp' })
  const campaigns = await listed(own, '/campaigns')
  expect(campaigns).toMatchObject([{ url: 'https://fresh.test', commission_percent: 20, commission_currency: 'gbp' }])
  expect((await createAffiliate(own)).campaign).toEqual(campaigns[0])
})

it('a default campaign pays the percentage that the operator gave, even 0', async () => {
  for (const commissionPercent of [12.5, 0]) {
    const own = await app.createProgram({ commissionPercent })
    expect(await listed(own, '/campaigns')).toMatchObject([{ commission_percent: commissionPercent }])
  }
})

it.each([unknownId, 'nonsense'])('404 with the id for the unknown campaign %s', async (id) => {
  for (const answer of [await program.get(`/campaigns/${id}`), await program.put(`/campaigns/${id}`, {})]) {
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({ error: `Campaign not found: ${id}` })
  }
})
