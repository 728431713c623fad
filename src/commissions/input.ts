import { z } from 'zod'
import { cents, described, kept, optional, reference, someOf } from '../input/fields.ts'
import { pageFields } from '../pagination/page.ts'

export const commissionStates = ['pending', 'due', 'paid', 'void'] as const
export type CommissionState = (typeof commissionStates)[number]

export const amendCommissionInput = z.object({
  amountCents: kept(
    described(cents(), 'The new amount in minor units of its currency. Only while pending or due.', { example: 1200 }),
  ),
})

export const listCommissionsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('CommissionState', commissionStates), 'Only commissions in one of these states.')),
  affiliateId: optional(described(reference(), 'Only commissions of this affiliate.')),
  campaignId: optional(described(reference(), 'Only commissions of this campaign.')),
})
