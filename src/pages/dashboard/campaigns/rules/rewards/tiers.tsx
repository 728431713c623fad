import { useWatch } from 'react-hook-form'
import type { TierMeasure, TierPeriod, TierScope } from '../../../../../generated/dashboard/campaigns/graphql.ts'
import { readDecimal, writeAmount, writeDecimal } from '../../../../parts/amount.ts'
import { formatMoney } from '../../../../parts/format.tsx'
import { centsOf } from '../../../form/amount.ts'
import { SelectField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { optionsOf } from '../conditions/condition.ts'
import { formatShare, isPercentage, percentOf } from './percentage.ts'
import { type Currencies, defineReward } from './reward.ts'
import { Steps, type TypedStep } from './steps.tsx'

const words = texts.campaigns.rules

type TierValues = {
  measure: TierMeasure
  period: TierPeriod
  scope: TierScope
  stepReward: 'percent' | 'amount'
  steps: readonly TypedStep[]
}

export const tiers = defineReward<TierValues>({
  empty: {
    measure: 'CONVERSIONS',
    period: 'MONTH',
    scope: 'ABOVE',
    stepReward: 'percent',
    steps: [
      { id: 0, from: '0', earns: '' },
      { id: 1, from: '', earns: '' },
    ],
  },
  Fields({ form, currencies }) {
    const values = useWatch({ control: form.control }) as TierValues
    return (
      <>
        <SelectField form={form} name="measure" label={words.measure} options={optionsOf(words.measures)} />
        <SelectField form={form} name="period" label={words.tierPeriod} options={optionsOf(words.tierPeriods)} />
        <SelectField form={form} name="scope" label={words.scope} options={optionsOf(words.scopes)} />
        <SelectField form={form} name="stepReward" label={words.stepReward} options={optionsOf(words.stepRewards)} />
        <Steps
          steps={values.steps}
          onChange={(steps) => form.setValue('steps', steps, { shouldValidate: form.formState.isSubmitted })}
          from={values.measure === 'CONVERSIONS' ? words.fromSales : words.fromAmount(measuredIn(values, currencies))}
          earns={values.stepReward === 'percent' ? words.percent : words.amountIn(currencies.reward.toUpperCase())}
          problem={form.formState.errors.steps?.message}
        />
      </>
    )
  },
  problems: (values, currencies) => ({ steps: stepsOf(values, currencies) ? undefined : words.notSteps }),
  input: (values, currencies) => ({
    tiers: {
      measure: values.measure,
      period: values.period,
      appliesTo: values.scope,
      steps: stepsOf(values, currencies) ?? [],
    },
  }),
  isAboveAll: ({ steps, stepReward }) => stepReward === 'percent' && steps.some(({ earns }) => percentOf(earns) > 100),
  typed({ tiers: stored }, currencies) {
    if (!stored) return null
    const { measure, period, appliesTo: scope } = stored
    const stepReward = stored.steps[0]?.percent == null ? ('amount' as const) : ('percent' as const)
    const values = { measure, period, scope, stepReward, steps: [] }
    const from = (value: number) =>
      measure === 'CONVERSIONS' || value === 0
        ? String(value)
        : writeAmount(value, measuredIn(values, currencies).toLowerCase())
    const steps = stored.steps.map(({ from: value, percent, amountCents }, id) => ({
      id,
      from: from(value),
      earns: percent === null ? writeAmount(amountCents ?? 0, currencies.reward) : writeDecimal(String(percent)),
    }))
    return { ...values, steps }
  },
  /** "10% to 20%: number of sales in a month". */
  said(reward) {
    if (!reward.tiers) return null
    const { measure, period, steps } = reward.tiers
    const [least, most] = [steps[0], steps.at(-1)].map((step) =>
      step?.percent == null ? formatMoney(step?.amountCents ?? 0, reward.currency ?? '') : formatShare(step.percent),
    )
    return words.tiers(least ?? '', most ?? '', words.measures[measure], words.tierPeriods[period])
  },
})

/** Commissions of a fixed amount are counted in its currency, all else in the program's. */
const measuredIn = ({ measure, stepReward }: TierValues, { reward, sale }: Currencies) =>
  (measure === 'COMMISSIONS' && stepReward === 'amount' ? reward : sale).toUpperCase()

/** The steps as the service takes them. Null: something is missing, or they do not rise. */
function stepsOf(values: TierValues, currencies: Currencies) {
  const read = values.steps.map(({ from, earns }) => ({
    from: measureOf(values, from, currencies),
    ...rewardOf(values, earns, currencies),
  }))
  const isGood = ({ from, percent, amountCents }: (typeof read)[number], index: number) =>
    Number.isInteger(from) &&
    (index === 0 ? from === 0 : from > (read[index - 1]?.from ?? 0)) &&
    (percent ?? amountCents) !== undefined
  return read.length > 0 && read.every(isGood) ? read : null
}

function measureOf(values: TierValues, typed: string, currencies: Currencies): number {
  if (typed.trim() === '0') return 0
  const currency = measuredIn(values, currencies).toLowerCase()
  return Number((values.measure === 'CONVERSIONS' ? readDecimal(typed) : centsOf(typed, currency)) ?? Number.NaN)
}

function rewardOf({ stepReward }: TierValues, typed: string, { reward }: Currencies) {
  if (stepReward === 'percent') return isPercentage(typed) ? { percent: percentOf(typed) } : {}
  const cents = centsOf(typed, reward)
  return cents === null ? {} : { amountCents: Number(cents) }
}
