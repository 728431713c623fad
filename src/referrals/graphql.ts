import { builder, publicOnly } from '../graphql/builder.ts'
import { programScope } from '../graphql/context.ts'
import { ConversionStateEnum } from '../graphql/enums.ts'
import { argsOf } from '../graphql/inputs.ts'
import { objectName } from '../graphql/object-name.ts'
import { listField } from '../graphql/pages.ts'
import { listReferralsInput, recordLeadInput, recordVisitInput } from './input.ts'
import { conversionState } from './progress.ts'
import { findReferral, listReferrals, recordLead, recordVisit } from './service.ts'

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
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
  }),
})

listField('referrals', ReferralType, listReferralsInput, listReferrals, "The program's referrals, newest first.")

builder.queryField('referral', (t) =>
  t.prismaField({
    type: 'Referral',
    description: 'A referral by id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findReferral(programScope(ctx), id, query),
  }),
)

builder.mutationField('recordVisit', (t) =>
  t.prismaField({
    type: 'Referral',
    description: "Records that somebody came through an affiliate's link, and makes the referral.",
    args: argsOf(recordVisitInput),
    resolve: async (query, _root, args, ctx) => {
      const { id } = await recordVisit(programScope(ctx), args)
      return findReferral(programScope(ctx), id, query)
    },
  }),
)

builder.mutationField('recordLead', (t) =>
  t.prismaField({
    type: 'Referral',
    description:
      "Records that a referral's visitor said who they are. A referral that is a lead already, or more, stays as it is.",
    args: argsOf(recordLeadInput),
    resolve: async (query, _root, args, ctx) => {
      const { id } = await recordLead(programScope(ctx), args)
      return findReferral(programScope(ctx), id, query)
    },
  }),
)
