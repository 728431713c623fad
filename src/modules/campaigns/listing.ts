import { archivable } from '../../listing/kept.ts'
import { baseFields, cents, currency, flag, instant, many, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'

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
