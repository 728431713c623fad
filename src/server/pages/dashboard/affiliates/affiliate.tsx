import type { AffiliateState } from '../../../../generated/dashboard/affiliates/graphql.ts'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

const tones: Record<AffiliateState, Tone> = { ACTIVE: 'good', DISABLED: 'plain', SUSPICIOUS: 'bad' }

export const states = Object.keys(tones) as AffiliateState[]

export const StateBadge = ({ state }: { state: AffiliateState }) => (
  <Badge tone={tones[state]}>{texts.affiliates.states[state]}</Badge>
)

/** The name of an affiliate, or the e-mail of one without. */
export const nameOf = ({
  firstName,
  lastName,
  email,
}: {
  firstName: string | null
  lastName: string | null
  email: string
}): string => [firstName, lastName].filter(Boolean).join(' ') || email
