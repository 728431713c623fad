import type { Prisma } from '../../generated/prisma/client.ts'
import { baseFields, cents, currency, instant, state, text, word } from '../../listing/listing.ts'
import { defineListing } from '../../listing/registry.ts'
import { proposalStates } from './input.ts'

type ShownState = (typeof proposalStates)[number]

/** A proposal that nobody decided in time is expired. */
export const stateOf = (proposal: { state: Exclude<ShownState, 'expired'>; expiresAt: Date }, now: Date): ShownState =>
  proposal.state === 'open' && proposal.expiresAt <= now ? 'expired' : proposal.state

const stateRule = (shown: ShownState, now: Date): Prisma.ProposalWhereInput => {
  if (shown === 'open') return { state: 'open', expiresAt: { gt: now } }
  return shown === 'expired' ? { state: 'open', expiresAt: { lte: now } } : { state: shown }
}

export const proposalListing = defineListing({
  noun: 'Proposal',
  model: 'proposal',
  fields: {
    ...baseFields,
    updatedAt: instant('updatedAt'),
    state: state('ProposalState', proposalStates, stateRule),
    kind: word('kind', 'ProposalKind'),
    reason: text('reason'),
    amountCents: cents('effectCents', { nullable: true, description: 'Compares the amount of `effect`.' }),
    currency: currency('effectCurrency', { nullable: true, description: 'Compares the currency of `effect`.' }),
    expiresAt: instant('expiresAt'),
    decidedAt: instant('decidedAt', { nullable: true }),
  },
  orders: {},
  numbers: {},
  kept: null,
  groups: [],
})
