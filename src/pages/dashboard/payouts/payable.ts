import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'

type State = 'ready' | 'below' | 'sent' | 'paid' | 'failed'

/** Whether a payout can be paid. The minimum is read in the payout's own currency. */
export function stateOf({ state, missingCents, sentAt }: PayoutFragment): State {
  if (state === 'PAID') return 'paid'
  if (state === 'FAILED') return 'failed'
  if (sentAt !== null) return 'sent'
  return missingCents === 0 ? 'ready' : 'below'
}
