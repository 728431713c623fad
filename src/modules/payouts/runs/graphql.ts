import type { Payout } from '../../../generated/prisma/client.ts'
import { demandWriteAccess } from '../../../graphql/access.ts'
import { batched } from '../../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../../graphql/connection.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { moneyBeside } from '../../../graphql/money.ts'
import { objectName } from '../../../graphql/object-name.ts'
import { restList } from '../../../graphql/pages.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addHistory, HistoryActorType } from '../../history/graphql.ts'
import { byteOrderMark } from '../../payout-methods/csv.ts'
import { PayoutMethodEnum } from '../../payout-methods/graphql-enums.ts'
import { PayoutType } from '../graphql.ts'
import { SkippedPayoutType } from '../graphql-skipped.ts'
import { findPayouts } from '../service.ts'
import { noteFetched } from './fetch-file.ts'
import { findPayoutRun } from './find.ts'
import { PaymentFactKindEnum, PayoutItemStateEnum, PayoutRunStateEnum } from './graphql-enums.ts'
import { listPayoutRunsInput } from './input.ts'
import { listPayoutRuns, payoutRunItemListing, payoutRunListing } from './listing.ts'
import {
  countSkips,
  readChanged,
  readRunContents,
  readSkips,
  readStateTotals,
  readWithheldOfRuns,
  type StateTotal,
} from './read-run.ts'

const PaymentFactType = builder.prismaObject('PaymentFact', {
  description: 'Something that happened to a payment: a service did it, or a person said it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: PaymentFactKindEnum, description: 'What happened.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'How much it is about, in minor units of the currency of the payment. Null: all of it.',
    }),
    at: t.expose('at', {
      type: 'DateTime',
      nullable: true,
      description: 'When it happened, by the service. Null if that is not known.',
    }),
    reference: t.exposeString('reference', { nullable: true, description: "The service's id. Null if not given." }),
    reason: t.exposeString('reason', { nullable: true, description: "The service's reason. Null if not given." }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was recorded here.' }),
    recordedBy: t.field({
      type: HistoryActorType,
      description: 'Who recorded it.',
      resolve: ({ programId, actorKind: kind, actorId }) => ({ programId, kind, actorId }),
    }),
  }),
})

export const PayoutRunItemType = builder.prismaObject('PayoutRunItem', {
  description: 'The payment of one payout in a run.',
  subGraphs: publicOnly,
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the payment in this run.' }),
    payoutId: t.exposeID('payoutId', { description: 'The id of the payout.' }),
    payout: t.field({
      type: PayoutType,
      nullable: true,
      description: 'The payout. Null if nothing was left in it, so that it was deleted.',
      resolve: ({ payoutId }, _args, ctx) =>
        batched(ctx, 'payouts of runs', payoutId, async (ids): Promise<(Payout | null)[]> => {
          const rows = await findPayouts(programScope(ctx), [...ids])
          const byId = new Map(rows.map((row) => [row.id, row]))
          return ids.map((id) => byId.get(id) ?? null)
        }),
    }),
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate who is paid.' }),
    affiliate: t.relation('affiliate', { description: 'The affiliate who is paid.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description:
        'What is to be paid, as in the file of the run: the amount that the payout had, less `withheldCents`. In minor units of `currency`.',
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      description:
        'What is withheld as tax, in minor units of `currency`. With `amountCents` it is the amount that the payout had when the run was made.',
    }),
    state: t.expose('state', { type: PayoutItemStateEnum, description: 'What is known of the payment.' }),
    recipient: t.exposeString('recipient', {
      nullable: true,
      description: 'The e-mail or the bank account that is paid. Null for payments by hand and generic files.',
    }),
    isNewRecipient: t.exposeBoolean('isNewRecipient', {
      description: 'Whether no earlier run has paid the affiliate there: check such an address.',
    }),
    isByDefault: t.exposeBoolean('isByDefault', {
      description:
        "Whether the affiliate has several wallets and prefers none, so that the program's default was used.",
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: "The service's reference of the payment, or the one of the run. Null if none was given.",
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it was not paid. Null if not given.' }),
    goneCents: t.expose('goneCents', {
      type: 'SafeInt',
      description:
        'How much of the payment has left and is not back, by its facts, in minor units of `currency`. A difference to the payout is a correction: a debt, or a balance.',
    }),
    isExtra: t.exposeBoolean('isExtra', {
      description:
        'Whether the payment was made beside its payout, which another payment had paid or which was closed. Its amount is a debt of the affiliate.',
    }),
    facts: t.relation('facts', {
      type: PaymentFactType,
      description: 'What is known to have happened to the payment, in the order in which it was recorded.',
      query: { orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }] },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the run was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the payment last changed.' }),
  }),
})

