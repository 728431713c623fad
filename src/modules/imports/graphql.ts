import { batched } from '../../graphql/batch.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope } from '../../graphql/context.ts'
import { mutation, resourceMutation } from '../../graphql/mutation.ts'
import { externalIdsOf } from '../../kernel/former-ids.ts'
import { ProgramType } from '../programs/graphql.ts'
import type { Result } from './batch.ts'
import {
  finishImport,
  type ImportedKindReport,
  type ImportedSum,
  type ImportNote,
  type ImportReport,
} from './finish.ts'
import { ImportKindEnum, ImportRecordOutcomeEnum } from './graphql-enums.ts'
import { finishImportInput, importRecordsInput, startImportInput } from './input.ts'
import { findImport, importRecords, kindProgress, startImport } from './service.ts'

type KindProgress = ReturnType<typeof kindProgress>[number]

const ImportProgressType = builder.objectRef<KindProgress>('ImportProgress').implement({
  description: 'How far the records of one kind have come.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum }),
    nextPage: t.exposeInt('nextPage', { description: 'The page to go on with.' }),
    isDone: t.exposeBoolean('isDone', { description: 'All were read in this pass.' }),
    waiting: t.string({
      description: 'A JSON list of the records that wait until all others of the kind are there.',
      resolve: ({ waiting }) => JSON.stringify(waiting),
    }),
  }),
})

const ImportType = builder.objectRef<Awaited<ReturnType<typeof startImport>>>('Import').implement({
  description: 'A program that is brought over from another server, and how far that has come.',
  subGraphs: publicOnly,
  fields: (t) => ({
    source: t.exposeString('source', { description: 'The address of the other server.' }),
    program: t.field({ type: ProgramType, resolve: ({ program }) => program }),
    progress: t.field({ type: [ImportProgressType], resolve: (row) => kindProgress(row) }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the last pass over the source began.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
  }),
})

builder.queryField('import', (t) =>
  t.field({
    type: ImportType,
    nullable: true,
    description:
      'For the operator: the import from this source, into the program that is named or the first there was.',
    args: { source: t.arg.string({ required: true }), programId: t.arg.id() },
    resolve: (_root, { source, programId }, ctx) => findImport(operatorScope(ctx).db, source, programId ?? undefined),
  }),
)

resourceMutation('startImport', 'import', ImportType, {
  description:
    'For the operator: begins to bring a program over from another server, or finds the import that was begun. The program is the one that is named, or the one that was made for this source before, or a new one.',
  input: startImportInput,
  resolve: (ctx, input) => startImport(operatorScope(ctx), input),
})

type MissingRecord = Result['missing'][number]

const MissingRecordType = builder.objectRef<MissingRecord>('MissingRecord').implement({
  description: 'A record that another one names, which is not here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The field that names it.' }),
    kind: t.expose('kind', { type: ImportKindEnum }),
    externalId: t.exposeString('externalId', { description: 'Its id at the source.' }),
  }),
})

const ImportedRecordType = builder.objectRef<Result>('ImportedRecord').implement({
  description: 'A record of another server, and what came of it.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum }),
    externalId: t.exposeString('externalId', { description: 'Its id at the source.' }),
    outcome: t.expose('outcome', { type: ImportRecordOutcomeEnum }),
    field: t.exposeString('field', { nullable: true, description: 'The field that is wrong, where it is one.' }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'Why it was left out, or what of it could not be taken over as it was.',
    }),
    missing: t.expose('missing', {
      type: [MissingRecordType],
      description: 'In a dry run: what it names, which is not here yet.',
    }),
  }),
})

const ImportRecordsPayload = builder.objectRef<{ records: Result[] }>('ImportRecordsPayload').implement({
  description: 'The answer to `importRecords`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    records: t.expose('records', {
      type: [ImportedRecordType],
      description: 'What came of each, and of those inside of them: links of affiliates, sales of commissions.',
    }),
  }),
})

mutation('importRecords', ImportRecordsPayload, {
  description:
    'For the operator: takes over records of one kind, in one transaction. One with a problem is left out and told; one that is known by its id at the source is caught up with, so that the same records can come again.',
  input: importRecordsInput,
  resolve: async (ctx, input) => ({ records: await importRecords(operatorScope(ctx), input) }),
})

const ImportedKindType = builder.objectRef<ImportedKindReport>('ImportedKind').implement({
  description: 'How many records of a kind there are at the source and here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum }),
    source: t.exposeInt('source', { description: 'Read at the source in this pass.' }),
    here: t.exposeInt('here', { description: 'Of these, those that have a row here.' }),
    created: t.exposeInt('created', { description: 'Made in this pass.' }),
    updated: t.exposeInt('updated', { description: 'Caught up with in this pass.' }),
    leftOut: t.exposeInt('leftOut'),
  }),
})

const ImportedSumType = builder.objectRef<ImportedSum>('ImportedSum').implement({
  description: 'What records come to at the source and here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum }),
    state: t.exposeString('state', { description: 'Of commissions and payouts; of sales, whether sold or refunded.' }),
    currency: t.expose('currency', { type: 'Currency' }),
    sourceCount: t.exposeInt('sourceCount'),
    sourceCents: t.expose('sourceCents', { type: 'SafeInt', description: 'In minor units of `currency`.' }),
    hereCount: t.exposeInt('hereCount'),
    hereCents: t.expose('hereCents', { type: 'SafeInt', description: 'In minor units of `currency`.' }),
  }),
})

const ImportNoteType = builder.objectRef<ImportNote>('ImportNote').implement({
  description: 'Something that could not be taken over as it was.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kind: t.expose('kind', { type: ImportKindEnum }),
    isLeftOut: t.exposeBoolean('isLeftOut', { description: 'The records were left out.' }),
    note: t.exposeString('note', { description: 'A sentence for a person.' }),
    count: t.exposeInt('count', { description: 'Of how many records it is true.' }),
    externalIds: t.exposeStringList('externalIds', { description: 'The ids of the first of them at the source.' }),
  }),
})

const FinishImportPayload = builder.objectRef<ImportReport>('FinishImportPayload').implement({
  description: 'The report of an import: what the source said, held against what is here.',
  subGraphs: publicOnly,
  fields: (t) => ({
    kinds: t.expose('kinds', { type: [ImportedKindType] }),
    sums: t.expose('sums', { type: [ImportedSumType] }),
    notes: t.expose('notes', { type: [ImportNoteType] }),
  }),
})

mutation('finishImport', FinishImportPayload, {
  description: 'For the operator: ends a pass over the source, and reports counts and sums on both sides.',
  input: finishImportInput,
  resolve: (ctx, input) => finishImport(operatorScope(ctx), input),
})

/** What comes from another server says what it was called there. A sale is known by what the billing system calls it. */
for (const type of [
  'Affiliate',
  'AffiliateCoupon',
  'AffiliateLink',
  'Campaign',
  'Commission',
  'Payout',
  'Referral',
] as const)
  builder.prismaObjectField(type, 'externalId', (t) =>
    t.string({
      nullable: true,
      subGraphs: publicOnly,
      description: 'Its id on the server that it was imported from; null for what was made here.',
      resolve: ({ id, programId }, _args, ctx) =>
        batched(ctx, `external ids ${programId}`, id, (ids) => externalIdsOf({ db: ctx.db, programId }, ids)),
    }),
  )
