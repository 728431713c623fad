import type { Campaign } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { costing } from '../../graphql/cost.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { MoneyType } from '../../graphql/money.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { plainWhy } from '../../texts/why.ts'
import { CampaignType } from '../campaigns/graphql.ts'
import type { AppliedRule } from '../rules/apply.ts'
import { whyOfRule } from '../rules/why.ts'
import type { ChangedSale } from './cost.ts'
import { ComparedEarningsType } from './graphql-comparison.ts'
import { RulePlanChangeKindEnum } from './graphql-enums.ts'
import { applyRulesInput, planRulesInput, revertRulesInput } from './input.ts'
import type { ReplayProgress } from './progress.ts'
import type { RuleChange } from './proposal.ts'
import { applyPlannedRules, planRules, type RulePlan, revertRules } from './service.ts'

const why = (applied: AppliedRule) => whyOfRule(applied, null).map(plainWhy).join(' ')

export const RulePlanSaleType = builder.objectRef<ChangedSale>('RulePlanSale').implement({
  description: 'A sale that would earn something else.',
  subGraphs: publicOnly,
  fields: (t) => ({
    saleId: t.exposeID('id', { description: 'The id of the sale.' }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of its affiliate.' }),
    before: t.field({
      type: MoneyType,
      nullable: true,
      description: 'What it earns by the present rules. Null: nothing.',
      resolve: ({ before }) => before,
    }),
    after: t.field({
      type: MoneyType,
      nullable: true,
      description: 'What it would earn by the planned rules. Null: nothing.',
      resolve: ({ after }) => after,
    }),
    whyBefore: t.string({
      description: 'Which of the present rules applies, and why the nearest other one does not.',
      resolve: ({ rules }) => why(rules.before),
    }),
    whyAfter: t.string({
      description: 'Which of the planned rules applies, and why the nearest other one does not.',
      resolve: ({ rules }) => why(rules.after),
    }),
  }),
})

const RuleChangeType = builder.objectRef<RuleChange & { campaign: Campaign }>('RulePlanChange').implement({
  description: 'A rule that the plan creates, changes or ends.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: RulePlanChangeKindEnum, description: 'What happens to it.' }),
    name: t.exposeString('name', { description: 'The name of the rule.' }),
    campaign: t.field({ type: CampaignType, description: 'Its campaign.', resolve: ({ campaign }) => campaign }),
  }),
})

const ReplayProgressType = builder.objectRef<ReplayProgress>('RulePlanProgress').implement({
  description: 'How far a replay of sales is.',
  subGraphs: publicOnly,
  fields: (t) => ({
    replayed: t.exposeInt('replayed', { description: 'The number of sales that are replayed.' }),
    total: t.exposeInt('total', { description: 'The number of sales of the program when the replay began.' }),
  }),
})

const RulePlanType = builder.objectRef<RulePlan>('RulePlan').implement({
  description: 'What other commission rules would change, and what they would cost for past sales.',
  subGraphs: publicOnly,
  fields: (t) => ({
    planId: t.exposeID('id', { description: 'For `applyRules`. It is out of date when the rules have changed.' }),
    since: t.expose('since', { type: 'DateTime', description: 'The start of the range, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The end of the range: when the plan was made.' }),
    progress: t.field({
      type: ReplayProgressType,
      nullable: true,
      description:
        'How far another request is that replays sales for the same plan. Asking for it alone replays nothing. Null if none runs in the process that answers.',
      resolve: ({ progress }) => progress(),
    }),
    changes: t.field({
      type: [RuleChangeType],
      description: 'The rules that it creates, changes or ends. Empty if it changes nothing.',
      resolve: ({ proposals }) =>
        proposals.flatMap(({ campaign, changes }) => changes.map((change) => ({ ...change, campaign }))),
    }),
    sales: t.int({
      description: 'The number of sales that occurred in the range.',
      resolve: async ({ cost }) => (await cost()).sales,
    }),
    changedSales: t.int({
      description: 'The number of those that would earn something else.',
      resolve: async ({ cost }) => (await cost()).changedSales,
    }),
    currencies: t.field({
      type: [ComparedEarningsType],
      description: 'One entry for each currency, ordered by code.',
      resolve: async ({ cost }) => (await cost()).currencies,
    }),
    largestChanges: t.field({
      type: [RulePlanSaleType],
      description: 'The ten sales that would change most, the largest change first.',
      resolve: async ({ cost }) => (await cost()).largest,
    }),
  }),
})

/** As a simulation. */
const costOfPlan = 20_000

builder.queryField('planRules', (t) =>
  t.field({
    type: RulePlanType,
    complexity: costing(costOfPlan),
    description:
      'Replays past sales by the present commission rules and by others, as if each had held for the whole range. Nothing is written. Refunds are deducted as if they had been made at the time of the sale.',
    args: {
      input: t.arg({
        type: inputOf('PlanRulesInput', planRulesInput),
        required: true,
        description: 'The rules, and the sales to replay.',
      }),
    },
    resolve: (_root, { input }, ctx) => planRules(programScope(ctx), input),
  }),
)

resourceMutation('applyRules', 'campaigns', [CampaignType], {
  description:
    'Makes the rules of a plan those of the program, from a moment on. It returns the campaigns whose rules have changed.',
  input: applyRulesInput,
  resolve: (ctx, input) => applyPlannedRules(programScope(ctx), input),
})

resourceMutation('revertRules', 'campaigns', [CampaignType], {
  description:
    'Makes the commission rules from before the last change valid again, from now on. It returns the campaigns whose rules have changed.',
  input: revertRulesInput,
  resolve: (ctx, input) => revertRules(programScope(ctx), input),
})
