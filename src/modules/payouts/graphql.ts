import { afterEvent } from '../../graphql/after-event.ts'
import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { restList } from '../../graphql/pages.ts'
import { pageArgs, valueConnection } from '../../graphql/value-connection.ts'
import { addHistory } from '../history/graphql.ts'
import {
  ConventionPayoutStateEnum,
  NotPayableReasonEnum,
  PayoutFileFormatEnum,
  PayoutStateEnum,
  SkipReasonEnum,
} from './graphql-enums.ts'
import { listPayoutsInput, payoutFileInput, payoutPreviewInput, payPayoutInput, payPayoutsInput } from './input.ts'
import { payoutListing } from './listing.ts'
import { readPayingKeyIds } from './paid-by.ts'
import { payPayout, payPayouts } from './pay.ts'
import { type ExpectedPayout, type PayoutPreview, type PreviewTotal, previewPayouts } from './preview.ts'
import { findPayout, findPayouts, listPayouts } from './service.ts'
import { conventionPayoutState, payoutState } from './state.ts'
import { type PayoutFile, writePayoutFile } from './write-file.ts'

const PayoutType = builder.prismaObject('Payout', {
  description: 'The due commissions of one affiliate in one currency, which are paid together.',
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true, description: 'The id of the payout.' }),
    object: objectName(t, 'payout'),
    state: t.field({
      forAffiliate: true,
      type: PayoutStateEnum,
      description: 'Whether the payout is open or paid.',
      resolve: (payout) => payoutState(payout),
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
      description: 'When the payout was marked as paid. Null while it is open.',
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
      select: { affiliate: { select: { campaign: { select: { minimumPayoutCents: true } } } } },
      resolve: (payout) => conventionPayoutState(payout, payout.affiliate.campaign.minimumPayoutCents),
    }),
    paidById: t.id({
      nullable: true,
      subGraphs: supersetOnly,
      description:
        'The id of the API key that marked the payout as paid. Null while the payout is open, if the operator paid it, or if the key is unknown.',
      resolve: ({ id, paidAt }, _args, ctx) =>
        paidAt === null
          ? null
          : batched(ctx, 'keys that paid payouts', id, (ids) => readPayingKeyIds(programScope(ctx), ids)),
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
  input: payPayoutsInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findPayouts(scope, await payPayouts(scope, input), query())
  },
})

const ExpectedPayoutType = builder.objectRef<ExpectedPayout>('ExpectedPayout').implement({
  description: 'The payout that an affiliate would have in one currency at the time of the preview.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate who would be paid.' }),
    affiliate: t.prismaField({
      type: 'Affiliate',
      description: 'The affiliate who would be paid.',
      resolve: (query, { programId, affiliateId }, _args, ctx) =>
        ctx.db.affiliate.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id: affiliateId } } }),
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description:
        'The expected amount, in minor units of `currency`. Negative if debts exceed the due commissions; there is no payout then.',
    }),
    commissionCount: t.exposeInt('commissionCount', { description: 'The number of commissions in the payout.' }),
    debtCents: t.expose('debtCents', {
      type: 'SafeInt',
      description:
        'The sum that debts deduct from the payout, in minor units of `currency`. A debt is the negative commission of a refund after payment.',
    }),
    minimumPayoutCents: t.expose('minimumPayoutCents', {
      type: 'SafeInt',
      description: "The minimum payout of the affiliate's campaign, in minor units of `currency`.",
    }),
    payable: t.boolean({
      description: 'Whether the payout can be paid at that time.',
      resolve: ({ reason }) => reason === null,
    }),
    reason: t.expose('reason', {
      type: NotPayableReasonEnum,
      nullable: true,
      description: 'Why the payout cannot be paid. Null if it can.',
    }),
    openPayout: t.prismaField({
      type: 'Payout',
      nullable: true,
      description: 'The payout that is open now. It may not hold all due commissions yet. Null if there is none.',
      // A preview writes nothing, so src/server/graphql/fresh-payouts.ts does not collect for this field.
      extensions: { asCollectedBefore: true },
      resolve: (query, { programId, openPayoutId: id }, _args, ctx) =>
        id === null ? null : ctx.db.payout.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
    nextDueAt: t.expose('nextDueAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next commission becomes due after the time of the preview. Null if there is none.',
    }),
  }),
})

