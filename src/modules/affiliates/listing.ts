import type { z } from 'zod'
import type { Affiliate, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { emailKey } from '../../kernel/email.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import {
  baseFields,
  cents,
  counter,
  flag,
  id,
  ids,
  instant,
  many,
  one,
  own,
  text,
  word,
} from '../../listing/listing.ts'
import { carries, type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { affiliateStates, listAffiliatesInput } from './input.ts'
import { tokenKey } from './tokens.ts'

const kept = "In minor units of the program's currency. It follows within a minute."

export const affiliateListing = defineListing({
  noun: 'Affiliate',
  model: 'affiliate',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    email: text('emailKey', { fold: emailKey, searchable: true }),
    firstName: text('firstName', { nullable: true, searchable: true }),
    lastName: text('lastName', { nullable: true, searchable: true }),
    state: word('state', 'AffiliateState'),
    billingCustomerId: text('billingCustomerId', { nullable: true }),
    paypalEmail: text('paypalEmail', { nullable: true }),
    wiseEmail: text('wiseEmail', { nullable: true }),
    confirmedAt: instant('confirmedAt', { nullable: true }),
    receiveNewCommissionNotifications: flag('receiveNewCommissionNotifications'),
    visitors: counter('visitors'),
    leads: counter('leads'),
    conversions: counter('conversions'),
    revenueCents: cents('revenueCents', { description: `The sum of the affiliate's sales. ${kept}` }),
    commissionsCents: cents('commissionsCents', {
      description: `The sum of the affiliate's commissions that are not void. ${kept}`,
    }),
    dueCents: cents('dueCents', {
      description: "The affiliate's open payout in minor units of the program's currency. 0 without one.",
    }),
    paidCents: cents('paidCents', { description: `The sum of the affiliate's paid commissions. ${kept}` }),
    campaignId: id('campaignId'),
    campaign: one('campaign', 'Campaign'),
    groupId: ids(
      'groupMemberships',
      'groupId',
      { untilAt: null },
      'The groups that the affiliate is in. Null matches affiliates without a group.',
    ),
    ownFields: own(
      'ownFields',
      "One of the program's own fields. `and` and `or` combine conditions on several of them.",
    ),
    coupon: one('coupon', 'AffiliateCoupon'),
    coupons: many('coupons', 'AffiliateCoupon'),
    links: many('links', 'AffiliateLink'),
    referrals: many('referrals', 'Referral'),
    sales: many('sales', 'Sale'),
    commissions: many('commissions', 'Commission'),
    payouts: many('payouts', 'Payout'),
  },
  search: ['emailKey', 'firstName', 'lastName'],
  orders: {
    updatedAt: 'updatedAt',
    email: 'emailKey',
    revenue: 'revenueCents',
    commissions: 'commissionsCents',
    due: 'dueCents',
    paid: 'paidCents',
  },
  numbers: {
    visitors: { column: 'visitors' },
    leads: { column: 'leads' },
    conversions: { column: 'conversions' },
  },
  exportPath: '/v1/exports/affiliates',
  kept: {
    table: 'affiliates',
    states: Object.fromEntries(affiliateStates.map((value) => [value, { state: { value } }])),
  },
  groups: ['campaignId', 'state'],
})

export async function listAffiliates(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.AffiliateDefaultArgs = {},
): Promise<Page<Affiliate>> {
  const input = await parseInput(listAffiliatesInput, raw)
  const where = affiliatesWhere(ctx, input)
  return readRows(ctx, affiliateListing, input, where, query)
}

export const affiliatesWhere = (
  ctx: ProgramCtx,
  input: z.output<typeof listAffiliatesInput>,
): Prisma.AffiliateWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  state: input.state && { in: input.state },
  campaignId: carries(input.campaignId),
  emailKey: input.email && emailKey(input.email),
  billingCustomerId: input.billingCustomerId,
  links: input.linkToken ? { some: { tokenKey: tokenKey(input.linkToken) } } : undefined,
})
