import { builder, everywhere } from '../graphql/builder.ts'
import { connectionOf, rootConnection } from '../graphql/connection.ts'
import { programScope } from '../graphql/context.ts'
import { AffiliateStateEnum } from '../graphql/enums.ts'
import { resourceMutation } from '../graphql/mutation.ts'
import { objectName } from '../graphql/object-name.ts'
import { restList } from '../graphql/pages.ts'
import { findAffiliate } from './find.ts'
import { createAffiliateInput, listAffiliatesInput, updateAffiliateInput } from './input.ts'
import { affiliateListing } from './listing.ts'
import { createAffiliate, listAffiliates, updateAffiliate } from './service.ts'

const AffiliateType = builder.prismaObject('Affiliate', {
  description: 'Somebody who refers customers and earns commissions.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'affiliate'),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'Of the details; counters move without it.',
    }),
    firstName: t.exposeString('firstName', { forAffiliate: true, nullable: true }),
    lastName: t.exposeString('lastName', { forAffiliate: true, nullable: true }),
    email: t.exposeString('email', {
      forAffiliate: true,
      description: 'Unique in the program, whatever the case of its letters.',
    }),
    walletAEmail: t.exposeString('walletAEmail', {
      forAffiliate: true,
      nullable: true,
      description: 'Payout e-mail for the first wallet provider.',
    }),
    walletBEmail: t.exposeString('walletBEmail', {
      forAffiliate: true,
      nullable: true,
      description: 'Payout e-mail for the second wallet provider.',
    }),
    state: t.expose('state', { forAffiliate: true, type: AffiliateStateEnum }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: 'The affiliate as a customer of the billing system.',
    }),
    confirmedAt: t.expose('confirmedAt', { forAffiliate: true, type: 'DateTime', nullable: true }),
    visitors: t.exposeInt('visitors', { forAffiliate: true, description: 'Referrals, whatever became of them.' }),
    leads: t.exposeInt('leads', { forAffiliate: true, description: 'Referrals that became a lead.' }),
    conversions: t.exposeInt('conversions', { forAffiliate: true, description: 'Referrals that became a conversion.' }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      description: 'The campaign whose rules new referrals get.',
    }),
    linkList: t.relation('links', {
      subGraphs: ['rest'],
      restName: 'links',
      query: { orderBy: { id: 'asc' } },
    }),
    coupon: t.relation('coupon', { forAffiliate: true, nullable: true }),
  }),
})

export const affiliateConnection = connectionOf(affiliateListing, AffiliateType)

rootConnection('affiliates', affiliateConnection, "The program's affiliates.")

restList('affiliates', AffiliateType, listAffiliatesInput, listAffiliates, "The program's affiliates, newest first.")

builder.queryField('affiliate', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description: 'An affiliate by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findAffiliate(programScope(ctx), id, query),
  }),
)

resourceMutation('createAffiliate', 'affiliate', AffiliateType, {
  description: 'Makes an affiliate and its first link.',
  subGraphs: everywhere,
  input: createAffiliateInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliate(programScope(ctx), input)
    return findAffiliate(programScope(ctx), id, query())
  },
})

resourceMutation('updateAffiliate', 'affiliate', AffiliateType, {
  description: 'Changes what is given. Moving to another campaign changes no referral and no commission that exists.',
  subGraphs: everywhere,
  ids: { id: 'Of the affiliate.' },
  input: updateAffiliateInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updateAffiliate(programScope(ctx), id, input)
    return findAffiliate(programScope(ctx), id, query())
  },
})
