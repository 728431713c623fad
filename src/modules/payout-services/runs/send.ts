import type { PayoutBatch, PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { giveWay } from '../../../kernel/slices.ts'
import { storedActor } from '../../history/actor.ts'
import { findPayoutRun } from '../../payouts/runs/find.ts'
import { refuseChanged } from '../../payouts/runs/in-file.ts'
import { refuseClosed } from '../../payouts/runs/mark.ts'
import { refuseUnapproved } from '../../payouts/runs/record.ts'
import { refuseInShadow } from '../../programs/shadow.ts'
import { noteUse, type Opened, openService } from '../access.ts'
import { findConnected, isPaused } from '../find.ts'
import { sendPayoutRunInput } from '../input.ts'
import { serviceOf } from '../kinds/all.ts'
import { ServiceProblem } from '../problem.ts'
import type { ServiceSettings } from '../settings.ts'
import { batchesOf, divideRun, isUnsent } from './batches.ts'
import { handOver } from './hand-over.ts'
import { type Lease, withLease } from './lease.ts'
import { planNextStep } from './next-step.ts'
import { longestMs, startTurn, type Turn } from './turn.ts'

/** The context of work that goes on to its end, whatever becomes of the request. The request waits for a turn of it. */
export function lasting(ctx: ProgramCtx): ProgramCtx {
  ctx.db.deadline?.extend(longestMs)
  return { ...ctx, db: ctx.db.base.ofProgram(ctx.program.id), signal: undefined }
}

/** The service that sends a run, opened. @throws REFUSED */
export async function openServiceOf(ctx: ProgramCtx, settings: ServiceSettings, run: PayoutRun): Promise<Opened> {
  const found = serviceOf(run.method)
  if (!found)
    throw refused(`No service sends runs of the method ${run.method.toUpperCase()} by its API. Pay its file instead.`)
  return openService(settings, await findConnected(ctx, found.service))
}

/**
 * Sends a run by the API of its service, batch by batch. What was handed over is never sent as something else: a batch
 * without an answer is sent again as the same one. Idempotent. It ends after 20 seconds; the same request goes on.
 * @throws NOT_FOUND; REFUSED with what the service says: nothing of that batch was sent
 */
export async function sendPayoutRun(
  given: ProgramCtx,
  settings: ServiceSettings,
  id: string,
  raw: unknown = {},
): Promise<void> {
  const ctx = lasting(given)
  refuseInShadow(ctx.program)
  const run = await findPayoutRun(ctx, id)
  const { confirmFileNotPaid = false } = await parseInput(sendPayoutRunInput, raw)
  if (run.handedOverAt && (run.state === 'sent' || run.state === 'paid')) return
  refuseClosed(run)
  refuseUnapproved(run)
  const opened = await openServiceOf(ctx, settings, run)
  refusePaused(opened)
  if (!run.handedOverAt) await refuseChanged(ctx, run)
  await withLease(ctx, settings, id, async (lease) => {
    await divideRun(ctx, settings, opened, id, (current) => refuseByFile(ctx, current, confirmFileNotPaid))
    await sendBatches(ctx, settings, opened, id, lease)
  })
}

function refuseByFile(
  ctx: ProgramCtx,
  { state, fetchedAt, fetchedByKind, fetchedById }: PayoutRun,
  isConfirmed: boolean,
) {
  if (state === 'sent')
    throw refused('The run was marked as sent by its file. Sent by the API too, it would be paid twice.')
  const { actorKind, actorId } = storedActor(ctx.actor)
  if (!fetchedAt || isConfirmed || (actorKind === fetchedByKind && actorId === fetchedById)) return
  // Keys are of code that reads a run with all that it has.
  if (actorKind === 'api_key' && fetchedByKind === 'api_key') return
  throw refused(
    `Somebody else read the file of the run at ${fetchedAt.toISOString()}. If it was paid at the service, these people are paid twice. If not, send the request with \`confirmFileNotPaid: true\`.`,
  )
}

export function refusePaused({ kind, row }: Opened): void {
  if (row.pausedAt) throw refused(`${kind.name} is paused: nothing is sent. Resume it with resumePayoutService.`)
}

/** Sends what waits or is unknown, until the time is over, the service is paused, or it has a problem. */
export async function sendBatches(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  opened: Opened,
  runId: string,
  lease: Lease,
): Promise<void> {
  const turn = startTurn(lease)
  const batches = (await batchesOf(ctx, runId)).filter(isUnsent)
  let payments = 0
  let problem: unknown = null
  for (const batch of batches) {
    if (turn.isOver() || (await isPaused(ctx, opened.row))) break
    await lease.extend()
    try {
      await handOverOnce(ctx, settings, opened, batch, turn)
      payments += await ctx.db.payoutRunItem.count({ where: { programId: ctx.program.id, batchId: batch.id } })
    } catch (error) {
      problem = error
      if (!(error instanceof ServiceProblem)) throw error
      break
    }
    await giveWay()
  }
  if (batches.length > 0) await noteUse(ctx, opened, { use: 'sent', usedForPayments: payments, runId }, problem)
  await planNextStep(ctx, settings, opened, runId, problem)
  if (problem instanceof ServiceProblem && !laterKinds.has(problem.kind)) throw refused(problem.message)
}

/** What needs no person: the background goes on with it. */
const laterKinds: ReadonlySet<ServiceProblem['kind']> = new Set(['unanswered', 'limited', 'unfinished'])

/** If the service refuses single payments, they have failed, and the batch is sent without them, once. */
async function handOverOnce(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  opened: Opened,
  batch: PayoutBatch,
  turn: Turn,
) {
  try {
    await handOver(ctx, settings, opened, batch, turn)
  } catch (error) {
    if (!(error instanceof ServiceProblem) || !error.details.payments?.length) throw error
    await handOver(ctx, settings, opened, batch, turn)
  }
}
