import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { programScope } from '../../../graphql/context.ts'
import { openRunsOf, runsOf } from './find.ts'

builder.prismaObjectFields('Payout', (t) => ({
  openRunId: t.id({
    nullable: true,
    subGraphs: publicOnly,
    description: 'The id of the open run that pays the payout: it cannot be paid otherwise. Null if there is none.',
    select: { id: true, paidAt: true },
    resolve: ({ id, paidAt }, _args, ctx) =>
      paidAt
        ? null
        : batched(ctx, 'open runs of payouts', id, async (ids) => {
            const { program } = programScope(ctx)
            const runs = await openRunsOf(ctx.db, program.id, [...ids])
            return ids.map((one) => runs.get(one) ?? null)
          }),
  }),
  runId: t.id({
    nullable: true,
    subGraphs: publicOnly,
    description:
      'The id of the run that pays or paid the payout, also if the payment failed. Null before, and if the run or the payment was cancelled.',
    select: { id: true },
    resolve: ({ id }, _args, ctx) =>
      batched(ctx, 'runs of payouts', id, async (ids) => {
        const { program } = programScope(ctx)
        const runs = await runsOf(ctx.db, program.id, ids)
        return ids.map((one) => runs.get(one) ?? null)
      }),
  }),
}))
