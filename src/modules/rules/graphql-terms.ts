import { builder, publicOnly } from '../../graphql/builder.ts'
import { outputFieldsOf } from '../../graphql/inputs.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { commissionRuleConditionsInput, type StoredConditions } from './conditions/all.ts'
import { TierMeasureEnum, TierPeriodEnum, TierScopeEnum } from './graphql-enums.ts'
import { isAboveAll, rewardCurrency, rewardOf, type StoredReward, tiersOf } from './rewards/all.ts'
import type { TierStep, Tiers } from './rewards/tiers.ts'
import type { StoredCap } from './rule.ts'

const toCents = (text: string | undefined) => (text === undefined ? null : BigInt(text))

export const ConditionsType = builder.objectRef<StoredConditions>('CommissionRuleConditions').implement({
  description: 'What has to hold for a sale, so that a commission rule applies. Null is no condition.',
  subGraphs: publicOnly,
  fields: (t) => ({
    ...outputFieldsOf(t, commissionRuleConditionsInput),
    minimumAmount: t.field({
      ...moneyBeside('minimumAmountCents'),
      nullable: true,
      resolve: ({ minimumAmountCents: cents, currency = '' }) => moneyOf(toCents(cents), currency),
    }),
    maximumAmount: t.field({
      ...moneyBeside('maximumAmountCents'),
      nullable: true,
      resolve: ({ maximumAmountCents: cents, currency = '' }) => moneyOf(toCents(cents), currency),
    }),
  }),
})

const StepType = builder.objectRef<TierStep>('CommissionRuleStep').implement({
  description: 'What is earned from a value of the measure of tiers on.',
  subGraphs: publicOnly,
  fields: (t) => ({
    from: t.field({
      type: 'SafeInt',
      description:
        "The value of the measure from which the step applies: a number of sales, or minor units of the sale's currency, or of the commission's.",
      resolve: ({ from }) => BigInt(from),
    }),
    percent: t.float({
      nullable: true,
      description: 'The percentage of the sale. Null for a fixed amount.',
      resolve: ({ basisPoints }) => (basisPoints === undefined ? null : basisPoints / 100),
    }),
    amountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The fixed amount for each sale. Null for a percentage.',
      resolve: ({ amountCents }) => toCents(amountCents),
    }),
  }),
})

const TiersType = builder.objectRef<Tiers>('CommissionRuleTiers').implement({
  description: 'A table of steps over what an affiliate has sold or earned in a campaign, without what was refunded.',
  subGraphs: publicOnly,
  fields: (t) => ({
    measure: t.expose('measure', { type: TierMeasureEnum, description: 'What is measured.' }),
    period: t.expose('period', {
      type: TierPeriodEnum,
      description: "The calendar period of the program's time zone in which it is measured.",
    }),
    appliesTo: t.expose('appliesTo', {
      type: TierScopeEnum,
      description: 'Whether only what is above a threshold earns by its step, or all sales of the period.',
    }),
    steps: t.expose('steps', { type: [StepType], description: 'The steps, the first of which is from 0.' }),
  }),
})

const shownOf = (reward: StoredReward) => rewardOf(reward).shown?.(reward) ?? {}

export const RewardType = builder.objectRef<StoredReward>('CommissionRuleReward').implement({
  description:
    'What a sale earns by a commission rule: a percentage, a fixed amount, by tiers, or nothing if all are null; or what a lead earns.',
  subGraphs: publicOnly,
  fields: (t) => ({
    percent: t.float({
      nullable: true,
      description: 'The percentage of the sale. Null if it is no percentage.',
      resolve: (reward) => shownOf(reward).percent ?? null,
    }),
    amountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The fixed amount, in minor units of `currency`. Null if it is no fixed amount.',
      resolve: (reward) => shownOf(reward).amountCents ?? null,
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      nullable: true,
      resolve: (reward) => moneyOf(shownOf(reward).amountCents ?? null, rewardCurrency(reward) ?? ''),
    }),
    currency: t.field({
      type: 'Currency',
      nullable: true,
      description: 'The currency of the fixed amount or amounts, a lower-case ISO 4217 code. Null without one.',
      resolve: rewardCurrency,
    }),
    leadAmountCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The fixed amount for each new lead, in minor units of `currency`. Null if it is for sales.',
      resolve: (reward) => shownOf(reward).leadAmountCents ?? null,
    }),
    leadAmount: t.field({
      ...moneyBeside('leadAmountCents'),
      nullable: true,
      resolve: (reward) => moneyOf(shownOf(reward).leadAmountCents ?? null, rewardCurrency(reward) ?? ''),
    }),
    isAboveAll: t.boolean({
      description: 'Whether a percentage is above 100, so that a sale can earn more than it brings.',
      resolve: isAboveAll,
    }),
    tiers: t.field({
      type: TiersType,
      nullable: true,
      description: 'The steps by which it depends on what the affiliate has sold. Null without tiers.',
      resolve: (reward) => tiersOf({ reward }),
    }),
  }),
})

export const CapType = builder.objectRef<StoredCap>('CommissionRuleCap').implement({
  description: "The most that a commission rule pays, in minor units of the commission's currency. Null is no cap.",
  subGraphs: publicOnly,
  fields: (t) => ({
    perSaleCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'For a sale.',
      resolve: ({ perSaleCents }) => toCents(perSaleCents),
    }),
    perMonthCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: "To an affiliate for the sales of a calendar month of the program's time zone.",
      resolve: ({ perMonthCents }) => toCents(perMonthCents),
    }),
    perYearCents: t.field({
      type: 'SafeInt',
      nullable: true,
      description: "To an affiliate for the sales of a calendar year of the program's time zone.",
      resolve: ({ perYearCents }) => toCents(perYearCents),
    }),
  }),
})
