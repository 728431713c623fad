import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { costing } from '../../../graphql/cost.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { AnalyticsRangeInput } from '../../analytics/graphql-inputs.ts'
import { ComparedEarningsType } from '../graphql-comparison.ts'
import { campaignRulesInput } from './input.ts'
import { type Simulation, simulateCampaign } from './service.ts'

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
      type: [ComparedEarningsType],
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
