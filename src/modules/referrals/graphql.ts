import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { ConversionStateEnum } from './graphql-enums.ts'
import { listReferralsInput, recordLeadInput, recordVisitInput } from './input.ts'
import { referralListing } from './listing.ts'
import { conversionState } from './progress.ts'
import { findReferral, listReferrals, recordLead, recordVisit } from './service.ts'
import { countVisits } from './visits.ts'

type KnownCustomer = { id: string; name: string | null; email: string }

const KnownCustomerType = builder.objectRef<KnownCustomer>('KnownCustomer').implement({
  description: 'Who a referral became, as clients of the convention expect it.',
  subGraphs: supersetOnly,
  fields: (t) => ({
    platform: t.string({
      extensions: { constant: 'api' },
      description: 'Where the customer is known from.',
      resolve: () => 'api',
    }),
    id: t.exposeString('id', {
      description: "The customer's id in the billing system, where the referral has one; else our own.",
    }),
    name: t.exposeString('name', { nullable: true }),
    email: t.expose('email', { type: 'EmailAddress' }),
  }),
})

const ReferralType = builder.prismaObject('Referral', {
  description: 'A person whom an affiliate brought: a visitor, then a lead, then a conversion.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'referral'),
    conversionState: t.field({
      forAffiliate: true,
      type: ConversionStateEnum,
      resolve: (referral) => conversionState(referral),
    }),
    becameLeadAt: t.expose('becameLeadAt', { forAffiliate: true, type: 'DateTime', nullable: true }),
    becameConversionAt: t.expose('becameConversionAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the first sale occurred.',
    }),
    expiresAt: t.expose('expiresAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: 'Until then it can become a lead or a conversion; later sales of a conversion are not bound by it.',
    }),
    billingCustomerId: t.exposeString('billingCustomerId', { nullable: true }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true }),
    campaignId: t.exposeID('campaignId', { forAffiliate: true }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    campaign: t.relation('campaign', { forAffiliate: true, subGraphs: publicOnly }),
    link: t.relation('link', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The link the visitor came through; null where a coupon made the referral.',
    }),
    coupon: t.relation('coupon', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The coupon that made the referral.',
    }),
    customer: t.relation('customer', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'Who it became; null for a visitor who has not said so.',
    }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    visits: t.int({
      subGraphs: supersetOnly,
      description: 'Recorded visits of it: at least the one it was made by, and 0 where a coupon made it.',
      resolve: async ({ id, linkId }, _args, ctx) => {
        if (linkId === null) return 0
        const recorded = await batched(ctx, 'visits', id, (ids) => countVisits(programScope(ctx), ids))
        return Math.max(recorded, 1)
      },
    }),
    knownCustomer: t.field({
      type: KnownCustomerType,
      nullable: true,
      subGraphs: supersetOnly,
      description: 'Who it became; null for a visitor who has not said so.',
      select: { customer: true },
      resolve: ({ customer, billingCustomerId }) =>
        customer && { id: billingCustomerId ?? customer.id, name: customer.name, email: customer.email },
    }),
  }),
})

export const referralConnection = connectionOf(referralListing, ReferralType)

rootConnection('referrals', referralConnection, "The program's referrals.")

restList('referrals', ReferralType, listReferralsInput, listReferrals, "The program's referrals, newest first.")

builder.queryField('referral', (t) =>
  t.prismaField({
    type: 'Referral',
    description: 'A referral by id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findReferral(programScope(ctx), id, query),
  }),
)

resourceMutation('recordVisit', 'referral', ReferralType, {
  description: "Records that somebody came through an affiliate's link, and makes the referral.",
  input: recordVisitInput,
  resolve: async (ctx, input, query) => {
    const { id } = await recordVisit(programScope(ctx), input)
    return findReferral(programScope(ctx), id, query())
  },
})

resourceMutation('recordLead', 'referral', ReferralType, {
  description:
    "Records that a referral's visitor said who they are. A referral that is a lead already, or more, stays as it is.",
  input: recordLeadInput,
  resolve: async (ctx, input, query) => {
    const { id } = await recordLead(programScope(ctx), input)
    return findReferral(programScope(ctx), id, query())
  },
})
