import { everywhere } from '../../../graphql/builder.ts'
import { type GraphQLContext, programScope } from '../../../graphql/context.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import { resourceMutation } from '../../../graphql/mutation.ts'
import { PayoutType } from '../graphql.ts'
import { updatePayoutInput } from '../input.ts'
import { findPayout } from '../service.ts'
import { undoPayout, updatePayout } from '../undo.ts'
import { approvePayoutRun } from './approve.ts'
import { cancelPayoutRun } from './cancel.ts'
import { createPayoutRun } from './create.ts'
import { findPayoutRun } from './find.ts'
import { PayoutRunType } from './graphql.ts'
import {
  cancelPayoutRunInput,
  createPayoutRunInput,
  markPayoutRunInput,
  payoutResultInput,
  recordPayoutResultsInput,
  undoPayoutInput,
} from './input.ts'
import { markPayoutRunPaid, markPayoutRunSent } from './mark.ts'
import { recordPayoutResults } from './results.ts'

const ofRun = { id: 'The id of the run.' }
const runOf = (ctx: GraphQLContext, id: string, query: () => object) => findPayoutRun(programScope(ctx), id, query())

resourceMutation('createPayoutRun', 'payoutRun', PayoutRunType, {
  description:
    'Makes a run of payouts that can be paid by a method, with its file. Commissions that are due now are collected first. A payout is in at most one open run; others are in `skipped` with the reason. If nothing can be paid, it is refused with the reasons, and no run is made.',
  subGraphs: everywhere,
  forRole: 'finance',
  input: createPayoutRunInput,
  resolve: async (ctx, input, query) => runOf(ctx, await createPayoutRun(programScope(ctx), input), query),
})

resourceMutation('approvePayoutRun', 'payoutRun', PayoutRunType, {
  description: 'Approves a prepared run. Nobody approves a run that they made. Idempotent.',
  subGraphs: everywhere,
  forRole: 'finance',
  ids: ofRun,
  resolve: async (ctx, { id }, query) => {
    await approvePayoutRun(programScope(ctx), id)
    return runOf(ctx, id, query)
  },
})

resourceMutation('markPayoutRunSent', 'payoutRun', PayoutRunType, {
  description:
    'Marks a run as sent to the service. From then on, the commissions of its payouts are fixed: a refund of one is a debt in a later payout. Rejected if the amount of a payout differs from the file. Idempotent. If a large run is not `SENT` after 20 seconds, send the request again to go on.',
  subGraphs: everywhere,
  forRole: 'finance',
  ids: ofRun,
  input: markPayoutRunInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await markPayoutRunSent(programScope(ctx), id, input)
    return runOf(ctx, id, query)
  },
})

resourceMutation('markPayoutRunPaid', 'payoutRun', PayoutRunType, {
  description:
    'Marks the open payments of a run as paid, at the amounts of its file. Rejected if the amount of a payout differs. Idempotent. If a large run is not `PAID` after 20 seconds, send the request again to go on.',
  subGraphs: everywhere,
  forRole: 'finance',
  ids: ofRun,
  input: markPayoutRunInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await markPayoutRunPaid(programScope(ctx), id, input)
    return runOf(ctx, id, query)
  },
})

resourceMutation('cancelPayoutRun', 'payoutRun', PayoutRunType, {
  description: 'Cancels the open payments of a run. Their payouts are free for another run. Idempotent.',
  subGraphs: everywhere,
  forRole: 'finance',
  ids: ofRun,
  input: cancelPayoutRunInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await cancelPayoutRun(programScope(ctx), id, input)
    return runOf(ctx, id, query)
  },
})

inputOf('PayoutResultInput', payoutResultInput)

resourceMutation('recordPayoutResults', 'payoutRun', PayoutRunType, {
  description:
    'Records what became of payments of a run, also after it was marked as paid. What failed, came back or was not claimed is due again, and in the next payout of the affiliate. A result that is known already changes nothing.',
  forRole: 'finance',
  input: recordPayoutResultsInput,
  resolve: async (ctx, input, query) => runOf(ctx, await recordPayoutResults(programScope(ctx), input), query),
})

resourceMutation('undoPayout', 'payout', PayoutType, {
  description:
    'Takes back that a payout was marked as paid: that was a mistake, and nothing was paid. The payout is open again, with what is due since. Only an owner can do it. Idempotent.',
  subGraphs: everywhere,
  forRole: 'owner',
  ids: { id: 'The id of the payout.' },
  input: undoPayoutInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await undoPayout(programScope(ctx), id, input)
    return findPayout(programScope(ctx), id, query())
  },
})

resourceMutation('updatePayout', 'payout', PayoutType, {
  description: 'Takes back that a payout was marked as paid, if `paid_at` is blank. Other fields cannot be changed.',
  subGraphs: ['rest'],
  forRole: 'owner',
  ids: { id: 'The id of the payout.' },
  input: updatePayoutInput,
  resolve: async (ctx, { id, ...input }, query) => {
    await updatePayout(programScope(ctx), id, input)
    return findPayout(programScope(ctx), id, query())
  },
})
