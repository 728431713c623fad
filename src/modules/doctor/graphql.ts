import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope, ownerScope, programScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { checkData, type DataCheck, readDataCheck } from './data-check.ts'
import { checkDataInput } from './input.ts'
import { invariants } from './invariants.ts'
import { examine, type Finding, hasRowSecurity, requireWholeFiles } from './service.ts'

const FindingType = builder.objectRef<Finding>('Finding').implement({
  description: 'A row that violates an invariant, which means that the data is inconsistent.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invariant: t.string({ description: 'The name of the invariant.', resolve: ({ invariant }) => invariant.name }),
    promise: t.string({
      description: 'The invariant in a sentence: what should be true.',
      resolve: ({ invariant }) => invariant.promise,
    }),
    programId: t.exposeID('programId', { description: 'The id of the program of the row.' }),
    rowId: t.exposeID('id', { description: 'The id of the row.' }),
    detail: t.exposeString('detail', { description: 'The values that violate the invariant.' }),
  }),
})

type DiagnosisShape = { checked: number; findings: Finding[]; hasRowSecurity: boolean | null }

const DiagnosisType = builder.objectRef<DiagnosisShape>('Diagnosis').implement({
  description: 'The result of checking the data.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invariants: t.exposeInt('checked', { description: 'The number of invariants that were checked.' }),
    names: t.stringList({
      description: 'The names of all invariants, also of those that were not checked.',
      resolve: () => invariants.map(({ name }) => name),
    }),
    findings: t.expose('findings', {
      type: [FindingType],
      description: 'The rows that violate an invariant, at most 100 for each. Empty if the data is consistent.',
    }),
    hasRowSecurity: t.exposeBoolean('hasRowSecurity', {
      nullable: true,
      description:
        'Whether row-level security separates programs, in addition to the conditions of queries. Null on the embedded database.',
    }),
    bucketProblem: t.string({
      nullable: true,
      description: 'Why the bucket of `ASSETS_BUCKET` cannot be used, in a sentence. Null if it can, or without one.',
      resolve: (_diagnosis, _args, ctx) => ctx.bucket?.findProblem() ?? null,
    }),
    backupProblem: t.string({
      nullable: true,
      description:
        'Why there is no recent backup in `BACKUP_DIR`, in a sentence. Null if the newest is at most twice as old as `BACKUP_EVERY_HOURS`, or without `BACKUP_DIR`.',
      resolve: (_diagnosis, _args, ctx) => ctx.backups?.findProblem() ?? null,
    }),
    newerVersion: t.string({
      nullable: true,
      description: 'The newest version of the service. Null if it runs, or if `UPGRADE_CHECK_URL` is not set.',
      resolve: (_diagnosis, _args, ctx) => ctx.newerVersion?.() ?? null,
    }),
  }),
})

builder.queryField('doctor', (t) =>
  t.field({
    type: DiagnosisType,
    forRole: 'operator',
    description:
      'Checks the data of all programs for inconsistencies. Only for the operator. It reads every row, so it can take long: with millions of rows, check one invariant after another.',
    args: {
      only: t.arg.stringList({ description: 'The names of the invariants to check. Default: all.' }),
    },
    resolve: async (_root, { only }, ctx) => {
      const scope = operatorScope(ctx)
      // A client that asks for one invariant at a time names no invariant in its first request.
      if (!only || only.length === 0) await requireWholeFiles(scope)
      const findings = await examine(scope, { only: only ?? undefined })
      return { checked: only?.length ?? invariants.length, findings, hasRowSecurity: hasRowSecurity(scope) }
    },
  }),
)

const DataCheckType = builder.objectRef<DataCheck>('DataCheck').implement({
  description: 'The last check of the money and the attribution of a program. The service does it once a day.',
  subGraphs: publicOnly,
  fields: (t) => ({
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When it began.' }),
    checked: t.exposeInt('checked', { description: 'The number of invariants that were checked.' }),
    unchecked: t.exposeInt('unchecked', {
      description: 'The number of invariants that took too long. The command `doctor` checks them too.',
    }),
    findings: t.expose('findings', {
      type: [FindingType],
      description: 'The rows of the program that violate an invariant, at most 100. Empty if the data is consistent.',
    }),
  }),
})

builder.queryField('dataCheck', (t) =>
  t.field({
    type: DataCheckType,
    nullable: true,
    description: 'The last check of the data of the program. Null before the first.',
    resolve: (_root, _args, ctx) => readDataCheck(ctx, programScope(ctx).program.id),
  }),
)

resourceMutation('checkData', 'dataCheck', DataCheckType, {
  description:
    'Checks the money and the attribution of the program now, for 15 seconds at most. Within a minute after a check, it returns that one.',
  input: checkDataInput,
  resolve: (ctx, { programId }: { programId?: string }) => {
    const id = programId ?? programScope(ctx).program.id
    return checkData(ownerScope(ctx, id), id, ctx.trueNow())
  },
})
