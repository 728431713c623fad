import { describe, expect, it } from 'vitest'
import { createTestApp, graphqlClient, restClient } from '../../support/app.ts'
import { affiliate, at, beginImport, campaign, commission, outcomes, referral } from './story.ts'

/** Teams import, test, and import again on the day of the move. No commission may change its owner in between. */
const app = await createTestApp()
let sources = 0
const begin = async () => {
  sources += 1
  const started = await beginImport(app, `https://moving-${sources}.test/v1`)
  const key = { Authorization: `Bearer ${started.secret}` }
  return { ...started, ...restClient(app.app.fetch, key), graphql: graphqlClient(app.app.fetch, key) }
}

const second = (more: object = {}) =>
  affiliate({ externalId: 'aff-2', email: 'bob@old.test', links: [{ externalId: 'link-2', token: 'bob' }], ...more })

describe('two affiliates of the source are never merged', () => {
  it('when one has an e-mail address that the other gave up', async () => {
    const old = await begin()
    await old.takeAll({})
    const moved = [second({ email: 'ada@old.test' }), affiliate({ email: 'ada@new.test' })]
    const results = await old.takeAll({
      affiliates: moved,
      commissions: [
        commission(),
        commission({ externalId: 'com-2', affiliateId: 'aff-2', saleId: 'sale-2', saleBillingId: 'ch_2' }),
      ],
    })
    expect(outcomes(results)).toMatchObject({ 'AFFILIATE aff-1': 'updated', 'AFFILIATE aff-2': 'created' })
    const [ada, bob] = await Promise.all(
      ['aff-1', 'aff-2'].map(async (id) => (await old.get(`/affiliates/${id}`)).body),
    )
    expect([ada.email, bob.email]).toEqual(['ada@new.test', 'ada@old.test'])
    expect((await old.get(`/commissions?affiliate_id=${bob.id}`)).body.data).toHaveLength(1)
    expect((await old.get(`/commissions?affiliate_id=${ada.id}`)).body.data).toHaveLength(1)
  })

  it('when both have the same e-mail address: the second is left out in every run', async () => {
    const old = await begin()
    await old.takeAll({})
    for (let run = 0; run < 2; run += 1) {
      const results = await old.take('AFFILIATE', [second({ email: 'ADA@old.test' })])
      expect(results.find(({ externalId }) => externalId === 'aff-2')).toMatchObject({
        outcome: 'LEFT_OUT',
        message: 'Email has already been taken',
      })
    }
    expect((await old.get('/affiliates')).body.pagination.total_count).toBe(1)
  })
})

describe('two sales with the same billing id are both imported', () => {
  const twice = [
    commission(),
    commission({ externalId: 'com-2', saleId: 'sale-2', amountCents: 3_000, saleAmountCents: 15_000 }),
  ]

  it.each([
    ['in one batch', [twice]],
    ['in two batches', [[twice[0]], [twice[1]]]],
  ])('%s', async (_how, batches) => {
    const old = await begin()
    await old.takeAll({ commissions: [] })
    for (const batch of batches) await old.take('COMMISSION', batch as object[])
    expect((await old.get('/commissions')).body.data.map(({ amount }: any) => amount).sort()).toEqual([2_000, 3_000])
    const report = await old.finish()
    for (const sum of report.sums.filter(({ kind }: any) => kind !== 'PAYOUT'))
      expect([sum.hereCount, sum.hereCents]).toEqual([sum.sourceCount, sum.sourceCents])
    // The billing system reports it again: a duplicate.
    expect(
      (await old.post('/conversions', { referral_id: 'ref-1', amount_cents: 1, external_id: 'ch_1' })).status,
    ).toBe(200)
  })
})

it('a sale that was reported on both sides takes its state from the source', async () => {
  const old = await begin()
  await old.takeAll({ commissions: [] })
  for (const external_id of ['ch_1', 'ch_2'])
    await old.post('/conversions', { referral_id: 'ref-1', amount_cents: 10_000, external_id })
  const paid = commission({ state: 'paid', paidAt: at(40) })
  const voided = commission({
    externalId: 'com-2',
    saleId: 'sale-2',
    saleBillingId: 'ch_2',
    state: 'void',
    voidedAt: at(9),
  })
  await old.take('COMMISSION', [paid, voided])
  const { data } = (await old.get('/commissions')).body
  expect(data.map(({ state }: any) => state).sort()).toEqual(['paid', 'void'])
  expect((await old.get('/payouts?state=pending')).body.data).toEqual([])
})

