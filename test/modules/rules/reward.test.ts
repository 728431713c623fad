import { describe, expect, it } from 'vitest'
import { languages } from '../../../src/kernel/languages.ts'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCoupon } from '../../support/factories.ts'
import { clientOf } from '../access/affiliate-tokens/story.ts'
import { createRuler } from './ruler.ts'

const app = await createTestApp()

const rewardOf = 'query ($language: String) { me { reward(language: $language) { text lines { text } } } }'

describe('the reward of an affiliate', () => {
  it('is what the rules give them now, each with its condition, and the text has all lines', async () => {
    const { program, campaign, affiliate, createRule } = await createRuler(app)
    const other = await createAffiliate(program, { campaign_id: campaign.id })
    await createRule({ name: 'VIP Sara', reward: { percent: 35 }, conditions: { affiliateIds: [affiliate.id] } })
    await createRule({ reward: { percent: 15 }, conditions: { productIds: ['plan_enterprise'] } })
    await createRule({ reward: { leadAmountCents: 500 } })
    const linesOf = async (id: string) => {
      const { reward } = (await (await clientOf(app, program, id))(rewardOf)).me
      const lines = reward.lines.map(({ text }: { text: string }) => text)
      expect(reward.text).toBe(lines.join(' '))
      return lines
    }
    expect(await linesOf(affiliate.id)).toEqual([
      'You earn 35% of each sale to a customer you refer.',
      'Commissions are due 30 days after the sale.',
      'You earn $5.00 for each new lead.',
    ])
    expect(await linesOf(other.id)).toEqual([
      'You earn 10% of each sale to a customer you refer.',
      'Commissions are due 30 days after the sale.',
      'Sales of plan_enterprise: 15%.',
      'You earn $5.00 for each new lead.',
    ])
  })

  it('names no coupon of another affiliate, and no rule that has not begun or has ended', async () => {
    const { program, affiliate, createRule } = await createRuler(app)
    const other = await createAffiliate(program)
    const code = (await createCoupon(program, other.id, 'TOMS-CODE')).token
    const own = (await createCoupon(program, affiliate.id, 'SARAS-CODE')).token
    await createRule({ reward: { percent: 50 }, conditions: { couponTokens: [code] } })
    await createRule({ reward: { percent: 25 }, conditions: { couponTokens: [code, own] } })
    await createRule({ reward: { percent: 90 }, startsAt: new Date(app.clock.now.getTime() + 86_400_000) })
    const { text } = (await (await clientOf(app, program, affiliate.id))(rewardOf)).me.reward
    expect(text).toContain('Sales with the coupon SARAS-CODE: 25%.')
    expect(text).not.toMatch(/TOMS|50|90/)
  })

  it.each(languages)('is said in %s, with tiers, caps and all conditions', async (language) => {
    const { program, affiliate, createRule } = await createRuler(app)
    const steps = [
      { from: 0, percent: 20 },
      { from: 10, percent: 25 },
    ]
    const tiers = { measure: 'CONVERSIONS', period: 'MONTH', appliesTo: 'WHOLE_PERIOD', steps }
    await createRule({ reward: { tiers }, endsAt: new Date(app.clock.now.getTime() + 864_000_000) })
    const conditions = { billingIntervals: ['YEAR'], payment: 'FIRST', minimumAmountCents: 10_000 }
    const limits = { maxCommissions: 2, maxCommissionPeriodInMonths: 3, cap: { perSaleCents: 3_000 } }
    await createRule({ reward: { amountCents: 1_500 }, conditions, appliesTo: 'NEW_CUSTOMERS', ...limits })
    await createRule({ reward: { none: true }, conditions: { currency: 'eur' } })
    const ask = await clientOf(app, program, affiliate.id)
    const { lines, text } = (await ask(rewardOf, { language })).me.reward
    expect(lines).toHaveLength(5)
    expect(text).not.toMatch(/undefined|null|NaN|\[object|#/)
    for (const value of ['20', '25', '15', '100', '30', 'EUR']) expect(text).toContain(value)
  })
})

it('the join page says what a newcomer earns', async () => {
  const { program, campaign, affiliate, createRule } = await createRuler(app)
  await createRule({ reward: { percent: 35 }, conditions: { affiliateIds: [affiliate.id] } })
  await createRule({ reward: { percent: 30 }, appliesTo: 'NEW_CUSTOMERS' })
  const address = `http://localhost:4000/join/${program.slug}?campaign=${campaign.id}`
  const page = await (await app.app.fetch(new Request(address))).text()
  expect(page).toContain('You earn 30% of each sale to a customer you refer.')
  expect(page).not.toContain('35%')
})
