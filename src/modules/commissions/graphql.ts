import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { historyField } from '../history/graphql.ts'
import { amendCommission } from './amend.ts'
import { CommissionStateEnum, ConventionCommissionStateEnum, HeldReasonEnum } from './graphql-enums.ts'
import { commissionHistory } from './history.ts'
import { amendCommissionInput, listCommissionsInput } from './input.ts'
import { commissionListing } from './listing.ts'
import { dueByRule } from './row.ts'
import { approveCommission, findCommission, listCommissions, voidCommission } from './service.ts'
import { commissionState, conventionCommissionState } from './state.ts'

const CommissionType = builder.prismaObject('Commission', {
  description: 'What an affiliate earns for a sale; negative where a refund takes back what was paid.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'commission'),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      restName: 'amount',
      description: 'In minor units of `currency`.',
    }),
    state: t.field({
      forAffiliate: true,
      type: CommissionStateEnum,
      resolve: (commission, _args, ctx) => commissionState(commission, ctx.now()),
    }),
    conventionState: t.field({
      type: ConventionCommissionStateEnum,
      subGraphs: supersetOnly,
      description: "The state in the convention's words.",
      resolve: (commission, _args, ctx) => conventionCommissionState(commission, ctx.now()),
    }),
    dueAt: t.expose('dueAt', {
      forAffiliate: true,
      type: 'DateTime',
      description: "When it becomes due: the sale's moment plus the campaign's days, unless it was moved since.",
    }),
    paidAt: t.expose('paidAt', { forAffiliate: true, type: 'DateTime', nullable: true }),
    campaignId: t.exposeID('campaignId', { forAffiliate: true }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true }),
    heldReason: t.expose('heldReason', {
      type: HeldReasonEnum,
      nullable: true,
      subGraphs: publicOnly,
      description:
        'Why it waits for a person to decide (approveCommission or voidCommission); it stays pending until then.',
    }),
    voidedAt: t.expose('voidedAt', { forAffiliate: true, type: 'DateTime', nullable: true, subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    refund: t.relation('refund', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'Given for a negative commission: the refund, made after the payment, that takes back a part of it.',
    }),
    sale: t.relation('sale', { forAffiliate: true, subGraphs: publicOnly }),
    referral: t.relation('referral', { forAffiliate: true, subGraphs: publicOnly }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    campaign: t.relation('campaign', { forAffiliate: true, subGraphs: publicOnly }),
    payout: t.relation('payout', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The payout it is in, once it was gathered; none where it was marked as paid by itself.',
    }),
  }),
})

builder.prismaObjectField('Commission', 'history', (t) =>
  t.field({
    ...historyField(),
    select: { occurredAt: true, ruleDaysBeforeDue: true, events: { orderBy: { id: 'asc' } } },
    resolve: ({ events, ...row }, window) => commissionHistory(dueByRule(row), events, window),
  }),
)

export const commissionConnection = connectionOf(commissionListing, CommissionType)

rootConnection('commissions', commissionConnection, "The program's commissions.")

restList(
  'commissions',
  CommissionType,
  listCommissionsInput,
  listCommissions,
  "The program's commissions, newest first.",
)

builder.queryField('commission', (t) =>
  t.prismaField({
    type: 'Commission',
    description: 'A commission by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findCommission(programScope(ctx), id, query),
  }),
)

const ids = { id: 'Of the commission.' }

resourceMutation('amendCommission', 'commission', CommissionType, {
  description:
    'Changes the amount and the due date of a commission that is pending or due, marks it as paid outside of any payout, or takes such a payment back; all that is given, or nothing. The open payout follows. What is so already is no change.',
  subGraphs: everywhere,
  ids,
  input: amendCommissionInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await amendCommission(programScope(ctx), id, input)
    return findCommission(programScope(ctx), id, query())
  },
})

resourceMutation('voidCommission', 'commission', CommissionType, {
  description:
    'Takes back a commission that is not paid, and takes it out of the open payout it is in. Again: the same answer.',
  subGraphs: everywhere,
  ids,
  resolve: async (ctx, { id }, query) => {
    await voidCommission(programScope(ctx), id)
    return findCommission(programScope(ctx), id, query())
  },
})

resourceMutation('approveCommission', 'commission', CommissionType, {
  description: 'Lets a commission that is held count. One that is not held stays as it is.',
  ids,
  resolve: async (ctx, { id }, query) => {
    await approveCommission(programScope(ctx), id)
    return findCommission(programScope(ctx), id, query())
  },
})

builder.subscriptionField('commissionChanged', (t) =>
  t.prismaField({
    type: 'Commission',
    description:
      'A commission was earned, held, approved, amended, rescheduled, refunded, voided, paid, or its payment was taken back: as it is now. That one becomes due is no event, as it follows from the clock.',
    args: { affiliateId: t.arg.id({ description: "Only this affiliate's commissions." }) },
    subscribe: (_root, { affiliateId }, ctx) => ctx.events.open('commission', affiliateId),
    resolve: (query, id, _args, ctx) => findCommission(programScope(ctx), id as string, query),
  }),
)
