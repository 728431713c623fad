import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'

type State = 'ready' | 'below' | 'paid' | 'failed'

/** Whether a payout can be paid. The minimum is read in the payout's own currency. */
export function stateOf({ state, amountCents, affiliate }: PayoutFragment): State {
  if (state === 'PAID') return 'paid'
  if (state === 'FAILED') return 'failed'
  return amountCents >= affiliate.campaign.minimumPayoutCents ? 'ready' : 'below'
}
