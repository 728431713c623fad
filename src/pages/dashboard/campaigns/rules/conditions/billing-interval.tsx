import type { BillingInterval } from '../../../../../generated/dashboard/campaigns/graphql.ts'
import { SelectField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, optionsOf } from './condition.ts'

const words = texts.campaigns.rules

export const billingInterval = defineCondition<{ interval: '' | BillingInterval }>({
  none: { interval: '' },
  Fields: ({ form }) => (
    <SelectField form={form} name="interval" label={words.interval} options={optionsOf(words.intervals, words.any)} />
  ),
  input: ({ interval }) => (interval ? { billingIntervals: [interval] } : {}),
  said: ({ billingIntervals }) => billingIntervals?.map((one) => words.intervals[one]).join(', ') ?? null,
})
