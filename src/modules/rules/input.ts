import { z } from 'zod'
import {
  clearable,
  described,
  flag,
  instant,
  oneOf,
  optional,
  positiveCents,
  reference,
  required,
  text,
  unchangedIfAbsent,
  wholeNumber,
} from '../../kernel/input/fields.ts'
import { entry } from '../../kernel/input/lists.ts'
import { customersOfRule } from './rule.ts'

/** More would make every sale slower, and nobody could read them. */
export const maxRules = 500
const mostFor = (what: string, example: number) =>
  optional(
    described(positiveCents(), `The most that the rule pays ${what}, in minor units of the commission's currency.`, {
      example,
    }),
  )

export const commissionRuleCapInput = z.object({
  perSaleCents: mostFor('for a sale', 10_000),
  perMonthCents: mostFor("to an affiliate for the sales of a calendar month of the program's time zone", 50_000),
  perYearCents: mostFor("to an affiliate for the sales of a calendar year of the program's time zone", 500_000),
})

const name = described(text(), 'What the rule is called, in the dashboard and in explanations.', {
  example: 'Partners of the first year',
})
const conditions = described(
  entry('CommissionRuleConditionsInput'),
  'What has to hold for a sale. All conditions have to; without one, the rule applies to all sales of the campaign.',
)
const reward = described(entry('CommissionRuleRewardInput'), 'What a sale earns.')
const confirmAboveAll = described(
  flag(),
  'Needed for a percentage above 100, by which a sale earns more than it brings: mostly, it is a slip.',
  { default: false },
)
const cap = described(
  entry('CommissionRuleCapInput'),
  "The most that the rule pays. A percentage is paid in the sale's currency, and each currency counts for itself. Null: it has no cap.",
)
const endsAt = described(instant(), 'Sales that occur from then on are not under the rule. Null: it has no end.')
const maxCommissions = described(
  wholeNumber(1, 1_000_000),
  'The number of commissions that one referral can earn. By default as in the campaign.',
)
const maxCommissionPeriodInMonths = described(
  wholeNumber(1, 1_200),
  'The number of calendar months, from the first commission of a referral, in which its sales earn commissions. By default as in the campaign.',
)
const daysBeforeCommissionsAreDue = described(
  wholeNumber(0, 36_500),
  'The number of days from a sale until its commission is due. By default as in the campaign.',
)

export const createCommissionRuleInput = z.object({
  campaignId: required(described(reference(), 'The id of the campaign.')),
  name: required(name),
  conditions: optional(conditions),
  reward: required(reward),
  confirmAboveAll: optional(confirmAboveAll),
  cap: optional(cap),
  appliesTo: required(
    described(
      oneOf('CommissionRuleCustomers', customersOfRule),
      'Whether customers from before keep the old deal: `ALL_SALES` from the start on, or only `NEW_CUSTOMERS`, whose first sale comes after it.',
    ),
  ),
  startsAt: optional(described(instant(), 'Sales that occur before are not under the rule. Default: now.')),
  endsAt: optional(endsAt),
  maxCommissions: optional(maxCommissions),
  maxCommissionPeriodInMonths: optional(maxCommissionPeriodInMonths),
  daysBeforeCommissionsAreDue: optional(daysBeforeCommissionsAreDue),
})

export const updateCommissionRuleInput = z.object({
  name: unchangedIfAbsent(name),
  conditions: unchangedIfAbsent(conditions),
  reward: unchangedIfAbsent(reward),
  confirmAboveAll: optional(confirmAboveAll),
  cap: clearable(cap),
  appliesTo: unchangedIfAbsent(
    described(oneOf('CommissionRuleCustomers', customersOfRule), 'Whether customers from before keep the old deal.'),
  ),
  endsAt: clearable(endsAt),
  maxCommissions: clearable(maxCommissions),
  maxCommissionPeriodInMonths: clearable(maxCommissionPeriodInMonths),
  daysBeforeCommissionsAreDue: clearable(daysBeforeCommissionsAreDue),
})

export const endCommissionRuleInput = z.object({
  at: optional(described(instant(), 'When the rule ends: not before now. Default: now.')),
})
