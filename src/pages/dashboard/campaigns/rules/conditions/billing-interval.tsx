import type { BillingInterval } from '../../../../../generated/dashboard/campaigns/graphql.ts'
import { ChecksField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, optionsOf } from './condition.ts'

const words = texts.campaigns.rules

export const billingInterval = defineCondition<{ billingIntervals: readonly BillingInterval[] }>({
  none: { billingIntervals: [] },
  Fields: ({ form }) => (
    <ChecksField form={form} name="billingIntervals" label={words.interval} options={optionsOf(words.intervals)} />
  ),
  input: ({ billingIntervals }) => (billingIntervals.length > 0 ? { billingIntervals: [...billingIntervals] } : {}),
  typed: ({ billingIntervals }) => ({ billingIntervals: billingIntervals ?? [] }),
  said: ({ billingIntervals }) => billingIntervals?.map((one) => words.intervals[one]).join(', ') ?? null,
})
