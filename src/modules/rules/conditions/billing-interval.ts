import { described, optional, someOf } from '../../../kernel/input/fields.ts'
import { billingIntervals } from '../sale.ts'
import { defineCondition, sorted } from './condition.ts'

export type BillingIntervalCondition = { billingIntervals?: (typeof billingIntervals)[number][] }

export const billingInterval = defineCondition({
  miss: { other_interval: 'The sale is billed in another interval, or the report did not say in which.' },
  input: {
    billingIntervals: optional(
      described(someOf('BillingInterval', billingIntervals), 'Only sales with one of these billing intervals.'),
    ),
  },
  stored: (given): BillingIntervalCondition => ({
    ...(given.billingIntervals?.length && { billingIntervals: sorted(given.billingIntervals) }),
  }),
  holds: ({ billingIntervals }, { billingInterval: of }) =>
    !billingIntervals || (of !== null && billingIntervals.includes(of)),
  said: ({ billingIntervals = [] }) => ({ intervals: billingIntervals }),
})
