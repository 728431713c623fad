import { z } from 'zod'
import { cents, clearable, described, instant, kept, optional, reference, someOf } from '../../kernel/input/fields.ts'
import { pageFields } from '../../kernel/pagination/page.ts'

export const commissionStates = ['pending', 'due', 'paid', 'void'] as const
export type CommissionState = (typeof commissionStates)[number]

export const amendCommissionInput = z.object({
  amountCents: kept(
    described(cents(), 'The new amount in minor units of its currency. Only while pending or due.', { example: 1200 }),
  ),
  dueAt: kept(described(instant(), 'Moves the due date. Only of a commission that is neither paid nor void.')),
  paidAt: clearable(
    described(
      instant(),
      'Marks this one commission as paid at that moment, outside of any payout; it can not lie in the future. Empty: not paid, which takes back such a payment, never that of a payout.',
    ),
  ),
})

export const listCommissionsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('CommissionState', commissionStates), 'Only commissions in one of these states.')),
  affiliateId: optional(described(reference(), 'Only commissions of this affiliate.')),
  campaignId: optional(described(reference(), 'Only commissions of this campaign.')),
})
