import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly, supersetOnly } from '../../graphql/builder.ts'
import { type GraphQLContext, operatorScope, programScope } from '../../graphql/context.ts'
import { argsOf } from '../../graphql/inputs.ts'
import { moneyBeside } from '../../graphql/money.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { importedIdsOf } from '../../kernel/imported-ids.ts'
import { ProgramType } from '../programs/graphql.ts'
import { finishImport } from './finish.ts'
import { ImportedStateEnum, ImportKindEnum, ImportRecordOutcomeEnum } from './graphql-enums.ts'
import { finishImportInput, importRecordsInput, importTargetInput, startImportInput } from './input.ts'
import type { Result } from './plan.ts'
import { kindProgress } from './progress.ts'
import type { ImportedKindReport, ImportedSum, ImportNote, ImportReport } from './report.ts'
import { importRecords } from './service.ts'
import { listImports, startImport } from './start.ts'
import { findImport } from './target.ts'

type KindProgress = ReturnType<typeof kindProgress>[number]

const ImportProgressType = builder.objectRef<KindProgress>('ImportProgress').implement({
  description: 'The progress of an import for one kind of records.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum, description: 'The kind of the records.' }),
    nextPage: t.exposeInt('nextPage', { description: 'The page of the source to continue from. The first page is 1.' }),
    isDone: t.exposeBoolean('isDone', { description: 'Whether all records of this kind were read in this run.' }),
    waiting: t.string({
      description: 'A JSON list of records to import after all others of this kind. It is empty when `isDone` is true.',
      resolve: ({ waiting }) => JSON.stringify(waiting),
    }),
  }),
})

const ImportType = builder.objectRef<Awaited<ReturnType<typeof startImport>>>('Import').implement({
  description: 'An import of a program from another server, and its progress.',
  subGraphs: publicOnly,
  fields: (t) => ({
    source: t.exposeString('source', { description: 'The address of the API of the other server.' }),
    program: t.field({
      type: ProgramType,
      description: 'The program that is imported into.',
      resolve: ({ program }) => program,
    }),
    progress: t.field({
      type: [ImportProgressType],
      description: 'The progress of each kind, in the order in which the kinds are imported.',
      resolve: (row) => kindProgress(row),
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the last run started.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last run was finished. Null while it is not.',
    }),
  }),
})

builder.queryField('import', (t) =>
  t.field({
    type: ImportType,
    forRole: 'operator',
    nullable: true,
    description:
      'For the operator: the import that `startImport` with the same fields would continue. Null if it would start one.',
    args: argsOf(importTargetInput),
    resolve: (_root, args, ctx) => findImport(operatorScope(ctx), args),
  }),
)

builder.queryField('imports', (t) =>
  t.field({
    type: [ImportType],
    forRole: 'operator',
    description: 'For the operator: the imports into the program that the request names, the last started first.',
    resolve: (_root, _args, ctx) => listImports(operatorScope(ctx).db, programScope(ctx).program.id),
  }),
)

resourceMutation('startImport', 'import', ImportType, {
  forRole: 'operator',
  description:
    'For the operator: starts an import from another server, or returns the unfinished one with its progress. It imports into the given program, else into the program that an earlier import of the same program created, else into a new one. Rejected if the earlier imports from the address are of other programs.',
  input: startImportInput,
  resolve: (ctx, input) => startImport(operatorScope(ctx), input),
})

const ImportedRecordType = builder.objectRef<Result>('ImportedRecord').implement({
  description: 'A record of another server, and the outcome of importing it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum, description: 'The kind of the record.' }),
    externalId: t.exposeString('externalId', { description: 'The id of the record at the source.' }),
    outcome: t.expose('outcome', {
      type: ImportRecordOutcomeEnum,
      description: 'Whether the record was created, updated, unchanged or left out.',
    }),
    field: t.exposeString('field', {
      nullable: true,
      description: 'The invalid field. Null if the problem does not concern a single field, or if there is none.',
    }),
    message: t.exposeString('message', {
      nullable: true,
      description:
        'Why the record was left out, or which of its data was changed or dropped. Null if there is nothing to report.',
    }),
  }),
})

const ImportRecordsPayload = builder.objectRef<{ records: Result[] }>('ImportRecordsPayload').implement({
  description: 'The result of `importRecords`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    records: t.expose('records', {
      type: [ImportedRecordType],
      description: 'The outcome of each record, and of the links and sales that are part of the records.',
    }),
  }),
})

mutation('importRecords', ImportRecordsPayload, {
  forRole: 'operator',
  description:
    'For the operator: imports up to 200 records of one kind in one transaction. A record with a problem is left out, and its outcome says why. A record that was imported before is updated, so the same records can be sent again.',
  input: importRecordsInput,
  resolve: async (ctx, input) => ({ records: await importRecords(operatorScope(ctx), input) }),
})

