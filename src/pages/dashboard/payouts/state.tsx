import type { PayoutFragment } from '../../../generated/dashboard/payouts/graphql.ts'
import { texts } from '../texts.ts'
import { Badge } from '../ui/badge.tsx'
import { stateOf } from './payable.ts'

const words = texts.payouts

const tones = { ready: 'good', below: 'wait', inRun: 'wait', sent: 'wait', paid: 'plain', failed: 'bad' } as const

export function PayoutState({ payout }: { payout: PayoutFragment }) {
  const state = stateOf(payout)
  return <Badge tone={tones[state]}>{words.states[state]}</Badge>
}
