import type {
  CampaignRuleFragment,
  CreateCommissionRuleInput,
} from '../../../../generated/dashboard/campaigns/graphql.ts'
import { createCommissionRuleInput } from '../../../../modules/rules/input.ts'
import { writeAmount } from '../../../parts/amount.ts'
import { amountProblem, centsOf } from '../../form/amount.ts'
import { checkInput } from '../../form/check-input.ts'
import type { Check } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { type ConditionValues, conditions, noConditions } from './conditions/all.ts'
import type { Picks } from './conditions/condition.ts'
import { type DayValues, dayProblems, daysInput, typedEnd } from './days.tsx'
import { emptyRewards, type RewardKind, type RewardValues, rewards } from './rewards/all.ts'
import type { Currencies, RuleReward } from './rewards/reward.ts'

/** What the form of a rule has, as texts. Numbers are as the locale of the program writes them. */
export type RuleValues = {
  name: string
  kind: RewardKind
  /** Whether a person has confirmed a percentage above 100. */
  confirmAboveAll: boolean
  perSale: string
  perMonth: string
  perYear: string
  appliesTo: '' | 'ALL_SALES' | 'NEW_CUSTOMERS'
} & RewardValues &
  ConditionValues &
  DayValues

export const newRule: RuleValues = {
  name: '',
  kind: 'percent',
  confirmAboveAll: false,
  perSale: '',
  perMonth: '',
  perYear: '',
  appliesTo: '',
  from: '',
  until: '',
  ...emptyRewards,
  ...noConditions,
}

/** A rule that is changed, as the form begins. */
export function typedRule(rule: CampaignRuleFragment, currencies: Currencies, picks: Picks): RuleValues {
  const reward = typedReward(rule.reward, currencies)
  const paid = paidIn(reward, currencies)
  const typedCap = (name: (typeof caps)[number]) => {
    const most = rule.cap?.[`${name}Cents`] ?? null
    return most === null ? '' : writeAmount(most, paid)
  }
  return {
    ...newRule,
    ...reward,
    ...Object.assign({}, ...conditions.map((one) => one.typed(rule.conditions, picks))),
    name: rule.name,
    appliesTo: rule.appliesTo,
    perSale: typedCap('perSale'),
    perMonth: typedCap('perMonth'),
    perYear: typedCap('perYear'),
    until: typedEnd(rule.endsAt),
  }
}

function typedReward(reward: CampaignRuleFragment['reward'], currencies: Currencies) {
  const kinds = Object.entries(rewards) as [RewardKind, RuleReward<RewardValues>][]
  const [found] = kinds.flatMap(([kind, { typed }]) => {
    const values = typed(reward, currencies)
    return values ? [{ kind, ...values, confirmAboveAll: reward.isAboveAll }] : []
  })
  return { ...emptyRewards, ...(found ?? { kind: 'none' as const, confirmAboveAll: false }) }
}

const caps = ['perSale', 'perMonth', 'perYear'] as const

/** The currency in which a cap is typed: a percentage is paid in the sale's. */
export const paidIn = ({ kind }: Pick<RuleValues, 'kind'>, { reward, sale }: Currencies): string =>
  kind === 'amount' ? reward : sale

const checkRule = checkInput<object>(createCommissionRuleInput.omit({ campaignId: true, reward: true }))

/** The conditions that rules for leads have too, or all. What was typed for sales before is not for leads. */
const conditionsFor = ({ kind }: RuleValues) =>
  conditions.filter(({ isOfAffiliate }) => isOfAffiliate || kind !== 'lead')

const capsFor = (values: RuleValues) => (values.kind === 'lead' ? [] : caps.filter((name) => values[name] !== ''))

export const checkRuleValues =
  (currencies: Currencies): Check<RuleValues> =>
  (values) => {
    const paid = paidIn(values, currencies)
    const problems: Partial<Record<string, string | undefined>> = {
      ...checkRule({ name: values.name, appliesTo: values.appliesTo || undefined }),
      ...dayProblems(values),
      ...rewardOf(values)?.problems?.(values, currencies),
      ...(isAboveAll(values) && !values.confirmAboveAll && { confirmAboveAll: texts.campaigns.rules.confirmAboveAll }),
      ...Object.assign({}, ...conditionsFor(values).map((one) => one.problems?.(values, currencies.sale))),
      ...Object.fromEntries(capsFor(values).map((name) => [name, amountProblem(values[name], paid)])),
    }
    return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
  }

/** Undefined while the form finds out which fields have to be given: it tries each one empty. */
const rewardOf = ({ kind }: RuleValues): RuleReward<RewardValues> | undefined => rewards[kind]

/** Whether a percentage pays more than the whole sale. */
export const isAboveAll = (values: RuleValues): boolean => rewardOf(values)?.isAboveAll?.(values) ?? false

export function ruleInputOf(campaignId: string, currencies: Currencies, values: RuleValues): CreateCommissionRuleInput {
  const paid = paidIn(values, currencies)
  const cap = Object.fromEntries(
    capsFor(values).map((name) => [`${name}Cents`, Number(centsOf(values[name], paid) ?? 0n)]),
  )
  return {
    campaignId,
    name: values.name,
    appliesTo: values.appliesTo || 'ALL_SALES',
    reward: rewards[values.kind].input(values, currencies),
    ...(isAboveAll(values) && { confirmAboveAll: values.confirmAboveAll }),
    ...daysInput(values),
    ...(Object.keys(cap).length > 0 && { cap }),
    conditions: Object.assign({}, ...conditionsFor(values).map((one) => one.input(values, currencies.sale))),
  }
}
