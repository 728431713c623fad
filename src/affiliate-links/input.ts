import { z } from 'zod'
import { described, optional, reference, required, token } from '../input/fields.ts'
import { pageFields } from '../pagination/page.ts'

export const createAffiliateLinkInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate the link belongs to.')),
  token: optional(
    described(
      token(),
      "What `via` carries; unique among the program's links. Made from the affiliate's name unless given.",
    ),
  ),
})

export const listAffiliateLinksInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only links of this affiliate.')),
})
