import { describe, expect, it } from 'vitest'
import { createTestApp, restClient } from '../support/app.ts'
import { affiliate, at, beginImport, campaign, commission, outcomes, payout, referral } from './story.ts'

const app = await createTestApp()
let sources = 0
const begin = async () => {
  sources += 1
  const begun = await beginImport(app, `https://old-${sources}.test/v1`)
  return { ...begun, ...restClient(app.app.fetch, { Authorization: `Bearer ${begun.secret}` }) }
}

describe('importRecords', () => {
  it('takes over each kind with its own moments, and once', async () => {
    const old = await begin()
    const story = {
      coupons: [{ externalId: 'coup-1', affiliateId: 'aff-1', token: 'ADA20' }],
      payouts: [payout()],
      commissions: [commission({ state: 'paid', paidAt: at(40) })],
    }
    expect(outcomes(await old.takeAll(story))).toEqual({
      'CAMPAIGN camp-1': 'created',
      'AFFILIATE aff-1': 'created',
      'AFFILIATE_LINK link-1': 'created',
      'AFFILIATE_COUPON coup-1': 'created',
      'REFERRAL ref-1': 'created',
      'PAYOUT pay-1': 'created',
      'COMMISSION com-1': 'created',
      'SALE sale-1': 'created',
    })
    const again = await old.takeAll(story)
    expect(new Set(Object.values(outcomes(again)))).toEqual(new Set(['unchanged']))
    const { body: affiliates } = await old.get('/affiliates')
    expect(affiliates.data).toMatchObject([
      {
        email: 'Ada@Old.test',
        created_at: at(2),
        confirmed_at: at(2),
        visitors: 1,
        leads: 1,
        conversions: 1,
        campaign: { name: 'Partners', created_at: at(1) },
        links: [{ token: 'Ada-L', visitors: 1, conversions: 1 }],
        coupon: { token: 'ADA20' },
      },
    ])
    expect((await old.get('/referrals')).body.data).toMatchObject([
      { conversion_state: 'conversion', became_lead_at: at(3), became_conversion_at: at(4) },
    ])
    expect((await old.get('/commissions')).body.data).toMatchObject([
      { amount: 2_000, state: 'paid', due_at: at(34), paid_at: at(40) },
    ])
    expect((await old.get('/payouts')).body.data).toMatchObject([{ amount: 2_000, state: 'paid', paid_at: at(40) }])
    const report = await old.finish()
    expect(report.notes).toEqual([])
    for (const { source, here } of report.kinds) expect(here).toBe(source)
    for (const sum of report.sums) expect([sum.hereCount, sum.hereCents]).toEqual([sum.sourceCount, sum.sourceCents])
  })
})
void [affiliate, campaign, referral]
