import type { Payout } from '../../generated/prisma/client.ts'
import { afterEvent } from '../../graphql/after-event.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { addHistory } from '../history/graphql.ts'
import { ConventionPayoutStateEnum, PayoutStateEnum } from './graphql-enums.ts'
import { listPayoutsInput, payPayoutInput, payPayoutsInput } from './input.ts'
import { listPayouts, payoutListing } from './listing.ts'
import { payPayout, payPayouts } from './pay.ts'
import { findPayout, findPayouts } from './service.ts'
import { conventionPayoutState, payoutState, withMinimum } from './state.ts'

export const PayoutType = builder.prismaObject('Payout', {
  description: 'The due commissions of one affiliate in one currency, which are paid together.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the payout.' }),
    object: objectName(t, 'payout'),
    state: t.field({
      forAffiliate: true,
      type: PayoutStateEnum,
      description: 'Whether the payout is open or paid, or its payment failed.',
      ...fromColumns<Payout>()(['paidAt', 'failedAt'], (payout) => payoutState(payout)),
    }),
    isPayable: t.exposeBoolean('isPayable', {
      subGraphs: publicOnly,
      description:
        "Whether the payout can be paid now: it is open, in no open run, its amount reaches the minimum of the affiliate's campaign, and not all of it would be withheld.",
    }),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of the commissions in the payout, in minor units of `currency`.',
    }),
    paidAt: t.expose('paidAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the payout was marked as paid. Null while it is open, and if the payment failed.',
    }),
    sentAt: t.expose('sentAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the payment was sent to a service. Null before, and if the payment did not arrive.',
    }),
    failedAt: t.expose('failedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description:
        'When the payment failed, came back or was not claimed. What it paid is in a later payout. Null if it did not.',
    }),
    reference: t.exposeString('reference', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The payment reference that was given when the payout was marked as paid. Null if none was given.',
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true, description: 'The id of the affiliate who is paid.' }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly, description: 'The affiliate who is paid.' }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the payout was opened.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the payout last changed: its amount, or that it was paid.',
    }),
    conventionState: t.field({
      type: ConventionPayoutStateEnum,
      subGraphs: supersetOnly,
      description: 'The state in the words of the wider API convention.',
      select: withMinimum,
      resolve: (payout) => conventionPayoutState(payout, payout.affiliate.campaign),
    }),
    paidById: t.exposeID('paidById', {
      nullable: true,
      subGraphs: supersetOnly,
      description:
        'The id of the API key that marked the payout as paid. Null while the payout is open, if the operator paid it, or if the key is unknown.',
    }),
    commissionList: t.relation('commissions', {
      subGraphs: supersetOnly,
      description: 'All commissions in the payout, newest first.',
      query: { orderBy: { id: 'desc' } },
    }),
  }),
})

addHistory('Payout')

export const payoutConnection = connectionOf(payoutListing, PayoutType)

rootConnection(
  'payouts',
  payoutConnection,
  "The program's payouts. Commissions that are due now are collected into open payouts first.",
)

restList(
  'payouts',
  PayoutType,
  listPayoutsInput,
  listPayouts,
  "The program's payouts, newest first. Commissions that are due now are collected into open payouts first.",
)

builder.queryField('payout', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'Finds a payout by its id.',
    isLookUp: true,
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true, description: 'The id of the payout.' }) },
    resolve: (query, _root, { id }, ctx) => findPayout(programScope(ctx), id, query),
  }),
)

resourceMutation('payPayout', 'payout', PayoutType, {
  description:
    "Marks a payout and all its commissions as paid at the same instant. Rejected if the amount is below the campaign's minimum payout. Idempotent: paying again returns the same payout.",
  subGraphs: everywhere,
  forRole: 'finance',
  ids: { id: 'The id of the payout.' },
  input: payPayoutInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await payPayout(programScope(ctx), id, input)
    return findPayout(programScope(ctx), id, query())
  },
})

resourceMutation('payPayouts', 'payouts', [PayoutType], {
  description:
    'Marks payouts and their commissions as paid at the same instant: all of them, or none. An error lists every problem with the id of its payout. Payouts that are already paid are returned unchanged, so the request can be retried.',
  forRole: 'finance',
  input: payPayoutsInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findPayouts(scope, await payPayouts(scope, input), query())
  },
})

builder.subscriptionField('payoutPaid', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'Sent when a payout and its commissions are marked as paid. The payload is the payout.',
    args: { after: t.arg.id({ description: afterEvent }) },
    subscribe: (_root, { after }, ctx) => ctx.events.open({ types: ['payout.paid'], yields: 'subject', after }),
    resolve: (query, id, _args, ctx) => findPayout(programScope(ctx), id as string, query),
  }),
)
