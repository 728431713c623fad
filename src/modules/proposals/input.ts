import { z } from 'zod'
import type { ProposalKind } from '../../generated/prisma/enums.ts'
import { described, oneOf, optional, record, required, text, unchangedIfAbsent } from '../../kernel/input/fields.ts'

export const proposalKinds = [
  ...(['void', 'approve', 'amend', 'refund', 'attribute'] as const),
  ...(['rules', 'affiliate_rate', 'payout_run', 'application', 'mail'] as const),
] as const satisfies readonly ProposalKind[]

export const proposalStates = ['open', 'confirmed', 'rejected', 'expired'] as const

const reason = described(text(1_000), 'Why. The person who decides reads it, and it is kept in the history.')
const given = described(record(), 'The arguments of its kind: see `ProposalKind`.')

export const proposeInput = z.object({
  kind: required(described(oneOf('ProposalKind', proposalKinds), 'What is proposed.')),
  arguments: required(given),
  reason: required(reason),
})

export const updateProposalInput = z.object({
  arguments: unchangedIfAbsent(
    described(record(), 'All arguments, as they should be. Default: those of the proposal.'),
  ),
  reason: unchangedIfAbsent(reason),
})

export const rejectProposalInput = z.object({
  reason: optional(described(text(1_000), 'Why it is rejected, for the history and for who proposed it.')),
})