describe('a change at the source that cannot be applied is reported', () => {
  it('another token of a coupon, and its archiving', async () => {
    const old = await begin()
    const coupon = { externalId: 'coup-1', affiliateId: 'aff-1', token: 'ADA20' }
    await old.takeAll({ coupons: [coupon] })
    const [results] = await old.take('AFFILIATE_COUPON', [{ ...coupon, token: 'ADA30', archived: true }])
    expect(results).toMatchObject({
      outcome: 'LEFT_OUT',
      message: 'The coupon here stays unchanged. Changes at the source: the token is ADA30, it is archived.',
    })
    expect((await old.get('/affiliate_coupons/coup-1')).body.token).toBe('ADA20')
    expect(outcomes(await old.take('AFFILIATE_COUPON', [coupon]))).toEqual({ 'AFFILIATE_COUPON coup-1': 'unchanged' })
  })

  it('another affiliate of a commission', async () => {
    const old = await begin()
    await old.takeAll({ affiliates: [affiliate(), second()] })
    const results = await old.take('COMMISSION', [commission({ affiliateId: 'aff-2' })])
    expect(results.find(({ kind }) => kind === 'COMMISSION')).toMatchObject({
      outcome: 'LEFT_OUT',
      message: 'The commission belongs to another affiliate at the source. Here it stays unchanged.',
    })
  })

  it('a record that the source does not show any more', async () => {
    const old = await begin()
    await old.takeAll({ affiliates: [affiliate(), second()] })
    await old.finish()
    app.clock.advanceMinutes(1)
    await app.operator(
      'mutation ($input: StartImportInput!) { startImport(input: $input) { import { program { id } } } }',
      {
        input: { source: `https://moving-${sources}.test/v1` },
      },
    )
    await old.takeAll({})
    const { notes } = await old.finish()
    expect(notes).toContainEqual({
      kind: 'AFFILIATE',
      isLeftOut: false,
      note: 'The source does not show it any more. It stays here.',
      count: 1,
      externalIds: ['aff-2'],
    })
  })
})

it.each([
  ['AFFILIATE', affiliate({ externalId: 'a\u0000b' })],
  ['AFFILIATE', affiliate({ externalId: 'aff-9', state: 'a\u0000' })],
  ['AFFILIATE', affiliate({ externalId: 'aff-9', campaignId: 'c\u0000' })],
  ['REFERRAL', referral({ externalId: 'ref-9', campaignId: 'c\u0000' })],
  ['COMMISSION', commission({ externalId: 'com\u0000' })],
])('%s with characters that cannot be stored is left out and the others are imported', async (kind, odd) => {
  const old = await begin()
  await old.takeAll({ commissions: [] })
  const fine = kind === 'COMMISSION' ? commission({ externalId: 'com-8' }) : second({ externalId: 'aff-8' })
  const results = await old.take(kind, kind === 'REFERRAL' ? [odd, referral({ externalId: 'ref-8' })] : [odd, fine])
  expect(results.filter(({ outcome }) => outcome === 'LEFT_OUT')).toHaveLength(1)
  expect(results.filter(({ outcome }) => outcome === 'CREATED').length).toBeGreaterThan(0)
})

