import { z } from 'zod'
import { described, optional, reference, required, wholeNumber } from '../../../kernel/input/fields.ts'
import { programId } from '../../programs/input.ts'

export const defaultSeconds = 900

export const createAffiliateTokenInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate whose data the token reads.')),
  expiresInSeconds: optional(
    described(
      wholeNumber(60, 86_400),
      'The lifetime of the token in seconds of true time, from one minute to one day.',
      {
        default: defaultSeconds,
      },
    ),
  ),
})

export const revokeAffiliateTokensInput = z.object({
  programId,
  keepOldForHours: optional(
    described(
      wholeNumber(0, 24),
      'How many hours tokens that exist are still accepted, unless they expire before. 0 ends them immediately.',
      { default: 0 },
    ),
  ),
})
