import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { pageArgs, valueConnection } from '../../graphql/value-connection.ts'
import { NotPayableReasonEnum } from './graphql-enums.ts'
import { payoutPreviewInput } from './input.ts'
import { type ExpectedPayout, type PayoutPreview, type PreviewTotal, previewPayouts } from './preview.ts'

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
    amount: t.field({
      ...moneyBeside('amountCents'),
      resolve: (row) => ({ amountCents: row.amountCents, currency: row.currency }),
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      description:
        'What would be withheld of the amount as tax, in minor units of `currency`, by the present rate. The rest would be paid.',
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      resolve: (row) => ({ amountCents: row.withheldCents, currency: row.currency }),
    }),
    commissionCount: t.exposeInt('commissionCount', { description: 'The number of commissions in the payout.' }),
    debtCents: t.expose('debtCents', {
      type: 'SafeInt',
      description:
        'The sum that debts deduct from the payout, in minor units of `currency`. A debt is the negative commission of a refund after payment.',
    }),
    debt: t.field({
      ...moneyBeside('debtCents'),
      resolve: (row) => ({ amountCents: row.debtCents, currency: row.currency }),
    }),
    minimumPayoutCents: t.expose('minimumPayoutCents', {
      type: 'SafeInt',
      description: "The minimum payout of the affiliate's campaign in this currency, in minor units of `currency`.",
    }),
    minimumPayout: t.field({
      ...moneyBeside('minimumPayoutCents'),
      resolve: (row) => ({ amountCents: row.minimumPayoutCents, currency: row.currency }),
    }),
    isPayable: t.boolean({
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
    payablePayouts: t.exposeInt('payablePayouts', { description: 'The number of payouts that can be paid.' }),
    amountCents: t.expose('amountCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'The sum of all payouts, in minor units of `currency`. Null if it exceeds 2^53 - 1.',
    }),
    amount: t.field({
      ...moneyBeside('amountCents'),
      nullable: true,
      resolve: (row) => moneyOf(row.amountCents, row.currency),
    }),
    payableCents: t.expose('payableCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'The sum of the payouts that can be paid, in minor units of `currency`. Null if it exceeds 2^53 - 1.',
    }),
    payable: t.field({
      ...moneyBeside('payableCents'),
      nullable: true,
      resolve: (row) => moneyOf(row.payableCents, row.currency),
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      nullable: true,
      description:
        'What would be withheld as tax of the payouts that can be paid, in minor units of `currency`. Null if it exceeds 2^53 - 1.',
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      nullable: true,
      resolve: (row) => moneyOf(row.withheldCents, row.currency),
    }),
  }),
})

const ExpectedPayoutConnection = valueConnection<ExpectedPayout, PayoutPreview>(ExpectedPayoutType)

builder.objectFields(ExpectedPayoutConnection, (t) => ({
  asOf: t.expose('asOf', { type: 'DateTime', description: 'The time of the preview.' }),
  totals: t.field({
    type: [PreviewTotalType],
    description: "The totals of all pages, one for each currency: the program's first, then by code.",
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
