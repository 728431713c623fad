import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { PayoutRunType } from './graphql.ts'
import { readSinceLast, type SinceLastRun } from './previous.ts'

const SinceLastRunType = builder.objectRef<SinceLastRun>('SinceLastRun').implement({
  description: 'What is different since the last run of the same method and currency that was not cancelled.',
  subGraphs: publicOnly,
  fields: (t) => ({
    previous: t.expose('previous', { type: PayoutRunType, description: 'The last run before.' }),
    joined: t.exposeInt('joined', { description: 'How many affiliates are in this run, but not in the last one.' }),
    left: t.exposeInt('left', { description: 'How many affiliates are in the last run, but not in this one.' }),
  }),
})

builder.prismaObjectFields('PayoutRun', (t) => ({
  sinceLastRun: t.field({
    type: SinceLastRunType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'What is different since the last run. Null for the first run of a method and currency.',
    select: { id: true },
    resolve: ({ id }, _args, ctx) => batched(ctx, 'last runs', id, (ids) => readSinceLast(programScope(ctx), [...ids])),
  }),
}))
