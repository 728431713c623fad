import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'

type State = 'ready' | 'below' | 'paid' | 'failed'

/** Whether a payout can be paid. The minimum is read in the payout's own currency. */
export function stateOf({ state, missingCents }: PayoutFragment): State {
  if (state === 'PAID') return 'paid'
  if (state === 'FAILED') return 'failed'
  return missingCents === 0 ? 'ready' : 'below'
}
