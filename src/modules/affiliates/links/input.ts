import { z } from 'zod'
import { described, kept, optional, reference, required, token } from '../../../kernel/input/fields.ts'
import { entries, mostAtOnce } from '../../../kernel/input/lists.ts'
import { pageFields } from '../../../kernel/pagination/page.ts'

export const createAffiliateLinkInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate the link belongs to.')),
  token: optional(
    described(
      token(),
      "What `via` carries; unique among the program's links. Made from the affiliate's name unless given.",
    ),
  ),
})

export const createAffiliateLinksInput = z.object({
  affiliateLinks: required(
    described(entries('CreateAffiliateLinkInput', mostAtOnce), `1 to ${mostAtOnce} links; all are made, or none.`),
  ),
})

export const updateAffiliateLinkInput = z.object({
  token: kept(
    described(token(), 'What `via` carries from now on. Who already came through the link stays its referral.'),
  ),
})

export const listAffiliateLinksInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only links of this affiliate.')),
})
