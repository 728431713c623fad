import type { Referral } from '../../generated/prisma/client.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { ConversionStateEnum } from './graphql-enums.ts'
import { listReferralsInput, recordLeadInput, recordVisitInput } from './input.ts'
import { listReferrals, referralListing } from './listing.ts'
import { conversionState } from './progress.ts'
import { findReferral, recordLead, recordVisit } from './service.ts'
import { countVisits } from './visits.ts'

type KnownCustomer = { id: string; name: string | null; email: string }

const KnownCustomerType = builder.objectRef<KnownCustomer>('KnownCustomer').implement({
  description: "A referral's customer in the form that clients of the convention expect.",
  subGraphs: supersetOnly,
  fields: (t) => ({
    platform: t.string({
      extensions: { constant: 'api' },
      description: 'The source of the customer. Always `api`.',
      resolve: () => 'api',
    }),
    id: t.exposeString('id', {
      description: "The customer's id in the billing system if the referral has one, else the customer's own id.",
    }),
    name: t.exposeString('name', { nullable: true, description: "The customer's name. Null if unknown." }),
    email: t.expose('email', { type: 'EmailAddress', description: "The customer's e-mail." }),
  }),
})

export const ReferralType = builder.prismaObject('Referral', {
  description: 'A person whom an affiliate referred: first a visitor, then a lead, then a conversion.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the referral, a UUID.' }),
    object: objectName(t, 'referral'),
    conversionState: t.field({
      forAffiliate: true,
      type: ConversionStateEnum,
      description: 'The progress of the referral. Follows from `becameLeadAt` and `becameConversionAt`.',
      ...fromColumns<Referral>()(['becameLeadAt', 'becameConversionAt'], (referral) => conversionState(referral)),
    }),
    becameLeadAt: t.expose('becameLeadAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the referral became a lead. Null for a visitor.',
    }),
    becameConversionAt: t.expose('becameConversionAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the first sale occurred. Null without a sale.',
    }),
    expiresAt: t.expose('expiresAt', {
      forAffiliate: true,
      type: 'DateTime',
      description:
        'Until when the referral can become a lead or a conversion. Does not limit later sales of a conversion.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When a person ended the referral: sales from then on do not belong to it. Null if nobody did.',
    }),
    billingCustomerId: t.exposeString('billingCustomerId', {
      nullable: true,
      description: "The person's customer id in the billing system. Null if unknown.",
    }),
    sub: t.exposeString('sub', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'Where the affiliate used the link: `video-12` of `?via=ada&sub=video-12`. Null without it.',
    }),
    agentProvider: t.exposeString('agentProvider', {
      nullable: true,
      subGraphs: publicOnly,
      description:
        'The provider that the agent named, if the referral began by what an agent said: `affiliate_attribution` of a sale or a visit. Null otherwise.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      forAffiliate: true,
      description: 'The id of the affiliate who referred the person.',
    }),
    campaignId: t.exposeID('campaignId', {
      forAffiliate: true,
      description: "The id of the affiliate's campaign at the time of the referral.",
    }),
    affiliate: t.relation('affiliate', {
      subGraphs: publicOnly,
      description: 'The affiliate who referred the person.',
    }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: "The affiliate's campaign at the time of the referral. Its rules apply to the referral's sales.",
    }),
    link: t.relation('link', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The link of the visit. Null if the referral was created by a coupon.',
    }),
    coupon: t.relation('coupon', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The coupon that created the referral. Null if it was created by a visit.',
    }),
    customer: t.relation('customer', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The person as a customer. Null for a visitor.',
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the referral was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the referral was last changed.',
    }),
    visits: t.int({
      subGraphs: supersetOnly,
      description: 'The number of recorded visits, at least 1. Is 0 if the referral was created by a coupon.',
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
      description: 'The person as a customer. Null for a visitor.',
      select: { customer: true },
      resolve: ({ customer, billingCustomerId }) =>
        customer && { id: billingCustomerId ?? customer.id, name: customer.name, email: customer.email },
    }),
  }),
})

export const referralConnection = connectionOf(referralListing, ReferralType)

rootConnection('referrals', referralConnection, "The program's referrals.")

restList('referrals', ReferralType, listReferralsInput, listReferrals, "The program's referrals, newest first.")

lookUp(
  'referral',
  ReferralType,
  { description: 'Finds a referral by id.', id: 'The id of the referral.', subGraphs: everywhere },
  findReferral,
)

resourceMutation('recordVisit', 'referral', ReferralType, {
  description: "Records a visit through an affiliate's link, and creates its referral.",
  input: recordVisitInput,
  resolve: async (ctx, input, query) => {
    const { id } = await recordVisit(programScope(ctx), input)
    return findReferral(programScope(ctx), id, query())
  },
})

resourceMutation('recordLead', 'referral', ReferralType, {
  description:
    "Records that a referral's visitor gave their e-mail, and turns the referral into a lead. The state does not change if it is a lead or a conversion already.",
  input: recordLeadInput,
  resolve: async (ctx, input, query) => {
    const { id } = await recordLead(programScope(ctx), input)
    return findReferral(programScope(ctx), id, query())
  },
})
