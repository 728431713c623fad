import { Link } from '@tanstack/react-router'
import type { AffiliateState } from '../../generated/dashboard/affiliates/graphql.ts'
import { useProgram } from './session/use-program.ts'
import { texts } from './texts.ts'
import { Badge, type Tone } from './ui/badge.tsx'

const tones: Record<AffiliateState, Tone> = { ACTIVE: 'good', DISABLED: 'plain', SUSPICIOUS: 'bad' }

export const states = Object.keys(tones) as AffiliateState[]

export const StateBadge = ({ state }: { state: AffiliateState }) => (
  <Badge tone={tones[state]}>{texts.affiliates.states[state]}</Badge>
)

type Named = { firstName: string | null; lastName: string | null; email: string }

/** The name of an affiliate, or the e-mail of one without a name. */
export const nameOf = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email

export function AffiliateLink({ affiliate }: { affiliate: Named & { id: string } }) {
  const { program } = useProgram()
  return (
    <Link to="/$program/affiliates/$id" params={{ program: program.slug, id: affiliate.id }}>
      {nameOf(affiliate)}
    </Link>
  )
}
