import { z } from 'zod'
import { described, optional, reference, someOf } from '../input/fields.ts'
import { pageFields } from '../pagination/page.ts'

export const payoutStates = ['pending', 'paid'] as const
export type PayoutState = (typeof payoutStates)[number]

export const listPayoutsInput = z.object({
  ...pageFields,
  state: optional(described(someOf('PayoutState', payoutStates), 'Only payouts in one of these states.')),
  affiliateId: optional(described(reference(), 'Only payouts of this affiliate.')),
})
