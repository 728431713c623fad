import type { CreateCommissionRuleInput } from '../../../../generated/dashboard/campaigns/graphql.ts'
import type { PickedFragment } from '../../../../generated/dashboard/picker/graphql.ts'
import { createCommissionRuleInput } from '../../../../modules/rules/input.ts'
import { readDecimal } from '../../../parts/amount.ts'
import { amountProblem, centsOf } from '../../form/amount.ts'
import { checkInput } from '../../form/check-input.ts'
import type { Check } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { type DayValues, dayProblems, daysInput } from './days.tsx'

const words = texts.campaigns.rules

/** What the form of a rule has, as texts. Numbers are as the locale of the program writes them. */
export type RuleValues = {
  name: string
  kind: 'percent' | 'amount' | 'none' | 'tiers' | 'lead'
  percent: string
  amount: string
  measure: 'CONVERSIONS' | 'REVENUE' | 'COMMISSIONS'
  period: 'MONTH' | 'QUARTER' | 'YEAR' | 'EVER'
  scope: 'ABOVE' | 'WHOLE_PERIOD'
  /** Such as "0: 10; 50: 15": percentages from values of the measure on. */
  steps: string
  group: string
  affiliates: readonly PickedFragment[]
  /** Whether a person has confirmed a percentage above 100. */
  allowsAboveAll: boolean
  coupons: string
  products: string
  payment: '' | 'FIRST' | 'RENEWAL' | 'FIRST_OF_SUBSCRIPTION'
  interval: '' | 'ONE_OFF' | 'MONTH' | 'YEAR'
  minimum: string
  maximum: string
  perSale: string
  perMonth: string
  perYear: string
  appliesTo: '' | 'ALL_SALES' | 'NEW_CUSTOMERS'
} & DayValues

export const newRule: RuleValues = {
  name: '',
  kind: 'percent',
  percent: '',
  amount: '',
  measure: 'CONVERSIONS',
  period: 'MONTH',
  scope: 'ABOVE',
  steps: '',
  group: '',
  affiliates: [],
  allowsAboveAll: false,
  coupons: '',
  products: '',
  payment: '',
  interval: '',
  minimum: '',
  maximum: '',
  perSale: '',
  perMonth: '',
  perYear: '',
  appliesTo: '',
  from: '',
  until: '',
}

const caps = ['perSale', 'perMonth', 'perYear'] as const

type Currencies = { reward: string; sale: string }

/** The currency in which a cap is typed: a percentage is paid in the sale's. */
export const paidIn = ({ kind }: Pick<RuleValues, 'kind'>, { reward, sale }: Currencies): string =>
  kind === 'amount' || kind === 'lead' ? reward : sale

const checkRule = checkInput<object>(createCommissionRuleInput.omit({ campaignId: true, reward: true }))

/** @param currencies of the campaign's fixed amounts, and of the program */
export const checkRuleValues =
  ({ reward, sale }: Currencies): Check<RuleValues> =>
  (values) => {
    const { kind, percent, amount, minimum, maximum, name, appliesTo } = values
    const paid = paidIn(values, { reward, sale })
    const share = Number(readDecimal(percent) ?? Number.NaN)
    const problems = {
      ...checkRule({ name, appliesTo: appliesTo || undefined }),
      ...dayProblems(values),
      ...(kind === 'percent' && !(share >= 0 && share <= mostPercent) && { percent: words.notPercent }),
      ...(kind === 'tiers' && { steps: stepsOf(values, sale) ? undefined : words.notSteps }),
      ...(isAboveAll(values, sale) && !values.allowsAboveAll && { allowsAboveAll: words.confirmAboveAll }),
      ...((kind === 'amount' || kind === 'lead') && { amount: amountProblem(amount, reward) }),
      ...(minimum !== '' && { minimum: amountProblem(minimum, sale) }),
      ...(maximum !== '' && { maximum: amountProblem(maximum, sale) }),
      ...Object.fromEntries(
        caps.flatMap((name) => (values[name] === '' ? [] : [[name, amountProblem(values[name], paid)]])),
      ),
    }
    return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
  }