it('a field that the source does not show keeps its value, and a field that it shows as empty is cleared', async () => {
  const old = await begin()
  await old.takeAll({
    campaigns: [campaign({ private: true, maxCommissions: 5, minimumPayoutCents: 900 })],
    affiliates: [affiliate({ paypalEmail: 'w@old.test', receiveNewCommissionNotifications: false })],
    referrals: [referral({ billingCustomerId: 'cus_1', expiresAt: at(90) })],
  })
  const { db } = app.database
  const where = { programId: old.programId }
  const rows = async () => [
    await db.campaign.findFirstOrThrow({ where }),
    await db.affiliate.findFirstOrThrow({ where }),
    await db.referral.findFirstOrThrow({ where }),
  ]
  const before = await rows()
  const only = (record: object, ...fields: string[]) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))
  const less = {
    campaigns: [only(campaign(), 'externalId', 'name', 'commissionPercent')],
    affiliates: [only(affiliate(), 'externalId', 'email', 'campaignId')],
    referrals: [only(referral(), 'externalId', 'affiliateId', 'conversionState')],
  }
  expect(new Set(Object.values(outcomes(await old.takeAll(less))))).toEqual(new Set(['unchanged']))
  expect(await rows()).toEqual(before)
  const cleared = affiliate({ paypalEmail: null, receiveNewCommissionNotifications: true })
  expect(await old.take('AFFILIATE', [cleared])).toMatchObject([{ outcome: 'UPDATED' }, { outcome: 'UNCHANGED' }])
  expect((await rows())[1]).toMatchObject({ paypalEmail: null, receiveNewCommissionNotifications: true })
})

it.each<[string, object, object, string | null]>([
  [
    'commission_percent 33.333',
    { commissionPercent: 33.333 },
    { commissionBasisPoints: 3_333 },
    'The commission of 33.333 percent was rounded to 33.33 percent.',
  ],
  [
    'commission_percent 33.335',
    { commissionPercent: '33.335' },
    { commissionBasisPoints: 3_334 },
    'The commission of 33.335 percent was rounded to 33.34 percent.',
  ],
  ['commission_percent 12.50000', { commissionPercent: '12.50000' }, { commissionBasisPoints: 1_250 }, null],
  [
    'max_commissions 0',
    { maxCommissions: 0 },
    { maxCommissions: null },
    'Max commissions is 0 at the source. It was imported as no limit.',
  ],
  [
    'max_commission_period_months 0',
    { maxCommissionPeriodInMonths: 0 },
    { maxCommissionPeriodInMonths: null },
    'Max commission period in months is 0 at the source. It was imported as no limit.',
  ],
  [
    'a negative minimum',
    { minimumPayoutCents: -1 },
    { minimumPayoutCents: 0n },
    'The minimum payout is negative. It was imported as 0.',
  ],
  [
    'a relative URL',
    { url: '/join' },
    { url: 'https://old.test' },
    expect.stringMatching(/^Url .+\. The default is used instead\.$/),
  ],
  [
    'an unknown reward type',
    { rewardType: 'share' },
    { commissionBasisPoints: 2_000 },
    expect.stringMatching(/^Reward type must be one of/),
  ],
  [
    'fractions of days',
    { daysBeforeReferralsExpire: 1.5 },
    { daysBeforeReferralsExpire: 60 },
    expect.stringMatching(/^Days before referrals expire .+ The default is used instead\.$/),
  ],
  ['no name', { name: null }, { name: 'Campaign camp-1' }, null],
  [
    'a malformed creation time',
    { createdAt: 'soon' },
    { commissionBasisPoints: 2_000 },
    expect.stringMatching(/^Created at .+ The default is used instead\.$/),
  ],
])('a campaign with %s is imported, and so are its affiliates', async (_what, fields, columns, message) => {
  const old = await begin()
  expect(await old.take('CAMPAIGN', [campaign(fields)])).toMatchObject([{ outcome: 'CREATED', message }])
  expect(await app.database.db.campaign.findFirst({ where: { programId: old.programId } })).toMatchObject(columns)
  expect(await old.take('AFFILIATE', [affiliate()])).toMatchObject([{ outcome: 'CREATED' }, { outcome: 'CREATED' }])
})

it('says whether an affiliate has no link at the source, or no importable link', async () => {
  const old = await begin()
  await old.take('CAMPAIGN', [campaign()])
  const without = affiliate({ links: [] })
  const invalid = affiliate({
    externalId: 'aff-2',
    email: 'b@x.test',
    links: [{ externalId: 'l', token: 'no blanks' }],
  })
  const results = await old.take('AFFILIATE', [without, invalid])
  expect(results.filter(({ kind }) => kind === 'AFFILIATE').map(({ message }) => message)).toEqual([
    'The source shows no link. A new link was created.',
    'None of the links could be imported. A new link was created.',
  ])
})
