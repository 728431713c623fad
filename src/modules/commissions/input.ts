import { z } from 'zod'
import {
  anyCents,
  cents,
  clearable,
  currency,
  described,
  instant,
  oneOf,
  optional,
  reference,
  required,
  someOf,
  text,
  unchangedIfAbsent,
} from '../../kernel/input/fields.ts'
import { mostAtOnce, references } from '../../kernel/input/lists.ts'
import { pageFields } from '../../listing/page-fields.ts'

export const commissionStates = ['pending', 'due', 'paid', 'void'] as const
export type CommissionState = (typeof commissionStates)[number]

export const givenKinds = ['bonus', 'correction'] as const

export const createCommissionInput = z.object({
  affiliateId: required(described(reference(), 'The id of the affiliate who gets the commission.')),
  kind: required(
    described(
      oneOf('GivenCommissionKind', givenKinds),
      'A bonus is positive. A correction adds an amount, or deducts one if it is negative.',
    ),
  ),
  amountCents: required(
    described(anyCents(), 'In minor units of `currency`. Not 0, and negative only for a correction.', {
      example: 5000,
    }),
  ),
  currency: optional(described(currency(), "ISO 4217. Default: the program's currency.")),
  reason: required(
    described(text(), 'Why the commission is given. The affiliate sees it.', { example: 'Best partner in spring' }),
  ),
  externalId: optional(
    described(
      text(),
      'Your id of this bonus or correction. One with an id that is known returns the first commission, and changes nothing.',
      { example: 'bonus_2026_spring' },
    ),
  ),
})

export const amendCommissionInput = z.object({
  amountCents: unchangedIfAbsent(
    described(
      cents(),
      "The new amount, in minor units of the commission's currency. Only for a pending or due commission.",
      { example: 1200 },
    ),
  ),
  dueAt: unchangedIfAbsent(
    described(instant(), 'The new due date. Only for a commission that is neither paid nor void.'),
  ),
  paidAt: clearable(
    described(
      instant(),
      'Marks the commission as paid at this time, outside of any payout. It is paid from now on, also if the time is in the future. An empty value reverses such a payment; a payment in a payout cannot be reversed.',
    ),
  ),
})

export type Amendment = z.output<typeof amendCommissionInput>

const ids = required(
  described(references(mostAtOnce), `The ids of the commissions, at most ${mostAtOnce}. A repeated id counts once.`),
)
const reason = optional(described(text(), 'Why, for the history of the commission.', { example: 'Chargeback' }))

export const voidCommissionInput = z.object({ reason })
export const voidCommissionsInput = z.object({ ids, reason })
export const approveCommissionsInput = z.object({ ids })

export const listCommissionsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('CommissionState', commissionStates), 'Only commissions in one of these states.')),
  affiliateId: optional(described(reference(), 'Only commissions of this affiliate.')),
  campaignId: optional(described(reference(), 'Only commissions of this campaign.')),
})
