import {
  cancelPayoutRunInput,
  createPayoutRunInput,
  listPayoutRunsInput,
  markPayoutRunInput,
} from '../modules/payouts/runs/input.ts'
import { create, list, type Route, read } from './route.ts'

const tag = 'Payout runs'

const step = (name: string, operation: Route['operation'], summary: string, more: Partial<Route> = {}): Route => ({
  method: 'POST',
  path: `/payout_runs/{id}/${name}`,
  operation,
  status: 200,
  isOwnEndpoint: true,
  tag,
  summary,
  ...more,
})

const closed = 'The run is cancelled: nothing of it is open.'

/** Payout runs, which are our own. */
export const payoutRunRoutes: readonly Route[] = [
  { ...list('/payout_runs', 'Query.payoutRuns', tag, listPayoutRunsInput), isOwnEndpoint: true },
  {
    ...create('/payout_runs', 'Mutation.createPayoutRun', tag, 'payout run', createPayoutRunInput),
    refusal:
      'The program has no account to pay from. Set its IBAN first: `debtorIban` of updateProgram, or in the settings of the dashboard.',
    isOwnEndpoint: true,
  },
  { ...read('/payout_runs/{id}', 'Query.payoutRun', tag, 'payout run'), isOwnEndpoint: true },
  step('approve', 'Mutation.approvePayoutRun', 'Approve a payout run', {
    refusal: 'You prepared this run, so somebody else has to approve it: another person, or another API key.',
  }),
  step('send', 'Mutation.markPayoutRunSent', 'Mark a payout run as sent', {
    input: markPayoutRunInput,
    refusal: closed,
  }),
  step('pay', 'Mutation.markPayoutRunPaid', 'Mark a payout run as paid', {
    input: markPayoutRunInput,
    refusal: closed,
  }),
  step('cancel', 'Mutation.cancelPayoutRun', 'Cancel a payout run', {
    input: cancelPayoutRunInput,
    refusal: 'All payments of the run are decided. To take one back, use undoPayout.',
  }),
]
