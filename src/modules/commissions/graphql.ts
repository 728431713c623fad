import type { Commission } from '../../generated/prisma/client.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { fromColumns } from '../../graphql/from-columns.ts'
import { lookUp } from '../../graphql/look-up-field.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { historyField } from '../history/graphql.ts'
import { readHistoryWindow, sliceEntries } from '../history/service.ts'
import { heldReasonsOf } from '../referrals/held-reasons.ts'
import { amendCommission } from './amend.ts'
import { createCommission } from './create.ts'
import { approveCommission, approveCommissions, voidCommission, voidCommissions } from './decide.ts'
import {
  CommissionKindEnum,
  CommissionStateEnum,
  ConventionCommissionStateEnum,
  HeldReasonEnum,
} from './graphql-enums.ts'
import { reasonFor, reasonOptions } from './graphql-reason.ts'
import { commissionHistory } from './history.ts'
import {
  amendCommissionInput,
  approveCommissionsInput,
  createCommissionInput,
  listCommissionsInput,
  voidCommissionInput,
  voidCommissionsInput,
} from './input.ts'
import { commissionListing, listCommissions } from './listing.ts'
import { dueByRule } from './new-commission.ts'
import { findCommission, findCommissions } from './service.ts'
import { commissionState, conventionCommissionState } from './state.ts'

const stateColumns = ['paidAt', 'voidedAt', 'dueAt', 'heldReason'] as const

const CommissionType = builder.prismaObject('Commission', {
  description:
    'What an affiliate earns: for a sale, or by hand as a bonus or correction. Negative for a debt, which a refund creates after the commission was paid, and for a correction that deducts.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the commission.' }),
    object: objectName(t, 'commission'),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      restName: 'amount',
      description:
        'The amount of the commission, in minor units of `currency`. Negative for a debt, and for a correction that deducts.',
    }),
    state: t.field({
      forAffiliate: true,
      type: CommissionStateEnum,
      description: 'The state of the commission at the time of the request.',
      ...fromColumns<Commission>()(stateColumns, (commission, _args, ctx) => commissionState(commission, ctx.now())),
    }),
    conventionState: t.field({
      type: ConventionCommissionStateEnum,
      subGraphs: supersetOnly,
      description: 'The state in the words of the wider API convention.',
      ...fromColumns<Commission>()(stateColumns, (commission, _args, ctx) =>
        conventionCommissionState(commission, ctx.now()),
      ),
    }),
    dueAt: t.expose('dueAt', {
      forAffiliate: true,
      type: 'DateTime',
      description:
        "When the commission becomes due: the time of the sale plus the campaign's days, unless the date was changed by hand. Bonuses and corrections are due at once.",
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
    kind: t.expose('kind', {
      forAffiliate: true,
      type: CommissionKindEnum,
      subGraphs: publicOnly,
      description: 'What the commission is for.',
    }),
    reason: t.string({
      ...reasonOptions,
      forAffiliate: { args: ['language'] },
      nullable: true,
      subGraphs: publicOnly,
      select: { reason: true, ruleId: true, correctsSaleId: true },
      resolve: reasonFor,
    }),
    externalId: t.exposeString('externalId', {
      nullable: true,
      subGraphs: publicOnly,
      description: 'The id that the client gave to a bonus or correction. Null if it gave none.',
    }),
    occurredAt: t.expose('occurredAt', {
      forAffiliate: true,
      type: 'DateTime',
      subGraphs: publicOnly,
      description: 'When the sale or refund occurred that the commission is for, or the commission was given.',
    }),
    heldReason: t.expose('heldReason', {
      forAffiliate: true,
      type: HeldReasonEnum,
      nullable: true,
      subGraphs: publicOnly,
      description:
        'Why the commission is held: the first of `heldReasons`. The commission stays pending until no reason holds it. Null if it is not held.',
    }),
    heldReasons: t.field({
      forAffiliate: true,
      type: [HeldReasonEnum],
      subGraphs: publicOnly,
      select: { heldReason: true, furtherHeldReasons: true },
      description:
        'All reasons that hold the commission, in the order in which they were found. Each ends by itself: a dispute when it is closed, missing terms when the affiliate accepts them, the others by `approveCommission`. Empty if it is not held.',
      resolve: heldReasonsOf,
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
      nullable: true,
      subGraphs: publicOnly,
      description: 'The sale that earned the commission. Null for kinds other than `SALE`.',
    }),
    correctsSale: t.relation('corrects', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description:
        'The sale whose earnings a correction changes, because an earlier sale became known, or because the sale was changed, after its commission was paid. Null otherwise.',
    }),
    referral: t.relation('referral', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The referral that the sale belongs to. Null for a bonus and a correction.',
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

lookUp(
  'commission',
  CommissionType,
  { description: 'Finds a commission by its id.', id: 'The id of the commission.', subGraphs: everywhere },
  findCommission,
)

resourceMutation('createCommission', 'commission', CommissionType, {
  description:
    "Gives an affiliate a bonus, or adds or deducts a correction: a commission without a sale. It is due at once, has the affiliate's campaign, and goes into the next payout. Idempotent by `externalId`.",
  subGraphs: everywhere,
  input: createCommissionInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findCommission(scope, await createCommission(scope, input), query())
  },
})

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
  input: voidCommissionInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await voidCommission(programScope(ctx), id, input)
    return findCommission(programScope(ctx), id, query())
  },
})

resourceMutation('voidCommissions', 'commissions', [CommissionType], {
  description:
    'Voids commissions that are not paid, and removes them from their open payouts: all of them, or none. An error lists every problem with the id of its commission. Commissions that are already void are returned unchanged, so the request can be retried.',
  input: voidCommissionsInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findCommissions(scope, await voidCommissions(scope, input), query())
  },
})

resourceMutation('approveCommission', 'commission', CommissionType, {
  description:
    'Approves a held commission, which then becomes due on its due date. It ends the reasons that a person decides, such as a self-referral; if only missing terms hold the commission, it waives them. An open dispute still holds it (see `heldReasons`); if nothing else does, the approval is refused. A commission that is not held stays unchanged.',
  ids,
  resolve: async (ctx, { id }, query) => {
    await approveCommission(programScope(ctx), id)
    return findCommission(programScope(ctx), id, query())
  },
})

resourceMutation('approveCommissions', 'commissions', [CommissionType], {
  description:
    'Approves held commissions, which then become due on their due dates: all of them, or none. An error lists every problem with the id of its commission. What still holds one is in its `heldReasons`: an open dispute ends by itself. Commissions that are not held stay unchanged.',
  input: approveCommissionsInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findCommissions(scope, await approveCommissions(scope, input), query())
  },
})
