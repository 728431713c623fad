import { afterEvent } from '../../graphql/after-event.ts'
import { builder } from '../../graphql/builder.ts'
import { affiliateScope, programScope } from '../../graphql/context.ts'
import { findCommission } from './service.ts'

builder.subscriptionField('commissionChanged', (t) =>
  t.prismaField({
    type: 'Commission',
    description:
      'Sent when a commission is earned, held, approved, amended, rescheduled, refunded, voided or paid, when its payment is reversed, and within a minute after it became due. The payload is its current state.',
    args: {
      affiliateId: t.arg.id({
        description: 'Only commissions of the affiliate with this id. Default: all affiliates.',
      }),
      after: t.arg.id({ description: afterEvent }),
    },
    subscribe: (_root, { affiliateId, after }, ctx) =>
      ctx.events.open({ types: ['commission.created', 'commission.updated'], affiliateId, yields: 'subject', after }),
    resolve: (query, id, _args, ctx) => findCommission(programScope(ctx), id as string, query),
  }),
)

builder.subscriptionField('myCommissionChanged', (t) =>
  t.prismaField({
    type: 'Commission',
    forAffiliate: true,
    description:
      'As `commissionChanged`, for an affiliate token: only commissions of its affiliate. An affiliate can have 3 of them at a time.',
    args: { after: t.arg.id({ description: afterEvent }) },
    subscribe: (_root, { after }, ctx) => {
      const { affiliateId } = affiliateScope(ctx)
      const types = ['commission.created', 'commission.updated']
      return ctx.events.open({ types, affiliateId, isOfAffiliate: true, yields: 'subject', after })
    },
    resolve: (query, id, _args, ctx) => findCommission(affiliateScope(ctx), id as string, query),
  }),
)
