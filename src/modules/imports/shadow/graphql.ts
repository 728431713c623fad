import { builder, publicOnly } from '../../../graphql/builder.ts'
import { ownerScope, programScope } from '../../../graphql/context.ts'
import { defineEnum } from '../../../graphql/enums.ts'
import { mutation } from '../../../graphql/mutation.ts'
import { ProgramType } from '../../programs/graphql.ts'
import { endShadowInput } from '../input.ts'
import type { DifferenceReason } from './compare.ts'
import { type EndedShadow, endShadow } from './end.ts'
import { type Explained, readShadowReport, type ShadowReport } from './report.ts'

const DifferenceReasonEnum = defineEnum('ShadowDifferenceReason', 'Why a shadow and the other service differ.', {
  other_affiliate: 'They credited another affiliate.',
  other_sale_amount: 'They counted another amount of the sale, for example with taxes.',
  other_commission: 'The sale is the same, but the rate or the rule differs.',
  only_theirs: 'There is no such sale here.',
  only_ours: 'They have no commission of the sale.',
} satisfies Record<DifferenceReason, string>)

const MonthType = builder.objectRef<ShadowReport['months'][number]>('ShadowMonth').implement({
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
  }),
})

const DifferenceType = builder.objectRef<Explained>('ShadowDifference').implement({
  description: 'A sale about which a shadow and the other service differ.',
  subGraphs: publicOnly,
  fields: (t) => ({
    saleExternalId: t.exposeString('externalId', {
      nullable: true,
      description: 'The id of the sale in the billing system. Null if neither side has one.',
    }),
    affiliateId: t.exposeID('affiliateId', {
      description: 'The affiliate here; of a sale that is only theirs, the affiliate there.',
    }),
    affiliateEmail: t.exposeString('affiliateEmail', { description: 'The e-mail address of that affiliate.' }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency of the sale.' }),
    oursCents: t.expose('oursCents', { type: 'SafeInt', description: 'The commission here, in minor units.' }),
    theirsCents: t.expose('theirsCents', { type: 'SafeInt', description: 'The commission there, in minor units.' }),
    reason: t.expose('reason', { type: DifferenceReasonEnum, description: 'Why they differ.' }),
    text: t.exposeString('text', { description: 'Why they differ, as an English sentence.' }),
  }),
})

const ReportType = builder.objectRef<ShadowReport>('ShadowReport').implement({
  description: 'The comparison of a shadow with what imports brought from the other service.',
  subGraphs: publicOnly,
  fields: (t) => ({
    agreeing: t.exposeInt('agreeing', { description: 'The number of sales about which both agree to the cent.' }),
    differing: t.exposeInt('differing', { description: 'The number of sales about which they differ.' }),
    months: t.expose('months', {
      type: [MonthType],
      description: 'The sums of each affiliate and month, the earliest month first.',
    }),
    differences: t.expose('differences', {
      type: [DifferenceType],
      description: 'The sales about which they differ, at most 1,000.',
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
