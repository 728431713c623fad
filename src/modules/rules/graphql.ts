import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { inputOf, oneOfInput } from '../../graphql/inputs.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { defineNode } from '../../graphql/node.ts'
import type { AppliedRule } from './apply.ts'
import { commissionRuleConditionsInput } from './conditions/all.ts'
import { CommissionRuleCustomersEnum, CommissionRuleMissEnum } from './graphql-enums.ts'
import { CapType, ConditionsType, RewardType } from './graphql-terms.ts'
import {
  commissionRuleCapInput,
  createCommissionRuleInput,
  endCommissionRuleInput,
  updateCommissionRuleInput,
} from './input.ts'
import { commissionRuleRewardInput } from './rewards/all.ts'
import { commissionRuleStepInput, commissionRuleTiersInput } from './rewards/tiers.ts'
import {
  type CommissionRule,
  createCommissionRule,
  endCommissionRule,
  findCommissionRule,
  listRuleVersions,
  type RulesOfVersion,
  readRules,
  ruleSql,
  updateCommissionRule,
} from './service.ts'

export const CommissionRuleType = builder.objectRef<CommissionRule>('CommissionRule').implement({
  description:
    'Another reward than that of the campaign, for the sales that its conditions name. The rules of a campaign have one order: affiliate before group before coupon before product before payment before amount, then the newest first.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the rule, a UUID.' }),
    campaignId: t.exposeID('campaignId', { description: 'The id of its campaign.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    conditions: t.field({
      type: ConditionsType,
      description: 'What has to hold for a sale: all of it.',
      resolve: ({ conditions }) => conditions,
    }),
    reward: t.field({
      type: RewardType,
      description: 'What a sale earns.',
      resolve: ({ reward }) => reward,
    }),
    cap: t.field({
      type: CapType,
      nullable: true,
      description: 'The most that it pays. Null: it has no cap.',
      resolve: ({ cap }) => cap ?? null,
    }),
    appliesTo: t.expose('appliesTo', {
      type: CommissionRuleCustomersEnum,
      description: 'Whether customers from before keep the old deal.',
    }),
    startsAt: t.field({
      type: 'DateTime',
      description: 'Sales that occurred before are not under the rule.',
      resolve: ({ startsAt }) => new Date(startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Sales that occur from then on are not under the rule. Null if it has no end.',
      resolve: ({ endsAt }) => (endsAt === null ? null : new Date(endsAt)),
    }),
    maxCommissions: t.int({
      nullable: true,
      description: 'The number of commissions that one referral can earn. Null: as in the campaign.',
      resolve: ({ limits }) => limits.maxCommissions ?? null,
    }),
    maxCommissionPeriodInMonths: t.int({
      nullable: true,
      description:
        'The number of months from the first commission of a referral in which its sales earn. Null: as in the campaign.',
      resolve: ({ limits }) => limits.maxPeriodInMonths ?? null,
    }),
    daysBeforeCommissionsAreDue: t.int({
      nullable: true,
      description: 'The number of days from a sale until its commission is due. Null: as in the campaign.',
      resolve: ({ limits }) => limits.daysBeforeDue ?? null,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the rule was created.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
  }),
})

defineNode(CommissionRuleType, {
  has: ({ program }, id) => ruleSql(program.id, id),
  find: (ctx, id) => findCommissionRule(programScope(ctx), id),
})

const RuleVersionType = builder.objectRef<RulesOfVersion>('CommissionRuleVersion').implement({
  description:
    'The commission rules of a campaign from a moment on. Each change of a rule makes a version, which is kept.',
  subGraphs: publicOnly,
  fields: (t) => ({
    number: t.exposeInt('number', { description: '1, 2, 3 and so on in each campaign.' }),
    holdsFrom: t.expose('holdsFrom', {
      type: 'DateTime',
      description: 'Sales that occurred from then on have these rules, until the next version.',
    }),
    rules: t.field({
      type: [CommissionRuleType],
      description: 'The rules, in the order in which they are tried.',
      resolve: ({ rules }) => rules,
    }),
  }),
})

builder.prismaObjectFields('Campaign', (t) => ({
  rules: t.field({
    type: [CommissionRuleType],
    subGraphs: publicOnly,
    select: { id: true },
    description:
      "The campaign's commission rules that have not ended, in the order in which they are tried. If none applies, the campaign's own reward does.",
    resolve: ({ id }, _args, ctx) => batched(ctx, 'rules', id, (ids) => readRules(programScope(ctx), ids)),
  }),
  ruleVersions: t.field({
    type: [RuleVersionType],
    subGraphs: publicOnly,
    select: { id: true },
    description: 'The last 100 versions of its commission rules, newest first.',
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'versions of rules', id, (ids) => listRuleVersions(programScope(ctx), ids)),
  }),
}))

const RunnerUpType = builder.objectRef<NonNullable<AppliedRule['runnerUp']>>('CommissionRuleRunnerUp').implement({
  description: 'The commission rule that came nearest to applying to a sale.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ruleId: t.exposeID('id', { description: 'The id of the rule.' }),
    name: t.exposeString('name', { description: 'What it was called.' }),
    reason: t.expose('miss', { type: CommissionRuleMissEnum, description: 'Why it does not apply.' }),
  }),
})

export const RuleOfSaleType = builder.objectRef<AppliedRule>('CommissionRuleOfSale').implement({
  description: 'Which commission rule applied to a sale.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.exposeInt('version', { description: "The version of the campaign's rules." }),
    ruleId: t.id({
      nullable: true,
      description: "The id of the rule. Null: the campaign's own reward, because no rule applied.",
      resolve: ({ id }) => id,
    }),
    name: t.exposeString('name', { nullable: true, description: 'What the rule was called. Null without a rule.' }),
    runnerUp: t.field({
      type: RunnerUpType,
      nullable: true,
      description: 'The rule that came nearest. Null if no other one did.',
      resolve: ({ runnerUp }) => runnerUp,
    }),
  }),
})

inputOf('CommissionRuleConditionsInput', commissionRuleConditionsInput)
inputOf('CommissionRuleStepInput', commissionRuleStepInput)
inputOf('CommissionRuleTiersInput', commissionRuleTiersInput)
oneOfInput('CommissionRuleRewardInput', commissionRuleRewardInput)
inputOf('CommissionRuleCapInput', commissionRuleCapInput)

resourceMutation('createCommissionRule', 'commissionRule', CommissionRuleType, {
  description: 'Adds a commission rule to a campaign. Sales that occur before its start keep their rules.',
  input: createCommissionRuleInput,
  resolve: (ctx, input) => createCommissionRule(programScope(ctx), input),
})

resourceMutation('updateCommissionRule', 'commissionRule', CommissionRuleType, {
  description: 'Changes the given fields of a commission rule, for sales that occur from now on.',
  ids: { id: 'The id of the rule.' },
  input: updateCommissionRuleInput,
  resolve: (ctx, { id, ...input }) => updateCommissionRule(programScope(ctx), id, input),
})

resourceMutation('endCommissionRule', 'commissionRule', CommissionRuleType, {
  description: 'Ends a commission rule. Sales that occurred before keep it.',
  ids: { id: 'The id of the rule.' },
  input: endCommissionRuleInput,
  resolve: (ctx, { id, ...input }) => endCommissionRule(programScope(ctx), id, input),
})
