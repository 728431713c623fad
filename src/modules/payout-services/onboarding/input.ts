import { z } from 'zod'
import { described, oneOf, optional, required, text } from '../../../kernel/input/fields.ts'
import { payoutServiceKinds } from '../input.ts'

const service = required(
  described(oneOf('PayoutServiceKind', payoutServiceKinds), 'The service whose page asks for the details.'),
)

export const startPayoutOnboardingInput = z.object({
  service,
  country: optional(
    described(
      text(2).refine((value) => /^[a-z]{2}$/i.test(value), { error: 'must be a code of two letters, such as US' }),
      'The country of the bank account, ISO 3166-1. Needed the first time.',
      { example: 'US' },
    ),
  ),
})

export const refreshPayoutOnboardingInput = z.object({ service })
