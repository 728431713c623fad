import type { AffiliateCoupon, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { archivable } from '../../../listing/kept-counts.ts'
import { baseFields, id, instant, many, one, text } from '../../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../../listing/page.ts'
import { defineListing } from '../../../listing/registry.ts'
import { couponKey } from './code.ts'
import { listAffiliateCouponsInput } from './input.ts'

export const affiliateCouponListing = defineListing({
  noun: 'AffiliateCoupon',
  model: 'affiliateCoupon',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    archivedAt: instant('archivedAt', { nullable: true }),
    token: text('tokenKey', { fold: couponKey }),
    affiliateId: id('affiliateId'),
    affiliate: one('affiliate', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
  },
  orders: { updatedAt: 'updatedAt', token: 'tokenKey' },
  numbers: {},
  forAffiliate: true,
  kept: archivable('affiliate_coupons'),
  groups: [],
})

export async function listAffiliateCoupons(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateCouponDefaultArgs = {},
): Promise<Page<AffiliateCoupon>> {
  const input = await parseInput(listAffiliateCouponsInput, raw)
  const where = {
    programId: ctx.program.id,
    archivedAt: null,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
  }
  return readRows(ctx, affiliateCouponListing, input, where, query)
}
