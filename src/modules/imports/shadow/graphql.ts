import { builder, publicOnly } from '../../../graphql/builder.ts'
import { ownerScope, programScope } from '../../../graphql/context.ts'
import { defineEnum } from '../../../graphql/enums.ts'
import { MoneyType, moneyBeside } from '../../../graphql/money.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { HistoryActorType } from '../../history/graphql.ts'
import { ProgramType } from '../../programs/graphql.ts'
import {
  type acceptedAs,
  acceptShadowDifferencesInput,
  endShadowInput,
  reopenShadowDifferencesInput,
} from '../input.ts'
import { type Accepted, acceptDifferences, reopenDifferences } from './accept.ts'
import type { DifferenceReason } from './compare.ts'
import { type EndedShadow, type EndPreview, endShadow, previewEnd } from './end.ts'
import { type Explained, type ReportMonth, readShadowReport, type ShadowReport } from './report.ts'

const DifferenceReasonEnum = defineEnum('ShadowDifferenceReason', 'Why a shadow and the other service differ.', {
  other_affiliate: 'They credited another affiliate.',
  other_sale_amount: 'They counted another amount of the sale, for example with taxes.',
  other_commission: 'The sale is the same, but the rate or the rule differs.',
  only_theirs: 'There is no such sale here.',
  only_ours: 'They have no commission of the sale.',
} satisfies Record<DifferenceReason, string>)

const AcceptedAsEnum = defineEnum('ShadowAcceptedAs', 'What a person says of a difference.', {
  ours: 'The commission here is right.',
  theirs: 'The commission of the other service is right.',
  setting: 'A setting is to be changed.',
} satisfies Record<(typeof acceptedAs)[number], string>)

export const ShadowMonthType = builder.objectRef<ReportMonth>('ShadowMonth').implement({
  description: 'What an affiliate earned in a month, by the shadow and by the other service.',
  subGraphs: publicOnly,
  fields: (t) => ({
    affiliateId: t.exposeID('affiliateId', { description: 'The id of the affiliate.' }),
    affiliateEmail: t.exposeString('affiliateEmail', { description: 'The e-mail address of the affiliate.' }),
    month: t.exposeString('month', { description: 'The month of the sales (UTC): `2026-11`.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency of the commissions.' }),
    oursCents: t.expose('oursCents', {
      type: 'SafeInt',
      description: 'What the shadow computed, in minor units. Void commissions are left out.',
    }),
    theirsCents: t.expose('theirsCents', {
      type: 'SafeInt',
      description: 'What the other service credited, in minor units. Void commissions are left out.',
    }),
    ours: t.field({
      ...moneyBeside('oursCents'),
      resolve: (row) => ({ amountCents: row.oursCents, currency: row.currency }),
    }),
    theirs: t.field({
      ...moneyBeside('theirsCents'),
      resolve: (row) => ({ amountCents: row.theirsCents, currency: row.currency }),
    }),
    open: t.exposeInt('open', {
      description: 'The number of differences about sales of the affiliate in the month that are not accepted.',
    }),
  }),
})

const AcceptanceType = builder.objectRef<Accepted>('ShadowAcceptance').implement({
  description: 'What a person said of a difference. It counts as long as the difference is the same.',
  subGraphs: publicOnly,
  fields: (t) => ({
    as: t.expose('acceptedAs', {
      type: AcceptedAsEnum,
      description: 'Who is right, or that a setting is to be changed.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'What the person noted. Null without a note.' }),
    at: t.expose('acceptedAt', { type: 'DateTime', description: 'When it was accepted.' }),
    by: t.field({
      type: HistoryActorType,
      description: 'Who accepted it.',
      resolve: ({ programId, acceptedByKind: kind, acceptedById: actorId }) => ({ programId, kind, actorId }),
    }),
  }),
})

export const ShadowDifferenceType = builder.objectRef<Explained>('ShadowDifference').implement({
  description: 'A sale about which a shadow and the other service differ.',
  subGraphs: publicOnly,
  fields: (t) => ({
    key: t.exposeString('id', {
      description: 'Identifies the difference: the id of the sale here; of a sale that is only theirs, its name there.',
    }),
    saleId: t.exposeID('saleId', { nullable: true, description: 'The id of the sale here. Null if there is none.' }),
    saleExternalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the sale in the billing system. Null if neither side has one.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      description: 'The affiliate here; of a sale that is only theirs, the affiliate there.',
    }),
    affiliateEmail: t.exposeString('affiliateEmail', { description: 'The e-mail address of that affiliate.' }),
    month: t.exposeString('month', { description: 'The month of the sale (UTC): `2026-11`.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency of the sale.' }),
    oursCents: t.expose('oursCents', { type: 'SafeInt', description: 'The commission here, in minor units.' }),
    theirsCents: t.expose('theirsCents', { type: 'SafeInt', description: 'The commission there, in minor units.' }),
    ours: t.field({
      ...moneyBeside('oursCents'),
      resolve: (row) => ({ amountCents: row.oursCents, currency: row.currency }),
    }),
    theirs: t.field({
      ...moneyBeside('theirsCents'),
      resolve: (row) => ({ amountCents: row.theirsCents, currency: row.currency }),
    }),
    reason: t.expose('reason', { type: DifferenceReasonEnum, description: 'Why they differ.' }),
    text: t.exposeString('text', { description: 'Why they differ, as an English sentence.' }),
    accepted: t.expose('accepted', {
      type: AcceptanceType,
      nullable: true,
      description: 'What a person said of it. Null if it is open.',
    }),
  }),
})

