import { z } from 'zod'
import { described, optional, reference, required, wholeNumber } from '../../../kernel/input/fields.ts'

export const defaultSeconds = 900

export const createAffiliateTokenInput = z.object({
  affiliateId: required(described(reference(), 'Whose data the token reads.')),
  expiresInSeconds: optional(
    described(wholeNumber(60, 86_400), 'How long the token is taken, in true time: a minute to a day.', {
      default: defaultSeconds,
    }),
  ),
})

export const revokeAffiliateTokensInput = z.object({
  programId: optional(
    described(reference(), "The key's own program, or the one that the operator named, unless given."),
  ),
})
