import type { AffiliateLink, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { archivable } from '../../../listing/kept-counts.ts'
import { baseFields, counter, id, instant, many, one, text } from '../../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../../listing/page.ts'
import { defineListing } from '../../../listing/registry.ts'
import { tokenKey } from '../tokens.ts'
import { listAffiliateLinksInput } from './input.ts'

export const affiliateLinkListing = defineListing({
  noun: 'AffiliateLink',
  model: 'affiliateLink',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    archivedAt: instant('archivedAt', { nullable: true }),
    token: text('tokenKey', { fold: tokenKey }),
    visitors: counter('visitors'),
    leads: counter('leads'),
    conversions: counter('conversions'),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
  },
  orders: { updatedAt: 'updatedAt', token: 'tokenKey' },
  numbers: {
    visitors: { column: 'visitors' },
    leads: { column: 'leads' },
    conversions: { column: 'conversions' },
  },
  kept: archivable('affiliate_links'),
  groups: ['affiliateId'],
})

export async function listAffiliateLinks(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateLinkDefaultArgs = {},
): Promise<Page<AffiliateLink>> {
  const input = await parseInput(listAffiliateLinksInput, raw)
  const where = {
    programId: ctx.program.id,
    archivedAt: null,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
  }
  return readRows(ctx, affiliateLinkListing, input, where, query)
}
