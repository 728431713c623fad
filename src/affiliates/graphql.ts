import { builder, everywhere } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { AffiliateStateEnum } from '../graphql/enums.ts'
import { resourceMutation } from '../graphql/mutation.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { createAffiliate, createAffiliates } from './create.ts'
import { findAffiliate, findAffiliates } from './find.ts'
import { createAffiliateInput, createAffiliatesInput, listAffiliatesInput, updateAffiliateInput } from './input.ts'
import { listAffiliates, updateAffiliate } from './service.ts'

const AffiliateType = builder.prismaObject('Affiliate', {
  description: 'Somebody who refers customers and earns commissions.',
  fields: (t) => ({
    id: t.exposeID('id'),
    object: objectName(t, 'affiliate'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Of the details; counters move without it.' }),
    firstName: t.exposeString('firstName', { nullable: true }),
    lastName: t.exposeString('lastName', { nullable: true }),
    email: t.expose('email', {
      type: 'EmailAddress',
      description: 'Unique in the program, whatever the case of its letters.',
    }),
    walletAEmail: t.expose('walletAEmail', {
      type: 'EmailAddress',
      nullable: true,
      description: 'Payout e-mail for the first wallet provider.',
    }),
    walletBEmail: t.expose('walletBEmail', {
      type: 'EmailAddress',
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

resourceMutation('createAffiliate', 'affiliate', AffiliateType, {
  description: 'Makes an affiliate and its first link.',
  subGraphs: everywhere,
  input: createAffiliateInput,
  resolve: async (ctx, input, query) => {
    const { id } = await createAffiliate(programScope(ctx), input)
    return findAffiliate(programScope(ctx), id, query())
  },
})

resourceMutation('createAffiliates', 'affiliates', [AffiliateType], {
  description: 'Makes affiliates, each with its first link, all or none; every problem of every one is told.',
  input: createAffiliatesInput,
  resolve: async (ctx, input, query) => {
    const made = await createAffiliates(programScope(ctx), input)
    const ids = made.map(({ id }) => id)
    return findAffiliates(programScope(ctx), ids, query())
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
