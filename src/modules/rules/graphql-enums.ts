import type { BillingInterval } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { Period } from '../../kernel/periods.ts'
import { misses } from './choose.ts'
import type { payments } from './conditions/payment.ts'
import type { tierMeasures, tierScopes } from './rewards/tiers.ts'
import type { customersOfRule } from './rule.ts'

export const CommissionRuleCustomersEnum = defineEnum(
  'CommissionRuleCustomers',
  'Whether customers from before a rule keep the old deal.',
  {
    all_sales: 'The rule applies to all sales that occur while it is in force.',
    new_customers: 'The rule applies only to customers whose first sale occurred after its start.',
  } satisfies Record<(typeof customersOfRule)[number], string>,
)

defineEnum('CustomerPayment', 'Which payment of a customer a sale is.', {
  first: 'The first sale of the customer in the program.',
  renewal: 'A later one of the customer.',
  first_of_subscription:
    'The first of a subscription, as the billing system says: its number is 1. A customer can have several.',
} satisfies Record<(typeof payments)[number], string>)

export const CommissionRuleMissEnum = defineEnum('CommissionRuleMiss', 'Why a rule does not apply to a sale.', misses)

export const TierMeasureEnum = defineEnum('TierMeasure', 'What the steps of tiers are about.', {
  conversions: 'The number of sales that are not refunded in full.',
  revenue: 'The amount of the sales without refunds, in the currency of the sale: each currency counts for itself.',
  commissions: 'What the sales have earned, without refunds and void commissions, in the currency of the commission.',
} satisfies Record<(typeof tierMeasures)[number], string>)

export const TierPeriodEnum = defineEnum('TierPeriod', "A calendar period of the program's time zone.", {
  month: 'A month.',
  quarter: 'A quarter: it begins in January, April, July or October.',
  year: 'A year.',
  ever: 'All time.',
} satisfies Record<Period, string>)

export const TierScopeEnum = defineEnum('TierScope', 'What earns by the step of tiers that is reached.', {
  above: 'Only what is above the threshold. Sales from before keep what they earned.',
  whole_period:
    'All sales of the period: a correction follows when a threshold is passed, and another one if refunds take it back.',
} satisfies Record<(typeof tierScopes)[number], string>)

export const BillingIntervalEnum = defineEnum('BillingInterval', 'How often a sale is billed.', {
  one_off: 'Once.',
  month: 'Every month.',
  year: 'Every year.',
} satisfies Record<BillingInterval, string>)