const PreviewTotalType = builder.objectRef<PreviewTotal>('PayoutPreviewTotal').implement({
  description: 'The total of the expected payouts in one currency. Amounts in different currencies are never added.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    payouts: t.exposeInt('payouts', { description: 'The number of payouts.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'The sum of all payouts, in minor units of `currency`. Null if it exceeds 2^53 - 1.',
    }),
    payableCents: t.expose('payableCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The sum of the payouts that can be paid, in minor units of `currency`. Null if it exceeds 2^53 - 1.',
    }),
  }),
})

const ExpectedPayoutConnection = valueConnection<ExpectedPayout, PayoutPreview>(ExpectedPayoutType)

builder.objectFields(ExpectedPayoutConnection, (t) => ({
  asOf: t.expose('asOf', { type: 'DateTime', description: 'The time of the preview.' }),
  totals: t.field({
    type: [PreviewTotalType],
    description: 'The totals of all pages, one for each currency.',
    resolve: ({ totals }) => totals(),
  }),
}))

builder.queryField('payoutPreview', (t) =>
  t.field({
    type: ExpectedPayoutConnection,
    description:
      'Previews the payouts at a time, now or in the future, if nothing else happens until then. By currency, largest amounts first. Nothing is written. Held commissions are not counted.',
    args: { ...argsOf(payoutPreviewInput), ...pageArgs() },
    resolve: (_root, { first, last, after, before, ...input }, ctx) =>
      previewPayouts(programScope(ctx), input, { first, last, after, before }),
  }),
)

const SkippedPayoutType = builder.objectRef<PayoutFile['skipped'][number]>('SkippedPayout').implement({
  description: "A payout that is left out of a wallet's file.",
  subGraphs: publicOnly,
  fields: (t) => ({
    payout: t.field({
      type: PayoutType,
      description: 'The payout that is left out.',
      resolve: ({ payout }) => payout,
    }),
    reason: t.expose('reason', { type: SkipReasonEnum, description: 'Why the payout is left out.' }),
  }),
})

const PayoutFileType = builder.objectRef<PayoutFile>('PayoutFile').implement({
  description: 'A file of payouts, to be paid with another service.',
  fields: (t) => ({
    format: t.expose('format', { type: PayoutFileFormatEnum, description: 'The format of the file.' }),
    csv: t.exposeString('csv', {
      description:
        'The content of the file: comma-separated values with CR LF line ends (RFC 4180). A value that starts with = + - @ or a tab is prefixed with an apostrophe, so that spreadsheets do not read it as a formula.',
    }),
    fileName: t.exposeString('fileName', {
      description: 'A name for the file: `payouts-<service>-<date>.csv`, such as `payouts-paypal-2026-03-10.csv`.',
    }),
    rows: t.exposeInt('rows', { description: 'The number of payouts in the file.' }),
    skippedCount: t.int({
      description: 'The number of payouts that are left out.',
      resolve: ({ skipped }) => skipped.length,
    }),
    skipped: t.expose('skipped', {
      type: [SkippedPayoutType],
      subGraphs: publicOnly,
      description: 'The payouts that are left out, each with the reason. The generic format accepts all payouts.',
    }),
  }),
})

builder.queryField('payoutFile', (t) =>
  t.field({
    type: PayoutFileType,
    description:
      'Writes payouts to a file: for one of the two wallets, or in a generic format. Commissions that are due now are collected first. No payout is marked as paid.',
    subGraphs: everywhere,
    args: argsOf(payoutFileInput),
    resolve: (_root, args, ctx) => writePayoutFile(programScope(ctx), args),
  }),
)

builder.subscriptionField('payoutPaid', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'Sent when a payout and its commissions are marked as paid. The payload is the payout.',
    args: { after: t.arg.id({ description: afterEvent }) },
    subscribe: (_root, { after }, ctx) => ctx.events.open({ types: ['payout.paid'], yields: 'subject', after }),
    resolve: (query, id, _args, ctx) => findPayout(programScope(ctx), id as string, query),
  }),
)