/** The largest percentage of the service. */
const mostPercent = 1_000

/** Whether a percentage pays more than the whole sale. */
export const isAboveAll = (values: RuleValues, currency: string): boolean =>
  (values.kind === 'percent' && Number(readDecimal(values.percent) ?? 0) > 100) ||
  (values.kind === 'tiers' && (stepsOf(values, currency) ?? []).some(({ percent }) => percent > 100))

/** What is between the commas. */
const listOf = (typed: string): string[] => typed.split(',').flatMap((one) => one.trim() || [])

const cents = (typed: string, currency: string) => Number(centsOf(typed, currency) ?? 0n)

/** The steps that were typed, or null for other text. Revenue and commissions are in major units. */
function stepsOf({ steps, measure }: RuleValues, currency: string): { from: number; percent: number }[] | null {
  const read = steps.split(';').map((step) => {
    const [from = '', percent = ''] = step.split(':').map((part) => part.trim())
    const value = measure === 'CONVERSIONS' ? readDecimal(from) : from === '0' ? '0' : centsOf(from, currency)
    return { from: Number(value ?? Number.NaN), percent: Number(readDecimal(percent) ?? Number.NaN) }
  })
  const isGood = ({ from, percent }: (typeof read)[number], index: number) =>
    Number.isInteger(from) &&
    (index === 0 ? from === 0 : from > (read[index - 1]?.from ?? 0)) &&
    percent >= 0 &&
    percent <= mostPercent
  return read.every(isGood) ? read : null
}

function rewardOf(values: RuleValues, { reward, sale }: Currencies): CreateCommissionRuleInput['reward'] {
  const { kind, percent, amount, measure, period, scope: appliesTo } = values
  const above = isAboveAll(values, sale) && { allowAboveAll: values.allowsAboveAll }
  switch (kind) {
    case 'percent':
      return { percent: Number(readDecimal(percent)), ...above }
    case 'amount':
      return { amountCents: cents(amount, reward) }
    case 'lead':
      return { leadAmountCents: cents(amount, reward) }
    case 'tiers':
      return { tiers: { measure, period, appliesTo, steps: stepsOf(values, sale) ?? [] }, ...above }
    case 'none':
      return { none: true }
  }
}

export function ruleInputOf(
  campaignId: string,
  { reward, sale }: Currencies,
  given: RuleValues,
): CreateCommissionRuleInput {
  // What was typed for sales before is not for leads.
  const { name, appliesTo, kind, amount } = given
  const values =
    kind === 'lead'
      ? { ...newRule, name, appliesTo, kind, amount, group: given.group, affiliates: given.affiliates }
      : given
  const { group, affiliates, payment, interval, minimum, maximum } = values
  const couponTokens = listOf(values.coupons)
  const productIds = listOf(values.products)
  const paid = paidIn(values, { reward, sale })
  const cap = Object.fromEntries(
    caps.flatMap((name) => (values[name] === '' ? [] : [[`${name}Cents`, cents(values[name], paid)]])),
  )
  return {
    campaignId,
    name: values.name,
    appliesTo: values.appliesTo || 'ALL_SALES',
    reward: rewardOf(values, { reward, sale }),
    ...daysInput(given),
    ...(Object.keys(cap).length > 0 && { cap }),
    conditions: {
      ...(affiliates.length > 0 && { affiliateIds: affiliates.map(({ id }) => id) }),
      ...(group && { groupIds: [group] }),
      ...(couponTokens.length > 0 && { couponTokens }),
      ...(productIds.length > 0 && { productIds }),
      ...(payment && { payment }),
      ...(interval && { billingIntervals: [interval] }),
      ...(minimum && { minimumAmountCents: cents(minimum, sale) }),
      ...(maximum && { maximumAmountCents: cents(maximum, sale) }),
    },
  }
}
