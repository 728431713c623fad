import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { costing } from '../../../graphql/cost.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { MoneyType } from '../../../graphql/money.ts'
import { AffiliateType } from '../../affiliates/graphql.ts'
import { AnalyticsRangeInput } from '../../analytics/graphql-inputs.ts'
import { average } from '../../analytics/metrics.ts'
import { type AffiliateChange, largestChanges } from '../largest-changes.ts'
import { campaignRulesInput } from './input.ts'
import { type Cost, type SimulatedCurrency, type Simulation, simulateCampaign } from './service.ts'

const SimulatedAffiliateType = builder.objectRef<AffiliateChange>('SimulatedAffiliate').implement({
  description: 'What an affiliate earned, and would have earned by the simulated rules.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliate: t.field({
      type: AffiliateType,
      description: 'The affiliate.',
      resolve: ({ affiliate }) => affiliate,
    }),
    actual: t.field({
      type: MoneyType,
      description: 'The commissions that the sales earned.',
      resolve: ({ beforeCents, currency }) => ({ amountCents: beforeCents, currency }),
    }),
    simulated: t.field({
      type: MoneyType,
      description: 'The commissions that the sales would have earned.',
      resolve: ({ afterCents, currency }) => ({ amountCents: afterCents, currency }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'simulated - actual.',
      resolve: ({ beforeCents, afterCents, currency }) => ({ amountCents: afterCents - beforeCents, currency }),
    }),
  }),
})

const SimulatedCostType = builder.objectRef<Cost & { currency: string; sales: number }>('SimulatedCost').implement({
  description: 'The commissions in one currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    amount: t.field({
      type: MoneyType,
      description: 'The sum of the commissions.',
      resolve: ({ amountCents, currency }) => ({ amountCents, currency }),
    }),
    commissions: t.expose('commissions', {
      type: 'SafeInt',
      description: 'The number of sales that earned a commission.',
    }),
    averagePerSale: t.field({
      type: MoneyType,
      nullable: true,
      description: 'amount / sales, rounded half up to a minor unit. Null if there are no sales in this currency.',
      resolve: ({ amountCents, sales, currency }) => {
        const cents = average(amountCents, BigInt(sales))
        return cents === null ? null : { amountCents: cents, currency }
      },
    }),
  }),
})

const SimulatedCurrencyType = builder.objectRef<SimulatedCurrency>('SimulatedCurrency').implement({
  description: 'The actual and simulated commissions in one currency. Amounts in different currencies are never added.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'The currency, as a lower-case ISO 4217 code.' }),
    sales: t.expose('sales', { type: 'SafeInt', description: 'The number of sales in this currency in the range.' }),
    actual: t.field({
      type: SimulatedCostType,
      description:
        'The commissions that the sales earned, in their current state: after changes by hand, refunds and corrections, without void ones.',
      resolve: ({ actual, currency, sales }) => ({ ...actual, currency, sales }),
    }),
    simulated: t.field({
      type: SimulatedCostType,
      description: 'The commissions that the sales would have earned.',
      resolve: ({ simulated, currency, sales }) => ({ ...simulated, currency, sales }),
    }),
    difference: t.field({
      type: MoneyType,
      description: 'simulated - actual.',
      resolve: ({ actual, simulated, currency }) => ({
        amountCents: simulated.amountCents - actual.amountCents,
        currency,
      }),
    }),
    affiliates: t.field({
      type: [SimulatedAffiliateType],
      description: 'The affiliates with the largest changes, up or down. Affiliates without a change are left out.',
      args: {
        limit: t.arg.int({ required: true, defaultValue: 10, description: 'The number of affiliates, from 1 to 100.' }),
      },
      resolve: (simulated, { limit }, ctx) => largestChanges(programScope(ctx), simulated, limit),
    }),
  }),
})

const CampaignSimulationType = builder.objectRef<Simulation>('CampaignSimulation').implement({
  description: 'What other rules would have cost for past sales.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'The start of the range, inclusive.', resolve: ({ from }) => from }),
    to: t.expose('to', { type: 'DateTime', description: 'The end of the range, exclusive.' }),
    sales: t.expose('sales', {
      type: 'SafeInt',
      description: 'The number of sales that occurred in the range, in any currency.',
    }),
    currencies: t.expose('currencies', {
      type: [SimulatedCurrencyType],
      description: 'One entry for each currency, ordered by code.',
    }),
  }),
})

const SimulateCampaignInput = builder.inputType('SimulateCampaignInput', {
  description: 'The input of `simulateCampaign`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    campaignId: t.id({
      description: 'The id of a campaign, to simulate only its sales. Default: the sales of all campaigns.',
    }),
    rules: t.field({
      type: inputOf('CampaignRules', campaignRulesInput),
      required: true,
      description:
        'The rules to simulate. An omitted rule keeps the current value of the campaign. Null removes a limit.',
    }),
    range: t.field({
      type: AnalyticsRangeInput,
      required: true,
      description: 'The time range. Sales that occurred in it are counted.',
    }),
    timeZone: t.string({ description: 'The IANA time zone of a preset range. Default: UTC.' }),
  }),
})

/** For some ten thousand sales. An operation can have two. */
const costOfSimulation = 20_000

builder.queryField('simulateCampaign', (t) =>
  t.field({
    type: CampaignSimulationType,
    complexity: costing(costOfSimulation),
    description:
      'Simulates what other rates, limits or expiry days would have cost for past sales. Nothing is written. The commission rules of the time of each sale apply, as for a report. The attribution of each sale stays as it is, so a longer expiry does not find sales that were unattributed. Refunds are deducted as if they had been made at the time of the sale. Sales whose commission was voided by hand, or rejected as a self-referral, earn nothing. Amounts that were changed by hand are ignored.',
    args: {
      input: t.arg({
        type: SimulateCampaignInput,
        required: true,
        description: 'The rules and the sales to simulate.',
      }),
    },
    resolve: (_root, { input }, ctx) => simulateCampaign(programScope(ctx), input),
  }),
)