export const payoutRunItemConnection = connectionOf(payoutRunItemListing, PayoutRunItemType)

rootConnection('payoutRunItems', payoutRunItemConnection, 'The payments of all payout runs, newest first.')

export const StateTotalType = builder.objectRef<StateTotal>('PayoutRunStateTotal').implement({
  description: 'How many payments of a run are in a state.',
  subGraphs: publicOnly,
  fields: (t) => ({
    state: t.expose('state', { type: PayoutItemStateEnum, description: 'The state.' }),
    payouts: t.exposeInt('payouts', { description: 'The number of payments.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'Their sum, in minor units of the currency of the run.',
    }),
  }),
})

const FileType = builder.objectRef<{ runId: string; name: string; hasMark: boolean }>('PayoutRunFile').implement({
  description: 'The file of a run, as it was written when the run was made.',
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'A name for the file, such as `payouts-usd-2026-03-10-paypal.csv`.' }),
    content: t.string({
      forRole: 'finance',
      description:
        'The content, byte for byte. Reading it is recorded: from then on the file may be paid, so a refund of one of its payouts is a debt. So it needs write access: a read-only key gets `FORBIDDEN`, and so does an analyst. People do not get it while the run is sent by the API of a service.',
      async resolve({ runId, hasMark }, _args, ctx) {
        demandWriteAccess(ctx)
        const content = await ofRun(ctx, 'files of runs', runId, async (scope, ids) => {
          await noteFetched(scope, ids)
          return readRunContents(scope, ids)
        })
        return (hasMark ? byteOrderMark : '') + content
      },
    }),
  }),
})

const ofRun = <T>(
  ctx: GraphQLContext,
  what: string,
  id: string,
  read: (scope: ProgramCtx, ids: readonly string[]) => Promise<T[]>,
): Promise<T> => batched(ctx, what, id, (ids) => read(programScope(ctx), ids))

const withheldOfRun = (ctx: GraphQLContext, id: string): Promise<bigint> =>
  ofRun(ctx, 'withheld of runs', id, readWithheldOfRuns)

