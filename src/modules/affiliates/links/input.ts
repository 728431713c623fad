import { z } from 'zod'
import { described, optional, reference, required, unchangedIfAbsent } from '../../../kernel/input/fields.ts'
import { entries, mostAtOnce } from '../../../kernel/input/lists.ts'
import { pageFields } from '../../../listing/page-fields.ts'
import { token } from '../tokens.ts'

export const createAffiliateLinkInput = z.object({
  affiliateId: required(described(reference(), 'The affiliate that the link belongs to.')),
  token: optional(
    described(
      token(),
      "The value of `via` in the URL. Unique among the program's links. Generated from the affiliate's name by default.",
    ),
  ),
})

export const createAffiliateLinksInput = z.object({
  affiliateLinks: required(
    described(entries('CreateAffiliateLinkInput', mostAtOnce), `1 to ${mostAtOnce} links. Creates all or none.`),
  ),
})

export const updateAffiliateLinkInput = z.object({
  token: unchangedIfAbsent(
    described(token(), 'The new value of `via` in the URL. Existing referrals of the link do not change.'),
  ),
})

export const listAffiliateLinksInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only links of this affiliate.')),
})
