import { isDeepStrictEqual } from 'node:util'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, Proposal } from '../../generated/prisma/client.ts'
import type { Actor, ProgramCtx } from '../../kernel/context.ts'
import { forbidden, refused } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { storedActor } from '../history/actor.ts'
import { recordAction } from '../history/record.ts'
import { rejectProposalInput } from './input.ts'
import type { ProposalCtx } from './kind.ts'
import { columnsOf, findProposal, keyOf, lockProposal, refuseDecided, runWithin } from './service.ts'

type Tx = Prisma.TransactionClient

/**
 * Runs the verb of a proposal as the person who confirms it, once, and in one transaction with the decision. If its
 * effect is no longer what the person has seen, nothing is changed but the effect that the proposal shows. Idempotent.
 * @throws NOT_FOUND; FORBIDDEN for keys and tokens; REFUSED if it is rejected or expired, needs another person, or has
 *   another effect; and what the verb throws
 */
export async function confirmProposal(ctx: ProposalCtx, namedId: string): Promise<void> {
  const { id } = await findProposal(ctx, namedId)
  if (ctx.actor.kind !== 'person') throw forbidden('Only a person who is signed in confirms a proposal.')
  try {
    await withTransaction(ctx.whole, (tx) => confirmWithin(tx, ctx, id), { isLong: true })
  } catch (error) {
    if (!(error instanceof EffectChanged)) throw error
    await withTransaction(ctx.db, async (tx) => {
      const locked = await lockProposal(tx, ctx, id)
      refuseDecided(locked, ctx.now())
      await tx.proposal.update({ where: keyOf(locked), data: { ...error.effect, updatedAt: ctx.now() } })
    })
    throw refused(
      `The effect has changed since the proposal was made. It is now: ${error.effect.effectText} Look at it, and confirm it again.`,
    )
  }
}

class EffectChanged extends Error {
  constructor(readonly effect: ReturnType<typeof columnsOf>) {
    super('the effect of the proposal has changed')
  }
}

async function confirmWithin(tx: Tx, ctx: ProposalCtx, id: string): Promise<void> {
  const proposal = await lockProposal(tx, ctx, id)
  if (proposal.state === 'confirmed') return
  refuseDecided(proposal, ctx.now())
  const refusal = refusalOf(ctx, proposal)
  if (refusal) throw refused(refusal)
  const { kind, reason } = proposal
  const effect = await runWithin(tx, ctx, { kind, arguments: proposal.arguments as Record<string, unknown>, reason })
  const { effectText, effectCents, effectCurrency, largestCents } = proposal
  const seen = { effectText, effectCents, effectCurrency, largestCents }
  const now = effect ? columnsOf(effect) : seen
  if (!isDeepStrictEqual(now, seen)) throw new EffectChanged(now)
  await store(tx, ctx, proposal, { state: 'confirmed', decisionReason: null })
}

/**
 * Ends a proposal. Idempotent.
 * @throws NOT_FOUND; INVALID_INPUT; FORBIDDEN for keys and tokens; REFUSED if it is confirmed or expired
 */
export async function rejectProposal(ctx: ProposalCtx, namedId: string, raw: unknown): Promise<void> {
  const { reason = null } = await parseInput(rejectProposalInput, raw)
  const { id } = await findProposal(ctx, namedId)
  if (ctx.actor.kind !== 'person') throw forbidden('Only a person who is signed in rejects a proposal.')
  await withTransaction(ctx.db, async (tx) => {
    const proposal = await lockProposal(tx, ctx, id)
    if (proposal.state === 'rejected') return
    refuseDecided(proposal, ctx.now())
    await store(tx, ctx, proposal, { state: 'rejected', decisionReason: reason })
  })
}

async function store(
  tx: Tx,
  ctx: ProgramCtx,
  before: Proposal,
  decision: Pick<Proposal, 'decisionReason'> & { state: 'confirmed' | 'rejected' },
): Promise<void> {
  const now = ctx.now()
  const { actorKind: decidedByKind, actorId: decidedById } = storedActor(ctx.actor)
  const data = { ...decision, decidedByKind, decidedById, decidedAt: now, updatedAt: now }
  const after = await tx.proposal.update({ where: keyOf(before), data })
  const what = { subject: 'proposal', subjectId: before.id, action: decision.state } as const
  await recordAction(tx, ctx, what, before, after, now)
  await recordEvents(tx, ctx, eventsOf(before.id, ['tributary.proposal.decided']), now)
}

/** Whether an amount of the proposal, in any currency, is above the limit from which two people decide payout runs. */
export function needsSecondPerson({ program }: Pick<ProgramCtx, 'program'>, { largestCents }: Proposal): boolean {
  const limit = program.payoutApprovalAboveCents
  return limit !== null && largestCents > limit
}

/** Why this person cannot be the one who confirms. Null: the person can. */
export function refusalOf(ctx: Pick<ProgramCtx, 'program'> & { actor: Actor }, proposal: Proposal): string | null {
  const { actorKind, actorId } = storedActor(ctx.actor)
  const isOwn =
    (proposal.proposedByKind === actorKind && proposal.proposedById === actorId) ||
    (actorKind === 'person' && proposal.editedById === actorId)
  return isOwn && needsSecondPerson(ctx, proposal)
    ? 'You proposed or changed this, and it is above the sum from which two people are needed. Somebody else has to confirm it.'
    : null
}
