import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { Actor, ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { ChangeAction } from '../../history/actions.ts'
import { storedActor } from '../../history/actor.ts'
import { recordAction } from '../../history/record.ts'

type Preparing = Pick<ProgramCtx, 'program' | 'actor'>
type Chosen = Pick<PayoutRun, 'method' | 'currency' | 'asOf'>

/** The row of a run that has no payouts yet. */
export function newRun({ program, actor }: Preparing, chosen: Chosen, now: Date): PayoutRun {
  const { actorKind: preparedByKind, actorId: preparedById } = storedActor(actor)
  return {
    programId: program.id,
    id: mintId(now),
    ...chosen,
    state: 'prepared',
    payoutCount: 0,
    amountCents: 0n,
    needsApproval: false,
    fileName: null,
    fileHasMark: false,
    reference: null,
    reason: null,
    preparedByKind,
    preparedById,
    approvedByKind: null,
    approvedById: null,
    approvedAt: null,
    sentAt: null,
    paidAt: null,
    cancelledAt: null,
    fetchedAt: null,
    fetchedByKind: null,
    fetchedById: null,
    handedOverAt: null,
    service: null,
    serviceProblem: null,
    nextStepAt: null,
    lease: null,
    leaseEndsAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

export const recordRun = (
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  action: ChangeAction,
  before: PayoutRun | null,
  after: PayoutRun,
  now: Date,
): Promise<void> => recordAction(tx, ctx, { subject: 'payout_run', subjectId: after.id, action }, before, after, now)

/** Whether this actor prepared the run: the same person, or the same API key. */
export function isPreparedBy({ preparedByKind, preparedById }: PayoutRun, actor: Actor): boolean {
  const { actorKind, actorId } = storedActor(actor)
  return actorKind === preparedByKind && actorId === preparedById
}

/** @throws REFUSED */
export function refuseUnapproved({ needsApproval, approvedAt }: PayoutRun): void {
  if (needsApproval && !approvedAt)
    throw refused(
      'The run is above the sum from which a second person has to approve it. Ask somebody else for approvePayoutRun.',
    )
}
