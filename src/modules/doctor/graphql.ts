import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope } from '../../graphql/context.ts'
import { invariants } from './invariants.ts'
import { examine, type Finding } from './service.ts'

const FindingType = builder.objectRef<Finding>('Finding').implement({
  description: 'A row that breaks a promise which the data always keeps.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invariant: t.string({ resolve: ({ invariant }) => invariant.name }),
    promise: t.string({ resolve: ({ invariant }) => invariant.promise }),
    programId: t.exposeID('programId'),
    id: t.exposeID('id', { description: 'Of the row.' }),
    detail: t.exposeString('detail'),
  }),
})

const DiagnosisType = builder.objectRef<{ findings: Finding[] }>('Diagnosis').implement({
  description: 'Whether the data keeps its promises.',
  subGraphs: publicOnly,
  fields: (t) => ({
    invariants: t.int({ description: 'How many promises were looked at.', resolve: () => invariants.length }),
    findings: t.expose('findings', { type: [FindingType], description: 'What breaks one; none where all is well.' }),
  }),
})

builder.queryField('doctor', (t) =>
  t.field({
    type: DiagnosisType,
    description: 'For the operator: examines the data of all programs. It reads every row, so it takes its time.',
    resolve: async (_root, _args, ctx) => ({ findings: await examine(operatorScope(ctx)) }),
  }),
)
