import type { Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { archivable } from '../../listing/kept-counts.ts'
import { baseFields, cents, currency, flag, instant, many, text, word } from '../../listing/listing.ts'
import { type Page, readRows, updatedBetween } from '../../listing/page.ts'
import { defineListing } from '../../listing/registry.ts'
import { listCampaignsInput } from './input.ts'

export const campaignListing = defineListing({
  noun: 'Campaign',
  model: 'campaign',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    archivedAt: instant('archivedAt', { nullable: true }),
    name: text('name'),
    url: text('url'),
    private: flag('private'),
    isDefault: flag('isDefault'),
    rewardType: word('rewardType', 'RewardType'),
    commissionCurrency: currency('commissionCurrency'),
    minimumPayoutCents: cents('minimumPayoutCents'),
    selfReferrals: word('selfReferrals', 'SelfReferralPolicy'),
    affiliates: many('affiliates', 'Affiliate'),
    referrals: many('referrals', 'Referral'),
    sales: many('sales', 'Sale'),
    commissions: many('commissions', 'Commission'),
  },
  orders: { updatedAt: 'updatedAt', name: 'name' },
  numbers: {},
  kept: archivable('campaigns'),
  groups: ['rewardType', 'private', 'selfReferrals'],
})

export async function listCampaigns(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.CampaignDefaultArgs = {},
): Promise<Page<Campaign>> {
  const input = await parseInput(listCampaignsInput, raw)
  const where = { programId: ctx.program.id, archivedAt: null, ...updatedBetween(input) }
  return readRows(ctx, campaignListing, input, where, query)
}
