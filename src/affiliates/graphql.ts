import { builder, everywhere } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { AffiliateStateEnum } from '../graphql/enums.ts'
import { inputOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { findAffiliate } from './find.ts'
import { createAffiliateInput, listAffiliatesInput, updateAffiliateInput } from './input.ts'
import { createAffiliate, listAffiliates, updateAffiliate } from './service.ts'

export const AffiliateType = builder.prismaObject('Affiliate', {
  description: 'Somebody who refers customers and earns commissions.',
  fields: (t) => ({
    id: t.exposeID('id'),
    object: objectName(t, 'affiliate'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Of the details; counters move without it.' }),
    firstName: t.exposeString('firstName', { nullable: true }),
    lastName: t.exposeString('lastName', { nullable: true }),
    email: t.exposeString('email', { description: 'Unique in the program, whatever the case of its letters.' }),
    walletAEmail: t.exposeString('walletAEmail', {
      nullable: true,
      description: 'Payout e-mail for the first wallet provider.',
    }),
    walletBEmail: t.exposeString('walletBEmail', {
      nullable: true,
      description: 'Payout e-mail for the second wallet provider.',
    }),
    state: t.expose('state', { type: AffiliateStateEnum }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: 'The affiliate as a customer of the billing system.',
    }),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true }),
    visitors: t.exposeInt('visitors', { description: 'Referrals, whatever became of them.' }),
    leads: t.exposeInt('leads', { description: 'Referrals that became a lead.' }),
    conversions: t.exposeInt('conversions', { description: 'Referrals that became a conversion.' }),
    campaign: t.relation('campaign', { description: 'The campaign whose rules new referrals get.' }),
    links: t.relation('links', {
      description: 'Oldest first; the first was made with the affiliate.',
      query: { orderBy: { id: 'asc' } },
    }),
    coupon: t.relation('coupon', { nullable: true }),
  }),
})

listField('affiliates', AffiliateType, listAffiliatesInput, listAffiliates, "The program's affiliates, newest first.")

builder.queryField('affiliate', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description: 'An affiliate by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findAffiliate(programScope(ctx), id, query),
  }),
)

builder.mutationField('createAffiliate', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description: 'Makes an affiliate and its first link.',
    subGraphs: everywhere,
    args: { input: t.arg({ type: inputOf('CreateAffiliateInput', createAffiliateInput), required: true }) },
    resolve: async (query, _root, { input }, ctx) => {
      const { id } = await createAffiliate(programScope(ctx), input)
      return findAffiliate(programScope(ctx), id, query)
    },
  }),
)

builder.mutationField('updateAffiliate', (t) =>
  t.prismaField({
    type: 'Affiliate',
    description: 'Changes what is given. Moving to another campaign changes no referral and no commission that exists.',
    subGraphs: everywhere,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: inputOf('UpdateAffiliateInput', updateAffiliateInput), required: true }),
    },
    resolve: async (query, _root, { id, input }, ctx) => {
      await updateAffiliate(programScope(ctx), id, input)
      return findAffiliate(programScope(ctx), id, query)
    },
  }),
)