const ImportedKindType = builder.objectRef<ImportedKindReport>('ImportedKind').implement({
  description: 'How many records of one kind there are at the source and here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum, description: 'The kind of the records.' }),
    source: t.exposeInt('source', { description: 'Number of records that were read from the source in this run.' }),
    here: t.exposeInt('here', { description: 'Number of those records that exist here.' }),
    created: t.exposeInt('created', { description: 'Number of records that were created here in this run.' }),
    updated: t.exposeInt('updated', { description: 'Number of records that were updated here in this run.' }),
    leftOut: t.exposeInt('leftOut', { description: 'Number of records that were left out. See `notes`.' }),
  }),
})

const ImportedSumType = builder.objectRef<ImportedSum>('ImportedSum').implement({
  description: 'Number and total amount of records at the source and here, by kind, state and currency.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum, description: '`COMMISSION`, `PAYOUT` or `SALE`.' }),
    state: t.expose('state', {
      type: ImportedStateEnum,
      description: 'The state of commissions and payouts. For sales, `SOLD` or `REFUNDED`.',
    }),
    currency: t.expose('currency', { type: 'Currency', description: 'The currency of the amounts.' }),
    sourceCount: t.exposeInt('sourceCount', { description: 'Number of records at the source.' }),
    sourceCents: t.expose('sourceCents', {
      type: 'SafeInt',
      description: 'Total amount at the source, in minor units of `currency`.',
    }),
    source: t.field({
      ...moneyBeside('sourceCents'),
      resolve: (row) => ({ amountCents: row.sourceCents, currency: row.currency }),
    }),
    hereCount: t.exposeInt('hereCount', { description: 'Number of records here.' }),
    hereCents: t.expose('hereCents', {
      type: 'SafeInt',
      description: 'Total amount here, in minor units of `currency`.',
    }),
    here: t.field({
      ...moneyBeside('hereCents'),
      resolve: (row) => ({ amountCents: row.hereCents, currency: row.currency }),
    }),
  }),
})

const ImportNoteType = builder.objectRef<ImportNote>('ImportNote').implement({
  description: 'A problem or change that concerns one or more records.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum, description: 'The kind of the records.' }),
    isLeftOut: t.exposeBoolean('isLeftOut', {
      description: 'Whether the records were left out. If false, they were imported with a change.',
    }),
    note: t.exposeString('note', { description: 'The problem or change, as a sentence.' }),
    count: t.exposeInt('count', { description: 'Number of records that the note concerns.' }),
    externalIds: t.exposeStringList('externalIds', { description: 'Ids at the source of up to five of the records.' }),
  }),
})

const FinishImportPayload = builder.objectRef<ImportReport>('FinishImportPayload').implement({
  description: 'The report of an import, which compares the source with the program here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kinds: t.expose('kinds', { type: [ImportedKindType], description: 'The number of records of each kind.' }),
    sums: t.expose('sums', {
      type: [ImportedSumType],
      description: 'The amounts of commissions, payouts and sales, by state and currency.',
    }),
    notes: t.expose('notes', {
      type: [ImportNoteType],
      description: 'What was left out or changed. Records with the same note are grouped.',
    }),
  }),
})

mutation('finishImport', FinishImportPayload, {
  forRole: 'operator',
  description:
    'For the operator: finishes a run of an import, and reports counts and amounts on both sides. Rejected unless all kinds were read completely.',
  input: finishImportInput,
  resolve: (ctx, input) => finishImport(operatorScope(ctx), input),
})

/** The id of an imported record at the source; null for other records. */
const importedIdOf = ({ id, programId }: { id: string; programId: string }, ctx: GraphQLContext) =>
  batched(ctx, `imported ids ${programId}`, id, (ids) => importedIdsOf({ db: ctx.db, programId }, ids))

// Sales and refunds have `externalId`, which is the billing system's id.
for (const type of [
  'Affiliate',
  'AffiliateCoupon',
  'AffiliateLink',
  'Campaign',
  'Commission',
  'Payout',
  'Referral',
] as const)
  builder.prismaObjectField(type, 'importedId', (t) =>
    t.string({
      nullable: true,
      subGraphs: publicOnly,
      description: 'The id on the server that the record was imported from. Null if it was not imported.',
      resolve: (row, _args, ctx) => importedIdOf(row, ctx),
    }),
  )

builder.prismaObjectField('AffiliateCoupon', 'externalIdOrId', (t) =>
  t.string({
    subGraphs: supersetOnly,
    description: "The coupon's id on the server that it was imported from, else its own id.",
    resolve: async (coupon, _args, ctx) => (await importedIdOf(coupon, ctx)) ?? coupon.id,
  }),
)
