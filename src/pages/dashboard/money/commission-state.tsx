import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

export const tones = { PENDING: 'wait', DUE: 'good', PAID: 'plain', VOID: 'bad' } as const satisfies Record<
  string,
  Tone
>

type State = keyof typeof tones

/** The state of a commission. A held one is pending, and says so. */
export const CommissionState = ({ state, isHeld }: { state: State; isHeld: boolean }) => (
  <>
    <Badge tone={tones[state]}>{texts.commissions.states[state]}</Badge>
    {isHeld && state === 'PENDING' && <Badge tone="bad">{texts.commissions.held}</Badge>}
  </>
)
