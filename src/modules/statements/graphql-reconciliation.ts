import { builder, publicOnly } from '../../graphql/builder.ts'
import { programScope } from '../../graphql/context.ts'
import { costing } from '../../graphql/cost.ts'
import { moneyBeside, moneyOf } from '../../graphql/money.ts'
import { mutation } from '../../graphql/mutation.ts'
import { HistoryActorType } from '../history/graphql.ts'
import { acceptReconciliation } from './accept.ts'
import { type Acceptance, keyOf } from './acceptances.ts'
import { DifferenceKindEnum, OpenMonthStateEnum } from './graphql-enums.ts'
import { acceptReconciliationInput } from './input.ts'
import { type OpenMonth, readOpenMonths } from './open-months.ts'
import {
  openOf,
  type ReconciledCurrency,
  type Reconciliation,
  type ReconciliationDifference,
  reconcile,
} from './reconcile.ts'

/** Of the lists of differences. */
const mostListed = 1_000

const AcceptanceType = builder.objectRef<Acceptance>('ReconciliationAcceptance').implement({
  description: 'That a person has accepted a difference. It counts as long as the difference is the same.',
  subGraphs: publicOnly,
  fields: (t) => ({
    reason: t.exposeString('reason', { description: 'Why it was accepted.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was accepted.' }),
    by: t.field({
      type: HistoryActorType,
      description: 'Who accepted it.',
      resolve: ({ programId, byKind: kind, byId: actorId }) => ({ programId, kind, actorId }),
    }),
  }),
})

const ReconciledCurrencyType = builder.objectRef<ReconciledCurrency>('ReconciledCurrency').implement({
  description: 'What three sources say of a month in one currency, in minor units of `currency`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    currency: t.expose('currency', { type: 'Currency', description: 'ISO 4217, lower case.' }),
    feedSales: t.field({
      ...moneyBeside('feedSalesCents'),
      resolve: (row) => ({ amountCents: row.feedSalesCents, currency: row.currency }),
    }),
    ledgerSales: t.field({
      ...moneyBeside('ledgerSalesCents'),
      resolve: (row) => ({ amountCents: row.ledgerSalesCents, currency: row.currency }),
    }),
    feedRefunds: t.field({
      ...moneyBeside('feedRefundsCents'),
      resolve: (row) => ({ amountCents: row.feedRefundsCents, currency: row.currency }),
    }),
    ledgerRefunds: t.field({
      ...moneyBeside('ledgerRefundsCents'),
      resolve: (row) => ({ amountCents: row.ledgerRefundsCents, currency: row.currency }),
    }),
    ledgerPaid: t.field({
      ...moneyBeside('ledgerPaidCents'),
      resolve: (row) => ({ amountCents: row.ledgerPaidCents, currency: row.currency }),
    }),
    withheld: t.field({
      ...moneyBeside('withheldCents'),
      resolve: (row) => ({ amountCents: row.withheldCents, currency: row.currency }),
    }),
    servicePaid: t.field({
      ...moneyBeside('servicePaidCents'),
      resolve: (row) => ({ amountCents: row.servicePaidCents, currency: row.currency }),
    }),
    feedSalesCents: t.expose('feedSalesCents', {
      type: 'SafeInt',
      description: 'What the billing systems said was paid, of the sales that were recorded in the month.',
    }),
    ledgerSalesCents: t.expose('ledgerSalesCents', { type: 'SafeInt', description: 'What these sales are here.' }),
    feedRefundsCents: t.expose('feedRefundsCents', {
      type: 'SafeInt',
      description: 'What the billing systems said was refunded.',
    }),
    ledgerRefundsCents: t.expose('ledgerRefundsCents', { type: 'SafeInt', description: 'What was booked of it here.' }),
    ledgerPaidCents: t.expose('ledgerPaidCents', {
      type: 'SafeInt',
      description: 'The commissions that were paid in the month, less those whose payment came back.',
    }),
    withheldCents: t.expose('withheldCents', {
      type: 'SafeInt',
      description: 'What was withheld of them as tax. The rest of `ledgerPaidCents` should have left by payments.',
    }),
    servicePaidCents: t.expose('servicePaidCents', {
      type: 'SafeInt',
      description: 'What left by payments, less what came back.',
    }),
  }),
})

