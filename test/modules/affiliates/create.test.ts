import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCampaign, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('201', () => {
  it('needs only an e-mail, and returns exactly the documented fields', async () => {
    const { status, body } = await program.post('/affiliates', { email: 'Ada@Example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(idForm),
      object: 'affiliate',
      created_at: '2026-03-10T12:00:00.000Z',
      updated_at: '2026-03-10T12:00:00.000Z',
      first_name: null,
      last_name: null,
      email: 'Ada@Example.com',
      wallet_a_email: null,
      wallet_b_email: null,
      state: 'active',
      billing_customer_id: null,
      confirmed_at: '2026-03-10T12:00:00.000Z',
      visitors: 0,
      leads: 0,
      conversions: 0,
      campaign: {
        id: expect.stringMatching(idForm),
        object: 'campaign',
        created_at: '2026-03-10T12:00:00.000Z',
        updated_at: '2026-03-10T12:00:00.000Z',
        name: expect.any(String),
        url: 'https://acme.test',
        private: false,
        reward_type: 'percent',
        commission_percent: 20,
        commission_amount_cents: null,
        commission_currency: 'usd',
        minimum_payout_cents: 0,
        days_before_referrals_expire: 60,
        days_before_commissions_are_due: 30,
        max_commissions: null,
        max_commission_period_in_months: null,
      },
      links: [
        {
          id: expect.stringMatching(idForm),
          object: 'affiliate_link',
          url: 'https://acme.test/?via=ada',
          token: 'ada',
          visitors: 0,
          leads: 0,
          conversions: 0,
          affiliate_id: body.id,
        },
      ],
      coupon: null,
    })
  })

  it('stores every given documented field', async () => {
    const campaign = await createCampaign(program)
    const fields = {
      email: 'grace@example.com',
      first_name: 'Grace',
      last_name: 'Hopper',
      wallet_a_email: 'grace@wallet-a.test',
      wallet_b_email: 'grace@wallet-b.test',
    }
    const { body } = await program.post('/affiliates', {
      ...fields,
      campaign_id: campaign.id,
      token: 'Amazing-Grace-1',
    })
    expect(body).toMatchObject({ ...fields, campaign: { id: campaign.id }, links: [{ token: 'Amazing-Grace-1' }] })
    expect((await program.get(`/affiliates/${body.id}`)).body).toEqual(body)
  })

  it.each([
    ['blank', ''],
    ['spaces', '  '],
    ['null', null],
  ])('puts an affiliate with a %s campaign into the default one', async (_label, campaignId) => {
    const other = await createCampaign(program)
    const affiliate = await createAffiliate(program, { campaign_id: campaignId, first_name: campaignId })
    expect(affiliate.campaign.id).not.toBe(other.id)
    expect(affiliate.campaign.commission_percent).toBe(20)
    expect(affiliate.first_name).toBeNull()
  })

  it('generates the token from the name, and another one if it is taken', async () => {
    const name = { first_name: 'Zoë', last_name: 'Müller-Ø' }
    const tokens = []
    for (let i = 0; i < 3; i++) tokens.push((await createAffiliate(program, name)).links[0].token)
    expect(tokens[0]).toMatch(/^zoe-muller/)
    expect(new Set(tokens).size).toBe(3)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9-]{1,100}$/)
  })

  it('generates a token for a name without usable characters', async () => {
    const { links } = await createAffiliate(program, { first_name: '李', email: '"…"@example.com'.replaceAll('"', '') })
    expect(links[0].token).toMatch(/^[A-Za-z0-9-]{1,100}$/)
  })

  it('ignores unknown and read-only fields', async () => {
    const { status, body } = await program.post('/affiliates', {
      email: 'readonly@example.com',
      id: unknownId,
      object: 'campaign',
      visitors: 5,
      created_at: '2000-01-01T00:00:00Z',
      firstName: 'not the wire name',
      nonsense: { deep: [1] },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      object: 'affiliate',
      visitors: 0,
      created_at: '2026-03-10T12:00:00.000Z',
      first_name: null,
    })
    expect(body.id).not.toBe(unknownId)
  })

  it("accepts the convention's names of the fields", async () => {
    const affiliate = await createAffiliate(program, {
      paypal_email: 'a@wallet.test',
      wise_email: 'b@wallet.test',
      stripe_customer_id: 'cus_1',
    })
    expect(affiliate).toMatchObject({
      wallet_a_email: 'a@wallet.test',
      wallet_b_email: 'b@wallet.test',
      billing_customer_id: 'cus_1',
    })
  })
})

describe('422', () => {
  const refusal = async (fields: object) => {
    const { status, body } = await program.post('/affiliates', fields)
    expect(status).toBe(422)
    expect(body).toEqual({ error: 'Could not create affiliate.', details: expect.any(Array) })
    return body.details
  }

  it('without an e-mail', async () => {
    for (const fields of [{}, { email: '' }, { email: ' ' }, { email: null }]) {
      expect(await refusal(fields)).toEqual(["Email can't be blank"])
    }
  })

  it.each(['ada', 'ada@', '@example.com', 'a da@example.com', `${'a'.repeat(300)}@example.com`, 'a@b@c', ['a@b.co']])(
    'with the e-mail %j',
    async (email) => expect(await refusal({ email })).toHaveLength(1),
  )

  it('with an e-mail that is taken, ignoring case', async () => {
    await createAffiliate(program, { email: 'taken@example.com' })
    expect(await refusal({ email: 'TAKEN@example.COM' })).toEqual(['Email has already been taken'])
  })

  it('with a token that is taken, ignoring case', async () => {
    await createAffiliate(program, { token: 'Summer' })
    expect(await refusal({ email: 'free@example.com', token: 'sUMMER' })).toEqual(['Token is already in use.'])
    expect((await program.get('/affiliates?email=free@example.com')).body.data).toEqual([])
  })

  it.each(['with space', 'under_score', 'ünïcode', 'a'.repeat(101), 'a/b'])('with the token %j', async (token) => {
    expect(await refusal({ email: 'token@example.com', token })).toEqual([expect.stringMatching(/^Token /)])
  })

  it.each([unknownId, 'nonsense', '%00'])('with the unknown campaign %j', async (campaignId) => {
    expect(await refusal({ email: 'lost@example.com', campaign_id: campaignId })).toEqual(['Campaign not found.'])
  })

  it('reports every problem at once', async () => {
    await createAffiliate(program, { email: 'many@example.com', token: 'many' })
    const details = await refusal({
      email: 'many@example.com',
      token: 'many',
      campaign_id: unknownId,
      wallet_a_email: 'nonsense',
      first_name: 'a'.repeat(256),
    })
    expect(details).toHaveLength(5)
    expect(details).toEqual(
      expect.arrayContaining(['Email has already been taken', 'Token is already in use.', 'Campaign not found.']),
    )
  })

  it.each(['email', 'first_name', 'wallet_a_email', 'billing_customer_id'])(
    'with characters in %s that no database stores',
    async (field) => {
      const value = field.endsWith('email') ? 'a\u0000b@example.com' : 'a\u0000b'
      expect(await refusal({ email: 'nul@example.com', [field]: value })).toHaveLength(1)
    },
  )
})
