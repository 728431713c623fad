import type { PayoutItemState, PayoutRunState } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { texts } from '../../texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const words = texts.payoutRuns

const runTones: Record<PayoutRunState, Tone> = {
  PREPARED: 'wait',
  APPROVED: 'wait',
  SENT: 'wait',
  PAID: 'good',
  CANCELLED: 'plain',
}

export const RunState = ({ state }: { state: PayoutRunState }) => (
  <Badge tone={runTones[state]}>{words.states[state]}</Badge>
)

const paymentTones: Record<PayoutItemState, Tone> = {
  PREPARED: 'wait',
  SENT: 'wait',
  PAID: 'good',
  FAILED: 'bad',
  RETURNED: 'bad',
  UNCLAIMED: 'bad',
  CANCELLED: 'plain',
}

type PaymentStateProps = { state: PayoutItemState; isUnknown?: boolean }

export const PaymentState = ({ state, isUnknown = false }: PaymentStateProps) => (
  <Badge tone={isUnknown ? 'bad' : paymentTones[state]}>
    {isUnknown ? words.byService.isUnknown : words.itemStates[state]}
  </Badge>
)
