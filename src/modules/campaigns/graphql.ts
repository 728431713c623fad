import type { Campaign } from '../../generated/prisma/client.ts'
import { archiveMutations } from '../../graphql/archive.ts'
import { builder, everywhere, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { inputOf } from '../../graphql/inputs.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { addHistory } from '../history/graphql.ts'
import { archiveCampaign, deleteCampaign } from './archive.ts'
import { RewardTypeEnum, SelfReferralPolicyEnum } from './graphql-enums.ts'
import { createCampaignInput, listCampaignsInput, minimumPayoutInput, updateCampaignInput } from './input.ts'
import { campaignListing, listCampaigns } from './listing.ts'
import { ownMinimumsOf } from './minimum-payouts.ts'
import { createCampaign, findCampaign, updateCampaign } from './service.ts'

const MinimumPayoutType = builder.objectRef<{ currency: string; amountCents: bigint }>('MinimumPayout').implement({
  description: 'The smallest payout in one currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The smallest amount at which a payout can be paid, in minor units of `currency`.',
    }),
    amount: t.field({ forAffiliate: true, ...moneyBeside('amountCents'), resolve: (minimum) => minimum }),
  }),
})

inputOf('MinimumPayoutInput', minimumPayoutInput)

export const CampaignType = builder.prismaObject('Campaign', {
  description: 'The rules under which a group of affiliates earns commissions and is paid.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the campaign, a UUID.' }),
    object: objectName(t, 'campaign'),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the campaign was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the campaign was last changed.' }),
    name: t.exposeString('name', { forAffiliate: true, description: 'The name of the campaign.' }),
    url: t.expose('url', {
      forAffiliate: true,
      type: 'URL',
      description: "The page that the links of the campaign's affiliates lead to.",
    }),
    private: t.exposeBoolean('private', {
      description: 'Whether the campaign is hidden from affiliates who were not invited.',
    }),
    isDefault: t.exposeBoolean('isDefault', {
      subGraphs: publicOnly,
      description: 'Whether affiliates that are created without a campaign join this one.',
    }),
    rewardType: t.expose('rewardType', {
      forAffiliate: true,
      type: RewardTypeEnum,
      description: 'Whether the campaign pays a percentage or a fixed amount.',
    }),
    commissionPercent: t.float({
      forAffiliate: true,
      nullable: true,
      description:
        'The percentage of each sale that is paid as commission, from 0 to 100. Null if the campaign pays a fixed amount.',
      ...fromColumns<Campaign>()(['commissionBasisPoints'], ({ commissionBasisPoints: basisPoints }) =>
        basisPoints === null ? null : basisPoints / 100,
      ),
    }),
    commissionAmountCents: t.expose('commissionAmountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      nullable: true,
      description:
        'The fixed commission for each sale, in minor units of `commissionCurrency`. Null if the campaign pays a percentage.',
    }),
    commissionCurrency: t.expose('commissionCurrency', {
      forAffiliate: true,
      type: 'Currency',
      description: 'The currency of the fixed commission, as an ISO 4217 code in lower case.',
    }),
    commissionAmount: t.field({
      forAffiliate: true,
      ...moneyBeside('commissionAmountCents'),
      nullable: true,
      ...fromColumns<Campaign>()(
        ['commissionAmountCents', 'commissionCurrency'],
        ({ commissionAmountCents, commissionCurrency }) => moneyOf(commissionAmountCents, commissionCurrency),
      ),
    }),
    minimumPayoutCents: t.expose('minimumPayoutCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description:
        "The smallest amount at which a payout can be paid, in minor units of the payout's currency. A currency in `minimumPayouts` has its own.",
    }),
    minimumPayouts: t.field({
      forAffiliate: true,
      type: [MinimumPayoutType],
      subGraphs: publicOnly,
      description: 'The minimums of currencies that have their own, by currency.',
      resolve: (campaign) =>
        Object.entries(ownMinimumsOf(campaign)).map(([currency, cents]) => ({ currency, amountCents: BigInt(cents) })),
    }),
    daysBeforeReferralsExpire: t.exposeInt('daysBeforeReferralsExpire', {
      forAffiliate: true,
      description: 'The number of days after its creation in which a referral can become a lead or a conversion.',
    }),
    daysBeforeCommissionsAreDue: t.exposeInt('daysBeforeCommissionsAreDue', {
      forAffiliate: true,
      description: 'The number of days from a sale until its commission is due.',
    }),
    maxCommissions: t.exposeInt('maxCommissions', {
      forAffiliate: true,
      nullable: true,
      description: 'The number of commissions that one referral can earn. Null if it is not limited.',
    }),
    maxCommissionPeriodInMonths: t.exposeInt('maxCommissionPeriodInMonths', {
      forAffiliate: true,
      nullable: true,
      description:
        'The number of calendar months, from the first commission of a referral, in which its sales earn commissions. Null if it is not limited.',
    }),
    selfReferrals: t.expose('selfReferrals', {
      type: SelfReferralPolicyEnum,
      subGraphs: publicOnly,
      description: "How a sale to the affiliate's own e-mail or company is treated.",
    }),
    archivedAt: t.expose('archivedAt', {
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the campaign was archived. Null if it is not archived.',
    }),
  }),
})

addHistory('Campaign')

export const campaignConnection = connectionOf(campaignListing, CampaignType)

rootConnection('campaigns', campaignConnection, "The program's campaigns.")

restList('campaigns', CampaignType, listCampaignsInput, listCampaigns, "The program's campaigns, newest first.")

lookUp(
  'campaign',
  CampaignType,
  { description: 'Finds a campaign by id.', id: 'The id of the campaign.', subGraphs: everywhere },
  findCampaign,
)

resourceMutation('createCampaign', 'campaign', CampaignType, {
  description: 'Creates a campaign. Give a percentage or a fixed amount as its reward.',
  subGraphs: everywhere,
  input: createCampaignInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createCampaign(programScope(ctx), input)
    return findCampaign(programScope(ctx), id, query())
  },
})

resourceMutation('updateCampaign', 'campaign', CampaignType, {
  description: 'Updates the given fields. Existing commissions keep the rule that they were created with.',
  subGraphs: everywhere,
  ids: { id: 'The id of the campaign.' },
  input: updateCampaignInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateCampaign(programScope(ctx), id, input)
    return findCampaign(programScope(ctx), id, query())
  },
})

archiveMutations('campaign', CampaignType, {
  effect:
    'affiliates cannot join it, and links and coupons of its affiliates bring nothing new. Referrals from before keep earning. The default campaign cannot be archived.',
  references: 'affiliate, referral, sale, commission or imported record, and not the default campaign',
  archive: archiveCampaign,
  find: findCampaign,
  remove: deleteCampaign,
})
