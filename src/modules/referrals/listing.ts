import type { z } from 'zod'
import type { Prisma, Referral } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { unfiltered } from '../../listing/kept-counts.ts'
import { baseFields, id, instant, many, one, state, text } from '../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { referrals } from '../../resources/referrals.ts'
import { conversionStates, listReferralsInput } from './input.ts'

export const referralListing = defineListing({
  noun: 'Referral',
  model: 'referral',
  forAffiliate: true,
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    conversionState: state('ConversionState', conversionStates, referrals.states.where),
    becameLeadAt: instant('becameLeadAt', { nullable: true }),
    becameConversionAt: instant('becameConversionAt', { nullable: true }),
    expiresAt: instant('expiresAt'),
    endedAt: instant('endedAt', { nullable: true }),
    billingCustomerId: text('billingCustomerId', { nullable: true }),
    sub: text('sub', { nullable: true }),
    agentProvider: text('agentProvider', { nullable: true }),
    affiliateId: id('affiliateId'),
    campaignId: id('campaignId'),
    linkId: id('linkId', { nullable: true }),
    couponId: id('couponId', { nullable: true }),
    affiliate: one('affiliate', 'Affiliate'),
    campaign: one('campaign', 'Campaign'),
    link: one('link', 'AffiliateLink'),
    coupon: one('coupon', 'AffiliateCoupon'),
    customer: one('customer', 'Customer'),
    sales: many('sales', 'Sale'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt' },
  numbers: {},
  exportPath: '/v1/exports/referrals',
  kept: {
    ...unfiltered('referrals'),
    rollup: {
      dimensions: { affiliateId: 'affiliate_id', campaignId: 'campaign_id' },
      // Every referral is counted as a visitor, and every conversion as a lead too.
      classes: [
        {
          rows: { becameLeadAt: 'null', becameConversionAt: 'null' },
          terms: [
            { kind: 'visitor', factor: 1 },
            { kind: 'lead', factor: -1 },
          ],
        },
        {
          rows: { becameLeadAt: 'value', becameConversionAt: 'null' },
          terms: [
            { kind: 'lead', factor: 1 },
            { kind: 'conversion', factor: -1 },
          ],
        },
        {
          rows: { becameLeadAt: 'value', becameConversionAt: 'value' },
          terms: [{ kind: 'conversion', factor: 1 }],
        },
      ],
    },
  },
  groups: ['affiliateId', 'campaignId', 'linkId', 'couponId', 'conversionState'],
})

export async function listReferrals(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.ReferralDefaultArgs = {},
): Promise<Page<Referral>> {
  const input = await parseInput(listReferralsInput, raw)
  const where = referralsWhere(ctx, input)
  return readRows(ctx, referralListing, input, where, query)
}

export const referralsWhere = (
  ctx: ProgramCtx,
  input: z.output<typeof listReferralsInput>,
): Prisma.ReferralWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  affiliateId: carries(input.affiliateId),
  campaignId: carries(input.campaignId),
  billingCustomerId: input.billingCustomerId,
  ...(input.email && { customer: { emailKey: emailKey(input.email) } }),
  ...(input.conversionState && { OR: input.conversionState.map((state) => referrals.states.where(state)) }),
})
