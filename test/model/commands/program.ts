import fc from 'fast-check'
import { expect } from 'vitest'
import { type Affiliate, day, type Rule } from '../model.ts'
import { command, pick, position } from './command.ts'

export const advance = fc.tuple(fc.constantFrom(1, 1, 7, 29, 31, 61, 400)).map(([days]) =>
  command(
    `advance ${days} days`,
    () => true,
    async (model, { program }) => {
      const { advanceClock } = await program.graphql(
        'mutation ($id: ID!, $days: Int!) { advanceClock(input: { programId: $id, days: $days }) { program { clock } } }',
        { id: program.id, days },
      )
      model.now += days * day
      expect(Date.parse(advanceClock.program.clock)).toBe(model.now)
      const keptSince = model.now - 90 * day
      model.unattributed = model.unattributed.filter((one) => millisecondsOf(one.id) >= keptSince)
    },
  ),
)

/** The creation time of an id: its first 48 bits. */
const millisecondsOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

export const changeState = fc
  .tuple(position, fc.constantFrom('active', 'active', 'disabled', 'suspicious'))
  .map(([at, state]) =>
    command(
      `affiliate ${at} becomes ${state}`,
      () => true,
      async (model, { program }) => {
        const affiliate = pick(model.affiliates, at)
        const { status } = await program.put(`/affiliates/${affiliate.id}`, { state })
        expect(status).toBe(200)
        affiliate.state = state as Affiliate['state']
      },
    ),
  )

export const move = fc.tuple(position, position).map(([at, to]) =>
  command(
    `affiliate ${at} moves to ${to}`,
    () => true,
    async (model, { program }) => {
      const affiliate = pick(model.affiliates, at)
      const campaign = pick(model.campaigns, to)
      const { status } = await program.put(`/affiliates/${affiliate.id}`, { campaign_id: campaign.id })
      expect(status).toBe(200)
      affiliate.campaign = campaign
      affiliate.campaigns.push({ at: model.now, value: campaign })
    },
  ),
)

const change: fc.Arbitrary<Partial<Rule>> = fc.oneof(
  fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }), amountCents: fc.constant(null) }),
  fc.record({ basisPoints: fc.constant(null), amountCents: fc.constantFrom(0, 1, 700, 2_500) }),
  fc.record({ daysBeforeDue: fc.constantFrom(0, 7, 30) }),
  fc.record({ daysBeforeExpiry: fc.constantFrom(0, 1, 30, 60) }),
  fc.record({ maxCommissions: fc.constantFrom(null, 1, 2, 3) }),
  fc.record({ maxMonths: fc.constantFrom(null, 1, 12) }),
  fc.record({ minimumPayout: fc.constantFrom(0, 1, 1_000, 5_000) }),
  fc.record({ minimumOfEuros: fc.constantFrom(null, 0, 500, 5_000) }),
)

const ruleFields = (rule: Partial<Rule>): Record<string, unknown> => ({
  ...('basisPoints' in rule && rule.basisPoints !== null && { commission_percent: (rule.basisPoints as number) / 100 }),
  ...('amountCents' in rule && rule.amountCents !== null && { commission_amount_cents: rule.amountCents }),
  ...('daysBeforeDue' in rule && { days_before_commissions_are_due: rule.daysBeforeDue }),
  ...('daysBeforeExpiry' in rule && { days_before_referrals_expire: rule.daysBeforeExpiry }),
  ...('maxCommissions' in rule && { max_commissions: rule.maxCommissions }),
  ...('maxMonths' in rule && { max_commission_period_in_months: rule.maxMonths }),
  ...('minimumPayout' in rule && { minimum_payout_cents: rule.minimumPayout }),
  ...('minimumOfEuros' in rule && {
    minimum_payouts: rule.minimumOfEuros === null ? [] : [{ currency: 'eur', amount_cents: rule.minimumOfEuros }],
  }),
})

export const changeCampaign = fc.tuple(position, change).map(([at, changed]) =>
  command(
    `campaign ${at} ${JSON.stringify(changed)}`,
    () => true,
    async (model, { program }) => {
      const campaign = pick(model.campaigns, at)
      const { status } = await program.put(`/campaigns/${campaign.id}`, ruleFields(changed))
      expect(status).toBe(200)
      campaign.rule = { ...campaign.rule, ...changed }
      campaign.versions.push({ at: model.now, value: campaign.rule })
    },
  ),
)
