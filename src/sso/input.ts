import { z } from 'zod'
import { described, reference, required } from '../input/fields.ts'

export const createSsoLinkInput = z.object({
  affiliateId: required(described(reference(), 'Whom the link signs in.')),
})
