import type { ProposalFragment, ProposalState } from '../../../generated/dashboard/proposals/graphql.ts'
import { formatMoney } from '../../parts/format.tsx'
import { Fact } from '../money/fact.tsx'
import { texts } from '../texts.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Json } from '../ui/json.tsx'
import { Moment } from '../ui/moment.tsx'

const words = texts.proposals

const tones: Record<ProposalState, Tone> = { OPEN: 'wait', CONFIRMED: 'good', REJECTED: 'bad', EXPIRED: 'plain' }

export const states = Object.keys(tones) as ProposalState[]

export const StateBadge = ({ state }: { state: ProposalState }) => (
  <Badge tone={tones[state]}>{words.states[state]}</Badge>
)

export const kindOf = ({ kind }: Pick<ProposalFragment, 'kind'>): string => words.kinds[kind]

/** The amount of the effect. Null if no money changes, or that of several currencies. */
export const amountOf = ({ effect: { amountCents, currency } }: ProposalFragment): string | null =>
  amountCents === null || currency === null ? null : formatMoney(amountCents, currency)

/** Everything that is known of a proposal. */
export function ProposalFacts({ proposal }: { proposal: ProposalFragment }) {
  const { state, effect, reason, proposedBy, editedBy, decidedBy, decidedAt, decisionReason, expiresAt } = proposal
  return (
    <dl className="facts">
      <Fact name={words.columns.state}>
        <StateBadge state={state} />
      </Fact>
      <Fact name={words.columns.effect}>{effect.text}</Fact>
      {amountOf(proposal) !== null && <Fact name={words.columns.amount}>{amountOf(proposal)}</Fact>}
      <Fact name={words.columns.reason}>{reason}</Fact>
      <Fact name={words.columns.proposedBy}>
        {proposedBy}, <Moment at={proposal.createdAt} />
      </Fact>
      {editedBy?.person && <Fact name={words.editedBy}>{editedBy.person.name}</Fact>}
      {decidedBy?.person && decidedAt && (
        <Fact name={words.decidedBy}>
          {decidedBy.person.name}, <Moment at={decidedAt} />
        </Fact>
      )}
      {decisionReason && <Fact name={words.decisionReason}>{decisionReason}</Fact>}
      {state === 'OPEN' && (
        <Fact name={words.columns.expiresAt}>
          <Moment at={expiresAt} />
        </Fact>
      )}
      <Fact name={words.arguments}>
        <Json name={words.arguments} json={JSON.stringify(proposal.arguments)} />
      </Fact>
    </dl>
  )
}
