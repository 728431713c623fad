import { builder, everywhere, publicOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { addHistory } from '../history/graphql.ts'
import { RewardTypeEnum, SelfReferralPolicyEnum } from './graphql-enums.ts'
import { createCampaignInput, listCampaignsInput, updateCampaignInput } from './input.ts'
import { campaignListing } from './listing.ts'
import { createCampaign, findCampaign, listCampaigns, updateCampaign } from './service.ts'

export const CampaignType = builder.prismaObject('Campaign', {
  description: 'The rules under which a group of affiliates earns and is paid.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'campaign'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    name: t.exposeString('name', { forAffiliate: true }),
    url: t.expose('url', { forAffiliate: true, type: 'URL', description: 'Where its links lead.' }),
    private: t.exposeBoolean('private', { description: 'Kept out of sight of affiliates who were not invited.' }),
    isDefault: t.exposeBoolean('isDefault', {
      subGraphs: publicOnly,
      description: 'Affiliates made without a campaign belong to this one.',
    }),
    rewardType: t.expose('rewardType', {
      forAffiliate: true,
      type: RewardTypeEnum,
      description: 'Which of the two rewards counts.',
    }),
    commissionPercent: t.float({
      forAffiliate: true,
      nullable: true,
      description: 'The share of each sale that is paid, 0 to 100; null where a fixed amount is paid.',
      resolve: ({ commissionBasisPoints: basisPoints }) => (basisPoints === null ? null : basisPoints / 100),
    }),
    commissionAmountCents: t.expose('commissionAmountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      nullable: true,
      description:
        'The fixed commission for each sale, in minor units of `commissionCurrency`; null where a share is paid.',
    }),
    commissionCurrency: t.expose('commissionCurrency', {
      forAffiliate: true,
      type: 'Currency',
      description: 'ISO 4217, lower case.',
    }),
    minimumPayoutCents: t.expose('minimumPayoutCents', {
      forAffiliate: true,
      type: 'SafeInt',
      description: 'The least a payout has to come to, in minor units of its currency.',
    }),
    daysBeforeReferralsExpire: t.exposeInt('daysBeforeReferralsExpire', {
      forAffiliate: true,
      description: 'Days in which a referral can become a lead or a conversion.',
    }),
    daysBeforeCommissionsAreDue: t.exposeInt('daysBeforeCommissionsAreDue', {
      forAffiliate: true,
      description: 'Days from a sale to the day its commission is due.',
    }),
    maxCommissions: t.exposeInt('maxCommissions', {
      forAffiliate: true,
      nullable: true,
      description: 'How many sales of one customer earn a commission; null: all.',
    }),
    maxCommissionPeriodInMonths: t.exposeInt('maxCommissionPeriodInMonths', {
      forAffiliate: true,
      nullable: true,
      description: "Calendar months from a customer's first commission during which sales earn one; null: without end.",
    }),
    selfReferrals: t.expose('selfReferrals', {
      type: SelfReferralPolicyEnum,
      subGraphs: publicOnly,
      description: "What becomes of the commission of a sale to the affiliate's own e-mail or company.",
    }),
  }),
})

addHistory('Campaign')

export const campaignConnection = connectionOf(campaignListing, CampaignType)

rootConnection('campaigns', campaignConnection, "The program's campaigns.")

restList('campaigns', CampaignType, listCampaignsInput, listCampaigns, "The program's campaigns, newest first.")

builder.queryField('campaign', (t) =>
  t.prismaField({
    type: 'Campaign',
    description: 'A campaign by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findCampaign(programScope(ctx), id, query),
  }),
)

resourceMutation('createCampaign', 'campaign', CampaignType, {
  description: 'Makes a campaign. Give a percentage or a fixed amount.',
  subGraphs: everywhere,
  input: createCampaignInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createCampaign(programScope(ctx), input)
    return findCampaign(programScope(ctx), id, query())
  },
})

resourceMutation('updateCampaign', 'campaign', CampaignType, {
  description: 'Changes what is given. Commissions that exist keep the rule they were made with.',
  subGraphs: everywhere,
  ids: { id: 'Of the campaign.' },
  input: updateCampaignInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateCampaign(programScope(ctx), id, input)
    return findCampaign(programScope(ctx), id, query())
  },
})
