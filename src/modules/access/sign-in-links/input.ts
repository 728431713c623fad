import { z } from 'zod'
import { described, reference, required } from '../../../kernel/input/fields.ts'

export const createSsoLinkInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate whom the link signs in.')),
})
