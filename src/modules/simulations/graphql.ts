import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { MoneyType } from '../../graphql/money.ts'
import { AffiliateType } from '../affiliates/graphql.ts'
import { AnalyticsRangeInput } from '../analytics/graphql.ts'
import { average } from '../analytics/metrics.ts'
import { type Change, largestChanges } from './changes.ts'
import { campaignRulesInput } from './input.ts'
import { type Cost, type SimulatedCurrency, type Simulation, simulateCampaign } from './service.ts'

const SimulatedAffiliateType = builder.objectRef<Change>('SimulatedAffiliate').implement({
  description: 'What an affiliate would have earned.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.field({ type: AffiliateType, resolve: ({ affiliate }) => affiliate }),
    actual: t.field({
      type: MoneyType,
      description: 'What the sales earned.',
      resolve: ({ actualCents, currency }) => ({ amountCents: actualCents, currency }),
    }),
    simulated: t.field({
      type: MoneyType,
      description: 'What they would have earned.',
      resolve: ({ simulatedCents, currency }) => ({ amountCents: simulatedCents, currency }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'simulated - actual',
      resolve: ({ actualCents, simulatedCents, currency }) => ({ amountCents: simulatedCents - actualCents, currency }),
    }),
  }),
})

const SimulatedCostType = builder.objectRef<Cost & { currency: string; sales: number }>('SimulatedCost').implement({
  description: 'What commissions come to.',
  subGraphs: publicOnly,
  fields: (t) => ({
    amount: t.field({ type: MoneyType, resolve: ({ amountCents, currency }) => ({ amountCents, currency }) }),
    commissions: t.expose('commissions', { type: 'SafeInt', description: 'How many sales earned one.' }),
    averagePerSale: t.field({
      type: MoneyType,
      nullable: true,
      description: 'amount / sales, rounded half up to a minor unit; null without sales in this currency.',
      resolve: ({ amountCents, sales, currency }) => {
        const cents = average(amountCents, BigInt(sales))
        return cents === null ? null : { amountCents: cents, currency }
      },
    }),
  }),
})

const SimulatedCurrencyType = builder.objectRef<SimulatedCurrency>('SimulatedCurrency').implement({
  description: 'The commissions in one currency; currencies are never added up.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    sales: t.expose('sales', { type: 'SafeInt', description: 'Sales in this currency, in the range.' }),
    actual: t.field({
      type: SimulatedCostType,
      description: 'What the sales earned, as it is now: amended, with refunds taken back, without void ones.',
      resolve: ({ actual, currency, sales }) => ({ ...actual, currency, sales }),
    }),
    simulated: t.field({
      type: SimulatedCostType,
      description: 'What they would have earned.',
      resolve: ({ simulated, currency, sales }) => ({ ...simulated, currency, sales }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'simulated - actual',
      resolve: ({ actual, simulated, currency }) => ({
        amountCents: simulated.amountCents - actual.amountCents,
        currency,
      }),
    }),
    affiliates: t.field({
      type: [SimulatedAffiliateType],
      description: 'For whom it would have changed most, up or down; those for whom nothing would are left out.',
      args: { limit: t.arg.int({ required: true, defaultValue: 10, description: 'How many, 1 to 100.' }) },
      resolve: (simulated, { limit }, ctx) => largestChanges(programScope(ctx), simulated, limit),
    }),
  }),
})

const CampaignSimulationType = builder.objectRef<Simulation>('CampaignSimulation').implement({
  description: 'What other rules would have cost over past sales.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The first moment that counts.', resolve: ({ from }) => from }),
    to: t.expose('to', { type: 'DateTime', description: 'The first moment that counts no more.' }),
    sales: t.expose('sales', { type: 'SafeInt', description: 'Sales that occurred in the range, in any currency.' }),
    currencies: t.expose('currencies', { type: [SimulatedCurrencyType], description: 'By code.' }),
  }),
})

const SimulateCampaignInput = builder.inputType('SimulateCampaignInput', {
  description: 'What `simulateCampaign` is told.',
  subGraphs: publicOnly,
  fields: (t) => ({
    campaignId: t.id({ description: 'Only sales of this campaign; of all campaigns, unless given.' }),
    rules: t.field({
      type: inputOf('CampaignRules', campaignRulesInput),
      required: true,
      description: 'What would have been otherwise. What is left out is as the campaign is now; null clears a limit.',
    }),
    range: t.field({ type: AnalyticsRangeInput, required: true, description: 'Sales that occurred in it count.' }),
    timeZone: t.string({ description: 'An IANA time zone that a preset is read in. Default: UTC.' }),
  }),
})

builder.queryField('simulateCampaign', (t) =>
  t.field({
    type: CampaignSimulationType,
    description:
      "What other rates, limits or windows would have cost over past sales; nothing is written. Whose sale it was is taken as it is, so a longer window than was does not find sales that belonged to nobody. Refunds are taken off, as if made at once. What was voided by hand, or rejected as the affiliate's own sale, earns nothing; amounts amended by hand are not taken over.",
    args: { input: t.arg({ type: SimulateCampaignInput, required: true }) },
    resolve: (_root, { input }, ctx) => simulateCampaign(programScope(ctx), input),
  }),
)
