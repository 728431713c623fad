import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { historyField } from '../history/graphql.ts'
import { readHistoryWindow, sliceEntries } from '../history/service.ts'
import { amendCommission } from './amend.ts'
import { CommissionStateEnum, ConventionCommissionStateEnum, HeldReasonEnum } from './graphql-enums.ts'
import { commissionHistory } from './history.ts'
import { amendCommissionInput, listCommissionsInput } from './input.ts'
import { commissionListing } from './listing.ts'
import { dueByRule } from './new-commission.ts'
import { approveCommission, findCommission, listCommissions, voidCommission } from './service.ts'
import { commissionState, conventionCommissionState } from './state.ts'

const CommissionType = builder.prismaObject('Commission', {
  description:
    'What an affiliate earns for a sale. Negative for a debt, which a refund creates after the commission was paid.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the commission.' }),
    object: objectName(t, 'commission'),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      restName: 'amount',
      description: 'The amount of the commission, in minor units of `currency`. Negative for a debt.',
    }),
    state: t.field({
      forAffiliate: true,
      type: CommissionStateEnum,
      description: 'The state of the commission at the time of the request.',
      resolve: (commission, _args, ctx) => commissionState(commission, ctx.now()),
    }),
    conventionState: t.field({
      type: ConventionCommissionStateEnum,
      subGraphs: supersetOnly,
      description: 'The state in the words of the wider API convention.',
      resolve: (commission, _args, ctx) => conventionCommissionState(commission, ctx.now()),
    }),
    dueAt: t.expose('dueAt', {
      forAffiliate: true,
      type: 'DateTime',
      description:
        "When the commission becomes due: the time of the sale plus the campaign's days, unless the date was changed by hand.",
    }),
    paidAt: t.expose('paidAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      description: 'When the commission was paid. Null if it is not paid.',
    }),
    campaignId: t.exposeID('campaignId', {
      forAffiliate: true,
      description: 'The id of the campaign whose rules apply to the commission.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      forAffiliate: true,
      description: 'The id of the affiliate who earned the commission.',
    }),
    heldReason: t.expose('heldReason', {
      type: HeldReasonEnum,
      nullable: true,
      subGraphs: publicOnly,
      description:
        'Why the commission is held. It stays pending until `approveCommission` or `voidCommission` is called. Null if it is not held.',
    }),
    voidedAt: t.expose('voidedAt', {
      forAffiliate: true,
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the commission was voided. Null if it is not void.',
    }),
    createdAt: t.expose('createdAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the commission was recorded.',
    }),
    updatedAt: t.expose('updatedAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the commission last changed. Becoming due is not a change.',
    }),
    refund: t.relation('refund', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The refund that created this debt. Null for a commission that a sale earned.',
    }),
    sale: t.relation('sale', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'The sale that earned the commission.',
    }),
    referral: t.relation('referral', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'The referral that the sale belongs to.',
    }),
    affiliate: t.relation('affiliate', {
      subGraphs: publicOnly,
      description: 'The affiliate who earned the commission.',
    }),
    campaign: t.relation('campaign', {
      forAffiliate: true,
      subGraphs: publicOnly,
      description: 'The campaign whose rules apply to the commission.',
    }),
    payout: t.relation('payout', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description:
        'The payout that the commission is collected into. Null until then, and if it was paid outside of any payout.',
    }),
  }),
})

builder.prismaObjectField('Commission', 'history', (t) =>
  t.field({
    ...historyField(),
    select: { occurredAt: true, ruleDaysBeforeDue: true, events: { orderBy: { id: 'asc' } } },
    resolve: ({ events, ...row }, args) => {
      const entries = commissionHistory(dueByRule(row), events)
      const window = readHistoryWindow(args)
      return { window, slice: () => sliceEntries(window, entries), totalCount: () => entries.length }
    },
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
    description: 'Finds a commission by its id.',
    isLookUp: true,
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true, description: 'The id of the commission.' }) },
    resolve: (query, _root, { id }, ctx) => findCommission(programScope(ctx), id, query),
  }),
)

const ids = { id: 'The id of the commission.' }

resourceMutation('amendCommission', 'commission', CommissionType, {
  description:
    'Changes the amount or the due date of a commission that is pending or due, marks it as paid outside of any payout, or reverses such a payment. All given changes are made, or none. The open payout is recalculated. Idempotent: a value that is already set is not a change.',
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
    'Voids a commission that is not paid, and removes it from its open payout. Idempotent: voiding again returns the same commission.',
  subGraphs: everywhere,
  ids,
  resolve: async (ctx, { id }, query) => {
    await voidCommission(programScope(ctx), id)
    return findCommission(programScope(ctx), id, query())
  },
})

resourceMutation('approveCommission', 'commission', CommissionType, {
  description:
    'Approves a held commission, which then becomes due on its due date. A commission that is not held stays unchanged.',
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
      'Sent when a commission is earned, held, approved, amended, rescheduled, refunded, voided or paid, or when its payment is reversed. The payload is its current state. No event is sent when a commission becomes due, because that follows from the clock.',
    args: {
      affiliateId: t.arg.id({
        description: 'Only commissions of the affiliate with this id. Default: all affiliates.',
      }),
    },
    subscribe: (_root, { affiliateId }, ctx) => ctx.events.open('commission', affiliateId),
    resolve: (query, id, _args, ctx) => findCommission(programScope(ctx), id as string, query),
  }),
)