const ReconciliationDifferenceType = builder.objectRef<ReconciliationDifference>('ReconciliationDifference').implement({
  description: 'Where two sources say different things of a month.',
  subGraphs: publicOnly,
  fields: (t) => ({
    key: t.string({
      description: 'For `acceptReconciliation`. It is another one when the difference changes.',
      resolve: (difference) => keyOf(difference),
    }),
    kind: t.expose('kind', { type: DifferenceKindEnum, description: 'What it is about.' }),
    subjectId: t.exposeID('id', {
      description: 'The id of the sale or the event; for payments, that of the affiliate.',
    }),
    currency: t.expose('currency', {
      type: 'Currency',
      nullable: true,
      description: 'ISO 4217, lower case. Null for events.',
    }),
    differenceCents: t.expose('differenceCents', {
      type: 'SafeInt',
      nullable: true,
      description: 'How much more the other source says than the ledger, in minor units. Null for events.',
    }),
    difference: t.field({
      ...moneyBeside('differenceCents'),
      nullable: true,
      resolve: ({ differenceCents: cents, currency }) => moneyOf(cents, currency ?? ''),
    }),
    reason: t.exposeString('reason', { description: 'Why they can differ.' }),
    accepted: t.expose('accepted', {
      type: AcceptanceType,
      nullable: true,
      description: 'Who accepted it. Null if it is open.',
    }),
  }),
})

const ReconciliationType = builder.objectRef<Reconciliation>('Reconciliation').implement({
  description: 'What the billing systems, the ledger and the payments say of a month.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month.' }),
    agrees: t.boolean({
      description: 'Whether nothing differs.',
      resolve: ({ differences }) => differences.length === 0,
    }),
    currencies: t.expose('currencies', { type: [ReconciledCurrencyType], description: 'The sums, by currency.' }),
    differenceCount: t.int({
      description: 'How many differences there are, with those that are accepted.',
      resolve: ({ differences }) => differences.length,
    }),
    openCount: t.int({
      description: 'How many of them nobody has accepted. The month cannot be closed while there is one.',
      resolve: (reconciliation) => openOf(reconciliation).length,
    }),
    differences: t.field({
      type: [ReconciliationDifferenceType],
      description: 'What differs, also what is accepted. At most 1,000, those that are open first.',
      resolve: (reconciliation) => {
        const accepted = reconciliation.differences.filter((one) => one.accepted !== null)
        return [...openOf(reconciliation), ...accepted].slice(0, mostListed)
      },
    }),
  }),
})

/** It reads what happened in a month. */
const costOfMonth = 200

builder.queryField('reconciliation', (t) =>
  t.field({
    type: ReconciliationType,
    subGraphs: publicOnly,
    complexity: costing(costOfMonth),
    description: 'Compares what the billing systems, the ledger and the payments say of a month.',
    args: { month: t.arg.string({ required: true, description: 'The month, such as `2026-10`.' }) },
    resolve: (_root, { month }, ctx) => reconcile(programScope(ctx), month),
  }),
)

const AcceptPayload = builder.objectRef<{ reconciliation: Reconciliation }>('AcceptReconciliationPayload').implement({
  description: 'The result of `acceptReconciliation`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    reconciliation: t.expose('reconciliation', {
      type: ReconciliationType,
      description: 'The month, compared again.',
    }),
  }),
})

mutation('acceptReconciliation', AcceptPayload, {
  description:
    'Accepts the open differences of a month, with a reason, so that the month can be closed. No balance changes. A difference that changes afterwards is open again.',
  forRole: 'finance',
  input: acceptReconciliationInput,
  resolve: async (ctx, input) => ({ reconciliation: await acceptReconciliation(programScope(ctx), input) }),
})

const OpenMonthType = builder.objectRef<OpenMonth>('OpenMonth').implement({
  description: 'A month that is not closed.',
  subGraphs: publicOnly,
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, such as `2026-10`.' }),
    state: t.expose('state', { type: OpenMonthStateEnum, description: 'What it waits for.' }),
    openDifferences: t.exposeInt('openDifferences', {
      description: 'How many of its differences nobody has accepted. 0 if it is not over.',
    }),
    untilAt: t.expose('untilAt', { type: 'DateTime', description: 'When it ends, exclusive.' }),
    closesAt: t.expose('closesAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the service closes it, if nothing differs. Null if a person has to.',
    }),
  }),
})

builder.queryField('openMonths', (t) =>
  t.field({
    type: [OpenMonthType],
    subGraphs: publicOnly,
    complexity: costing(costOfMonth),
    description: 'The months that are not closed, the earliest first, until the present one. At most 24.',
    resolve: (_root, _args, ctx) => readOpenMonths(programScope(ctx)),
  }),
)