const ReportType = builder.objectRef<ShadowReport>('ShadowReport').implement({
  description: 'The comparison of a shadow with what imports brought from the other service.',
  subGraphs: publicOnly,
  fields: (t) => ({
    agreeing: t.exposeInt('agreeing', { description: 'The number of sales about which both agree to the cent.' }),
    differing: t.exposeInt('differing', {
      description: 'The number of sales about which they differ, without accepted differences.',
    }),
    accepted: t.exposeInt('accepted', { description: 'The number of differences that are accepted.' }),
    months: t.expose('months', {
      type: [ShadowMonthType],
      description: 'The sums of each affiliate and month, the earliest month first.',
    }),
    differences: t.expose('differences', {
      type: [ShadowDifferenceType],
      description: 'The sales about which they differ, without accepted differences. At most 1,000.',
    }),
    acceptedDifferences: t.expose('acceptedDifferences', {
      type: [ShadowDifferenceType],
      description: 'The differences that are accepted, at most 1,000.',
    }),
  }),
})

builder.queryField('shadowReport', (t) =>
  t.field({
    type: ReportType,
    description:
      'Compares what a shadow computed with what the last import brought, by sale, affiliate and month. Nothing is changed.',
    resolve: (_root, _args, ctx) => readShadowReport(programScope(ctx)),
  }),
)

const AcceptPayload = builder.objectRef<{ keys: string[] }>('AcceptShadowDifferencesPayload').implement({
  description: 'The result of `acceptShadowDifferences`.',
  subGraphs: publicOnly,
  fields: (t) => ({ keys: t.exposeStringList('keys', { description: 'The keys of the accepted differences.' }) }),
})

mutation('acceptShadowDifferences', AcceptPayload, {
  description:
    'Accepts differences between a shadow and the other service, which `shadowReport` then lists apart. No balance changes: at the end, earlier sales count as at the other service.',
  input: acceptShadowDifferencesInput,
  resolve: (ctx, input) => acceptDifferences(programScope(ctx), input),
})

const ReopenPayload = builder.objectRef<{ keys: string[] }>('ReopenShadowDifferencesPayload').implement({
  description: 'The result of `reopenShadowDifferences`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    keys: t.exposeStringList('keys', { description: 'The keys of the differences, which are open.' }),
  }),
})

mutation('reopenShadowDifferences', ReopenPayload, {
  description: 'Opens accepted differences again.',
  input: reopenShadowDifferencesInput,
  resolve: (ctx, input) => reopenDifferences(programScope(ctx), input),
})

const EndPreviewType = builder.objectRef<EndPreview>('ShadowEnd').implement({
  description: 'What `endShadow` would take over.',
  subGraphs: publicOnly,
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Sales since this time count here.' }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Why it cannot end at this time. Null if it can.',
    }),
    owed: t.expose('owed', {
      type: [MoneyType],
      description: 'What the other service owes to affiliates, by currency. It is owed here then.',
    }),
    affiliates: t.exposeInt('affiliates', { description: 'The number of affiliates to whom it is owed.' }),
    paid: t.expose('paid', {
      type: [MoneyType],
      description: 'What the other service has paid, by currency. It is paid here then, and not paid again.',
    }),
    voided: t.exposeInt('voided', {
      description:
        'The number of earlier sales whose commission becomes void, because they credited nobody, or another.',
    }),
  }),
})

builder.queryField('shadowEnd', (t) =>
  t.field({
    type: EndPreviewType,
    description: 'Shows what `endShadow` would take over. Nothing is changed. Refused if the program is not a shadow.',
    args: {
      at: t.arg({ type: 'DateTime', description: 'The time of the end. By default when the last import began.' }),
    },
    resolve: (_root, { at }, ctx) => previewEnd(programScope(ctx), at ?? undefined),
  }),
)

const NotTakenOverType = builder.objectRef<EndedShadow['notTakenOver'][number]>('ShadowLeftOver').implement({
  description: 'A commission of the other service that was not taken over.',
  subGraphs: publicOnly,
  fields: (t) => ({
    externalId: t.exposeString('externalId', { description: 'Its id there.' }),
    message: t.exposeString('message', { description: 'Why it was not taken over.' }),
  }),
})

const EndShadowPayload = builder.objectRef<EndedShadow>('EndShadowPayload').implement({
  description: 'The result of `endShadow`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    program: t.expose('program', { type: ProgramType, description: 'The program, which is live.' }),
    takenOver: t.exposeInt('takenOver', {
      description: 'The number of commissions of the other service that count here now, as paid or as owed.',
    }),
    voided: t.exposeInt('voided', {
      description: 'The number of sales whose commission became void, because they credited nobody, or another.',
    }),
    notTakenOver: t.expose('notTakenOver', {
      type: [NotTakenOverType],
      description: 'The commissions of the other service that were not taken over.',
    }),
  }),
})

mutation('endShadow', EndShadowPayload, {
  forRole: 'owner',
  description:
    'Makes a shadow live. Sales before `at` count as at the other service: what it paid is paid, what it owes is owed here, and what it did not credit is void. Sales since `at` count as computed here. If it is interrupted, the program is still a shadow, and the same call goes on.',
  input: endShadowInput,
  resolve: (ctx, input) => {
    const scope = programScope(ctx)
    ownerScope(ctx, scope.program.id)
    return endShadow(scope, input)
  },
})
