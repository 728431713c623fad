import { batched } from '../../../graphql/batch.ts'
import { builder, publicOnly } from '../../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { recordOf } from '../../../graphql/record.ts'
import { type RunOfPayout, runsOf } from './find.ts'
import { PayoutRunType } from './graphql.ts'

const runOf = (ctx: GraphQLContext, payoutId: string): Promise<RunOfPayout | null> =>
  batched(ctx, 'runs of payouts', payoutId, async (ids) => {
    const runs = await runsOf(ctx.db, programScope(ctx).program.id, ids)
    return ids.map((id) => runs.get(id) ?? null)
  })

builder.prismaObjectFields('Payout', (t) => ({
  openRunId: t.id({
    nullable: true,
    subGraphs: publicOnly,
    description: 'The id of the open run that pays the payout: it cannot be paid otherwise. Null if there is none.',
    select: { id: true, paidAt: true },
    async resolve({ id, paidAt }, _args, ctx) {
      const run = paidAt ? null : await runOf(ctx, id)
      return run?.isOpen ? run.runId : null
    },
  }),
  openRun: t.field({
    type: PayoutRunType,
    nullable: true,
    subGraphs: publicOnly,
    description: 'The open run that pays the payout: it cannot be paid otherwise. Null if there is none.',
    select: { id: true, paidAt: true },
    async resolve({ id, paidAt }, _args, ctx) {
      const run = paidAt ? null : await runOf(ctx, id)
      return run?.isOpen ? recordOf(ctx, 'payoutRun', run.runId) : null
    },
  }),
  runId: t.id({
    nullable: true,
    subGraphs: publicOnly,
    description:
      'The id of the run that pays or paid the payout, also if the payment failed. Null before, and if the run or the payment was cancelled.',
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => (await runOf(ctx, id))?.runId ?? null,
  }),
  run: t.field({
    type: PayoutRunType,
    nullable: true,
    subGraphs: publicOnly,
    description:
      'The run that pays or paid the payout, also if the payment failed. Null before, and if the run or the payment was cancelled.',
    select: { id: true },
    resolve: async ({ id }, _args, ctx) => recordOf(ctx, 'payoutRun', (await runOf(ctx, id))?.runId),
  }),
}))
