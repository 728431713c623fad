import { batched } from '../../graphql/batch.ts'
import { builder, everywhere, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { connectionOf, rootConnection } from '../../graphql/connection.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { objectName } from '../../graphql/object-name.ts'
import { PaginationType, restList } from '../../graphql/pages.ts'
import { addHistory } from '../history/graphql.ts'
import {
  ConventionPayoutStateEnum,
  NotPayableReasonEnum,
  PayoutRunFormatEnum,
  PayoutStateEnum,
  SkipReasonEnum,
} from './graphql-enums.ts'
import { listPayoutsInput, payoutPreviewInput, payoutRunInput, payPayoutInput, payPayoutsInput } from './input.ts'
import { payoutListing } from './listing.ts'
import { whoPaid } from './paid-by.ts'
import { payPayout, payPayouts } from './pay.ts'
import { type ExpectedPayout, type PayoutPreview, type PreviewTotal, previewPayouts } from './preview.ts'
import { type PayoutRun, writePayoutRun } from './run.ts'
import { findPayout, findPayouts, listPayouts } from './service.ts'
import { conventionPayoutState, payoutState } from './state.ts'

const PayoutType = builder.prismaObject('Payout', {
  description: "An affiliate's due commissions in one currency, paid together.",
  fields: (t) => ({
    id: t.exposeID('id', { forAffiliate: true }),
    object: objectName(t, 'payout'),
    state: t.field({ forAffiliate: true, type: PayoutStateEnum, resolve: (payout) => payoutState(payout) }),
    currency: t.expose('currency', { forAffiliate: true, type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      forAffiliate: true,
      type: 'SafeInt',
      restName: 'amount',
      description: 'The sum of its commissions, in minor units of `currency`.',
    }),
    paidAt: t.expose('paidAt', { forAffiliate: true, type: 'DateTime', nullable: true }),
    reference: t.exposeString('reference', {
      forAffiliate: true,
      nullable: true,
      subGraphs: publicOnly,
      description: 'What the payment is called where it was made, as it was said when the payout was paid.',
    }),
    affiliateId: t.exposeID('affiliateId', { forAffiliate: true }),
    affiliate: t.relation('affiliate', { subGraphs: publicOnly }),
    createdAt: t.expose('createdAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    updatedAt: t.expose('updatedAt', { forAffiliate: true, type: 'DateTime', subGraphs: publicOnly }),
    conventionState: t.field({
      type: ConventionPayoutStateEnum,
      subGraphs: supersetOnly,
      description: "The state in the convention's words.",
      select: { affiliate: { select: { campaign: { select: { minimumPayoutCents: true } } } } },
      resolve: (payout) => conventionPayoutState(payout, payout.affiliate.campaign.minimumPayoutCents),
    }),
    paidById: t.id({
      nullable: true,
      subGraphs: supersetOnly,
      description: 'The API key that it was marked as paid with; null while it is open, and where that is not known.',
      resolve: ({ id, paidAt }, _args, ctx) =>
        paidAt === null ? null : batched(ctx, 'who paid', id, (ids) => whoPaid(programScope(ctx), ids)),
    }),
    commissionList: t.relation('commissions', {
      subGraphs: supersetOnly,
      description: 'All commissions in it, newest first.',
      query: { orderBy: { id: 'desc' } },
    }),
  }),
})

addHistory('Payout')

export const payoutConnection = connectionOf(payoutListing, PayoutType)

rootConnection('payouts', payoutConnection, "The program's payouts, with all that is due by now.")

restList(
  'payouts',
  PayoutType,
  listPayoutsInput,
  listPayouts,
  "The program's payouts, newest first, with all that is due by now.",
)

builder.queryField('payout', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'A payout by id.',
    subGraphs: everywhere,
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => findPayout(programScope(ctx), id, query),
  }),
)

resourceMutation('payPayout', 'payout', PayoutType, {
  description:
    "Marks a payout and its commissions as paid, at one instant. Refused below the campaign's minimum. Again: the same answer.",
  subGraphs: everywhere,
  ids: { id: 'Of the payout.' },
  input: payPayoutInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await payPayout(programScope(ctx), id, input)
    return findPayout(programScope(ctx), id, query())
  },
})

resourceMutation('payPayouts', 'payouts', [PayoutType], {
  description:
    'Marks payouts and their commissions as paid, at one instant, all or none; every problem is told, with the id of its payout. Those that are paid already are answered as they are, so that a run can be repeated.',
  input: payPayoutsInput,
  resolve: async (ctx, input, query) => {
    const scope = programScope(ctx)
    return findPayouts(scope, await payPayouts(scope, input), query())
  },
})

