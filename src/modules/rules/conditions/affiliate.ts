import { described, optional } from '../../../kernel/input/fields.ts'
import { references } from '../../../kernel/input/lists.ts'
import { defineCondition, maxListed, sorted, unknownIds } from './condition.ts'

export type AffiliateCondition = { affiliateIds?: string[] }

export const affiliate = defineCondition({
  miss: { other_affiliate: 'The sale is of another affiliate.' },
  isOfAffiliate: true,
  input: { affiliateIds: optional(described(references(maxListed), 'Only sales of one of these affiliates.')) },
  stored: ({ affiliateIds }): AffiliateCondition => ({ ...(affiliateIds && { affiliateIds: sorted(affiliateIds) }) }),
  problems: async ({ affiliateIds = [] }, find) =>
    unknownIds('affiliateIds', 'Affiliate', affiliateIds, await find.affiliates(affiliateIds)),
  holds: ({ affiliateIds }, sale) => !affiliateIds || affiliateIds.includes(sale.affiliateId),
  isFor: ({ affiliateIds }, { affiliateId }) => !affiliateIds || affiliateIds.includes(affiliateId ?? ''),
})