export const PayoutRunType = builder.prismaObject('PayoutRun', {
  description: 'Payouts that are paid together, with their file and the result of each payment.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the run.' }),
    object: objectName(t, 'payout_run'),
    state: t.expose('state', { type: PayoutRunStateEnum, description: 'How far the run is.' }),
    method: t.expose('method', { type: PayoutMethodEnum, description: 'How the payouts are paid.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'Payouts that were opened later are left out.' }),
    payouts: t.exposeInt('payoutCount', { description: 'The number of payouts in the run.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of the payments in the run, in minor units of `currency`. What is withheld is not in it.',
    }),
    withheldCents: t.field({
      type: 'SafeInt',
      subGraphs: publicOnly,
      description: 'The sum of what is withheld of the payouts in the run as tax, in minor units of `currency`.',
      resolve: ({ id }, _args, ctx) => withheldOfRun(ctx, id),
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      resolve: async ({ id, currency }, _args, ctx) => ({ amountCents: await withheldOfRun(ctx, id), currency }),
    }),
    needsApproval: t.exposeBoolean('needsApproval', {
      description: "Whether a second person has to approve the run, as its sum is above the program's limit.",
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The reference of the payment as a whole. Null if none was given.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why the run was cancelled. Null if it was not.' }),
    file: t.field({
      type: FileType,
      nullable: true,
      subGraphs: publicOnly,
      description: 'The file for the service. Null for payments by hand, and if nothing could be paid.',
      resolve: ({ id: runId, fileName: name, fileHasMark: hasMark }) =>
        name === null ? null : { runId, name, hasMark },
    }),
    itemList: t.relation('items', {
      subGraphs: supersetOnly,
      description: 'The payments of the run.',
      query: { orderBy: { id: 'asc' } },
    }),
    skippedCount: t.int({
      subGraphs: publicOnly,
      description: 'How many payouts were left out.',
      resolve: ({ id }, _args, ctx) => ofRun(ctx, 'numbers of skips', id, countSkips),
    }),
    skipped: t.field({
      type: [SkippedPayoutType],
      subGraphs: publicOnly,
      description: 'The payouts that were left out, each with the reason: the first 1,000 that still exist.',
      resolve: ({ id }, _args, ctx) => ofRun(ctx, 'skips of runs', id, readSkips),
    }),
    totals: t.field({
      type: [StateTotalType],
      subGraphs: publicOnly,
      description: 'How many payments are in each state.',
      resolve: ({ id }, _args, ctx) => ofRun(ctx, 'totals of runs', id, readStateTotals),
    }),
    changed: t.field({
      type: [PayoutRunItemType],
      subGraphs: publicOnly,
      description:
        'Open payments whose payout has another amount by now, such as after a refund: the first 100. If nobody has read the file, the run cannot be marked with them.',
      resolve: ({ id }, _args, ctx) => ofRun(ctx, 'changes of runs', id, readChanged),
    }),
    preparedBy: t.field({
      type: HistoryActorType,
      subGraphs: publicOnly,
      description: 'Who made the run.',
      resolve: ({ programId, preparedByKind: kind, preparedById: actorId }) => ({ programId, kind, actorId }),
    }),
    approvedBy: t.field({
      type: HistoryActorType,
      nullable: true,
      subGraphs: publicOnly,
      description: 'Who approved the run. Null before.',
      resolve: ({ programId, approvedByKind: kind, approvedById: actorId }) => kind && { programId, kind, actorId },
    }),
    approvedAt: t.expose('approvedAt', { type: 'DateTime', nullable: true, description: 'When it was approved.' }),
    fetchedAt: t.expose('fetchedAt', {
      type: 'DateTime',
      nullable: true,
      subGraphs: publicOnly,
      description: 'When the file was first read. From then on it may be paid. Null before, and without a file.',
    }),
    fetchedBy: t.field({
      type: HistoryActorType,
      nullable: true,
      subGraphs: publicOnly,
      description: 'Who first read the file. Null before.',
      resolve: ({ programId, fetchedByKind: kind, fetchedById: actorId }) => kind && { programId, kind, actorId },
    }),
    sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When it was marked as sent.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last of its payments was decided. Null before.',
    }),
    cancelledAt: t.expose('cancelledAt', { type: 'DateTime', nullable: true, description: 'When it was cancelled.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

addHistory('PayoutRun')

export const payoutRunConnection = connectionOf(payoutRunListing, PayoutRunType)

rootConnection('payoutRuns', payoutRunConnection, 'The payout runs of the program, newest first.')

restList('payoutRuns', PayoutRunType, listPayoutRunsInput, listPayoutRuns, 'The payout runs, newest first.')

builder.queryField('payoutRun', (t) =>
  t.prismaField({
    type: 'PayoutRun',
    description: 'Finds a payout run by its id.',
    isLookUp: true,
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true, description: 'The id of the run.' }) },
    resolve: (query, _root, { id }, ctx) => findPayoutRun(programScope(ctx), id, query),
  }),
)