const ExpectedPayoutType = builder.objectRef<ExpectedPayout>('ExpectedPayout').implement({
  description: "What an affiliate's payout in one currency would come to at a moment.",
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.exposeID('affiliateId'),
    affiliate: t.prismaField({
      type: 'Affiliate',
      resolve: (query, { programId, affiliateId }, _args, ctx) =>
        ctx.db.affiliate.findUniqueOrThrow({ ...query, where: { programId_id: { programId, id: affiliateId } } }),
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      description: 'In minor units of `currency`; negative where debts outweigh what is due: then there is no payout.',
    }),
    commissionCount: t.exposeInt('commissionCount', { description: 'How many commissions it would hold.' }),
    debtCents: t.expose('debtCents', {
      type: 'SafeInt',
      description: 'What negative commissions take away in it: refunds of sales whose commission was paid.',
    }),
    minimumPayoutCents: t.expose('minimumPayoutCents', {
      type: 'SafeInt',
      description: "The minimum of the affiliate's campaign, read in `currency`.",
    }),
    payable: t.boolean({ description: 'Whether it could be paid.', resolve: ({ reason }) => reason === null }),
    reason: t.expose('reason', {
      type: NotPayableReasonEnum,
      nullable: true,
      description: 'Why it could not be paid.',
    }),
    openPayout: t.prismaField({
      type: 'Payout',
      nullable: true,
      description: 'The payout that is open now, as far as it was gathered.',
      resolve: (query, { programId, openPayoutId: id }, _args, ctx) =>
        id === null ? null : ctx.db.payout.findUnique({ ...query, where: { programId_id: { programId, id } } }),
    }),
    nextDueAt: t.expose('nextDueAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next commission becomes due after that moment.',
    }),
  }),
})

const PreviewTotalType = builder.objectRef<PreviewTotal>('PayoutPreviewTotal').implement({
  description: 'What the payouts in one currency come to; currencies are never added up.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    payouts: t.exposeInt('payouts', { description: 'How many payouts there would be.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'Of all of them, in minor units of `currency`; null beyond 2^53 - 1.',
    }),
    payableCents: t.expose('payableCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'Of those that could be paid, in minor units of `currency`; null beyond 2^53 - 1.',
    }),
  }),
})

const PayoutPreviewType = builder.objectRef<PayoutPreview>('PayoutPreview').implement({
  description: 'What payouts come to at a moment.',
  subGraphs: publicOnly,
  fields: (t) => ({
    asOf: t.expose('asOf', { type: 'DateTime', description: 'The moment that was looked at.' }),
    totals: t.expose('totals', { type: [PreviewTotalType], description: 'Over all pages, by currency.' }),
    pagination: t.expose('pagination', { type: PaginationType, description: 'Where this page stands.' }),
    data: t.expose('data', { type: [ExpectedPayoutType], description: 'By currency, the largest amounts first.' }),
  }),
})

builder.queryField('payoutPreview', (t) =>
  t.field({
    type: PayoutPreviewType,
    description:
      'What payouts come to at a moment, now or later, if nothing else happens until then. Nothing is written; held commissions never count.',
    args: argsOf(payoutPreviewInput),
    resolve: (_root, args, ctx) => previewPayouts(programScope(ctx), args),
  }),
)

const SkippedPayoutType = builder.objectRef<PayoutRun['skipped'][number]>('SkippedPayout').implement({
  description: "A payout that is not in a wallet's file.",
  subGraphs: publicOnly,
  fields: (t) => ({
    payout: t.field({ type: PayoutType, resolve: ({ payout }) => payout }),
    reason: t.expose('reason', { type: SkipReasonEnum }),
  }),
})

const PayoutRunType = builder.objectRef<PayoutRun>('PayoutRun').implement({
  description: 'Payouts as a file, to be paid elsewhere.',
  fields: (t) => ({
    format: t.expose('format', { type: PayoutRunFormatEnum }),
    csv: t.exposeString('csv', {
      description:
        'The file: comma-separated, lines end in CR LF (RFC 4180). A leading = + - @ or tab has an apostrophe before it, so that no spreadsheet takes a name for a formula.',
    }),
    fileName: t.exposeString('fileName'),
    rows: t.exposeInt('rows', { description: 'How many payouts are in the file.' }),
    skippedCount: t.int({ description: 'How many are not.', resolve: ({ skipped }) => skipped.length }),
    skipped: t.expose('skipped', {
      type: [SkippedPayoutType],
      subGraphs: publicOnly,
      description: 'Those that are not in the file, and why. The generic file leaves none out.',
    }),
  }),
})

builder.queryField('payoutRun', (t) =>
  t.field({
    type: PayoutRunType,
    description:
      'Payouts as a file: for one of the two wallets, or a generic one. What is due by now is in it; no payout is marked as paid by this.',
    subGraphs: everywhere,
    args: argsOf(payoutRunInput),
    resolve: (_root, args, ctx) => writePayoutRun(programScope(ctx), args),
  }),
)

builder.subscriptionField('payoutPaid', (t) =>
  t.prismaField({
    type: 'Payout',
    description: 'A payout was marked as paid, with all its commissions.',
    subscribe: (_root, _args, ctx) => ctx.events.open('payout'),
    resolve: (query, id, _args, ctx) => findPayout(programScope(ctx), id as string, query),
  }),
)
