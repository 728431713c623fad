import { z } from 'zod'
import { described, reference, required } from '../../../kernel/input/fields.ts'

export const createSsoLinkInput = z.object({
  affiliateId: required(described(reference(), 'Whom the link signs in.')),
})
