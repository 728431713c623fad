import type { ReportGrant } from '../../generated/prisma/client.ts'
import { builder, publicOnly } from '../../graphql/builder.ts'
import { operatorScope } from '../../graphql/context.ts'
import { resourceMutation } from '../../graphql/mutation.ts'
import { reportGrantInput } from './input.ts'
import { grantReports, listReportGrants, revokeReports } from './service.ts'

const ReportGrantType = builder.objectRef<ReportGrant>('ReportGrant').implement({
  description: 'A role of PostgreSQL that reads a program in the views of the schema `reports`.',
  subGraphs: publicOnly,
  fields: (t) => ({
    programId: t.exposeID('programId', { description: 'The id of the program.' }),
    role: t.exposeString('role', { description: 'The name of the role.' }),
    since: t.expose('createdAt', { type: 'DateTime', description: 'When the role was let in.' }),
  }),
})

builder.queryField('reportGrants', (t) =>
  t.field({
    type: [ReportGrantType],
    forRole: 'operator',
    description: 'The roles of PostgreSQL that read the reports of a program, by name. Requires the operator token.',
    subGraphs: publicOnly,
    args: { programId: t.arg.id({ required: true, description: 'The id of the program.' }) },
    resolve: (_root, { programId }, ctx) => listReportGrants(operatorScope(ctx), programId),
  }),
)

resourceMutation('grantReports', 'grant', ReportGrantType, {
  forRole: 'operator',
  description:
    'Lets a role of PostgreSQL read a program in the views of the schema `reports`. Requires the operator token, and PostgreSQL.',
  ids: { programId: 'The id of the program.' },
  input: reportGrantInput,
  resolve: (ctx, { programId, ...input }) => grantReports(operatorScope(ctx), programId, input),
})

resourceMutation('revokeReports', 'grant', ReportGrantType, {
  forRole: 'operator',
  description: 'Takes back what `grantReports` gave. Requires the operator token.',
  ids: { programId: 'The id of the program.' },
  input: reportGrantInput,
  resolve: (ctx, { programId, ...input }) => revokeReports(operatorScope(ctx), programId, input),
})
