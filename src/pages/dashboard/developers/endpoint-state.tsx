import type { EndpointFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

const tones: Record<EndpointFragment['state'], Tone> = { ACTIVE: 'good', FAILING: 'bad', DISABLED: 'plain' }

export const EndpointState = ({ endpoint: { state } }: { endpoint: EndpointFragment }) => (
  <Badge tone={tones[state]}>{texts.developers.webhooks.states[state]}</Badge>
)
