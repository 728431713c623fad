import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCoupon } from '../../support/factories.ts'
import { advanceTo, createRuler } from './ruler.ts'

const app = await createTestApp()

describe('a cap', () => {
  it('limits what a sale earns, and the explanation says what it took away', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    const rule = await createRule({ reward: { percent: 50 }, cap: { perSaleCents: 3_000 } })
    expect(rule.cap).toEqual({ perSaleCents: 3_000, perMonthCents: null, perYearCents: null })
    const { amountCents, summary } = await report({ coupon, amountCents: 10_000 })
    expect(amountCents).toBe(3_000)
    expect(summary).toContain('50 percent of 100.00 USD is 50.00 USD, rounded half up.')
    expect(summary).toContain(
      'The rule pays at most 30.00 USD for a sale: 30.00 USD is left, so 20.00 USD is not paid.',
    )
    expect(summary.join(' ')).not.toContain('by hand')
  })

  it('of a month leaves a sale the rest, and then nothing until the next month', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    advanceTo(app, 7, 10)
    await createRule({ reward: { percent: 50 }, cap: { perMonthCents: 6_000 } })
    expect((await report({ coupon })).amountCents).toBe(5_000)
    const rest = await report({ coupon })
    expect(rest.amountCents).toBe(1_000)
    expect(rest.summary).toContain(
      'The rule pays at most 60.00 USD for a month, of which 50.00 USD were earned before: 10.00 USD is left, so 40.00 USD is not paid.',
    )
    const none = await report({ coupon })
    expect([none.noCommissionReason, none.amountCents]).toEqual(['CAP_REACHED', undefined])
    expect(none.summary.at(-1)).toBe(
      'No commission: the rule pays at most 60.00 USD for a month, and 60.00 USD were earned before.',
    )
    app.clock.advanceDays(31)
    expect((await report({ coupon })).amountCents).toBe(5_000)
  })

  it('of a year counts every month of it', async () => {
    const { coupon, createRule, report } = await createRuler(app)
    advanceTo(app, 2, 1)
    await createRule({ reward: { percent: 50 }, cap: { perMonthCents: 6_000, perYearCents: 9_000 } })
    expect((await report({ coupon })).amountCents).toBe(5_000)
    app.clock.advanceDays(40)
    expect((await report({ coupon })).amountCents).toBe(4_000)
    app.clock.advanceDays(320)
    expect((await report({ coupon })).amountCents).toBe(5_000)
  })

  it('counts a sale in the month of the time zone of the program in which it occurred', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    const year = advanceTo(app, 4, 1).getUTCFullYear()
    await app.operator(
      'mutation ($input: UpdateProgramInput!) { updateProgram(input: $input) { program { timeZone } } }',
      {
        input: { id: program.id, timeZone: 'Pacific/Auckland' },
      },
    )
    await createRule({ reward: { percent: 50 }, cap: { perMonthCents: 6_000 } })
    app.clock.advanceDays(40)
    const sale = async (occurredAt: string) => (await report({ coupon, occurredAt })).amountCents
    // May begins at noon of 30 April in UTC there.
    expect(await sale(`${year}-04-30T12:30:00Z`)).toBe(5_000)
    expect(await sale(`${year}-05-01T00:00:00Z`)).toBe(1_000)
    expect(await sale(`${year}-04-30T11:30:00Z`)).toBe(5_000)
  })

  it('has room again after a refund or a void', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    await createRule({ reward: { percent: 50 }, cap: { perMonthCents: 5_000 } })
    const first = await report({ coupon, externalId: 'cap_1' })
    expect((await report({ coupon })).noCommissionReason).toBe('CAP_REACHED')
    await program.post('/conversions/refund', { external_id: 'cap_1', amount_cents: 4_000 })
    const second = await report({ coupon })
    expect([first.amountCents, second.amountCents]).toEqual([5_000, 2_000])
    await program.graphql(
      'mutation ($input: VoidCommissionInput!) { voidCommission(input: $input) { commission { id } } }',
      {
        input: { id: second.commissionId },
      },
    )
    expect((await report({ coupon })).amountCents).toBe(2_000)
  })

  it('is of one affiliate and one currency, and a debt gives room back in the month of its sale', async () => {
    const { program, campaign, coupon, createRule, report } = await createRuler(app)
    await createRule({ reward: { percent: 50 }, cap: { perMonthCents: 5_000 } })
    const other = await createAffiliate(program, { campaign_id: campaign.id })
    const theirs = await createCoupon(program, other.id)
    const first = await report({ coupon, externalId: 'cap_2' })
    expect((await report({ coupon: theirs.token })).amountCents).toBe(5_000)
    expect((await report({ coupon, currency: 'eur' })).amountCents).toBe(5_000)
    await program.graphql(
      'mutation ($input: AmendCommissionInput!) { amendCommission(input: $input) { commission { id } } }',
      { input: { id: first.commissionId, paidAt: app.clock.now.toISOString() } },
    )
    await program.post('/conversions/refund', { external_id: 'cap_2' })
    expect((await report({ coupon })).amountCents).toBe(5_000)
  })

  it('is changed by updateCommissionRule, and null takes it away', async () => {
    const { program, coupon, createRule, report } = await createRuler(app)
    const { id } = await createRule({ reward: { percent: 50 }, cap: { perSaleCents: 100 } })
    const update = async (input: object) =>
      (
        await program.graphql(
          `mutation ($input: UpdateCommissionRuleInput!) { updateCommissionRule(input: $input) {
            commissionRule { cap { perSaleCents perYearCents } } } }`,
          { input: { id, ...input } },
        )
      ).updateCommissionRule.commissionRule.cap
    expect(await update({ name: 'Renamed' })).toEqual({ perSaleCents: 100, perYearCents: null })
    expect(await update({ cap: { perYearCents: 200 } })).toEqual({ perSaleCents: null, perYearCents: 200 })
    expect((await report({ coupon })).amountCents).toBe(200)
    expect(await update({ cap: null })).toBeNull()
    expect((await report({ coupon })).amountCents).toBe(5_000)
    const bad = { campaignId: (await createRuler(app)).campaign.id, cap: { perSaleCents: 0 } }
    await expect(createRule({ reward: { percent: 1 }, ...bad })).rejects.toThrow()
  })
})
