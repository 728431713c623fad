import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'

type State = 'ready' | 'below' | 'inRun' | 'sent' | 'paid' | 'failed'

/** Whether a payout can be paid. The minimum is read in the payout's own currency. */
export function stateOf({ state, missingCents, sentAt, openRunId }: PayoutFragment): State {
  if (state === 'PAID') return 'paid'
  if (state === 'FAILED') return 'failed'
  if (sentAt !== null) return 'sent'
  if (openRunId !== null) return 'inRun'
  return missingCents === 0 ? 'ready' : 'below'
}
