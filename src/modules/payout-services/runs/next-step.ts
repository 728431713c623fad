import type { ProgramCtx } from '../../../kernel/context.ts'
import { openItemStates } from '../../payouts/runs/input.ts'
import type { Opened } from '../access.ts'
import { isPaused } from '../find.ts'
import { ServiceProblem } from '../problem.ts'
import type { ServiceSettings } from '../settings.ts'
import { batchesOf, isUnsent, unsentStates } from './batches.ts'

/** A lost answer is asked for soon. */
const unknownMs = 30_000
const leastMs = 60_000
const mostMs = 6 * 3_600_000
/** How long a service that has a problem is left alone, unless it says how long. */
const problemMs = 5 * 60_000

/**
 * Plans when the background goes on with a run: soon if something is unknown or unsent, later the longer the service
 * has it, and never if everything is decided. A refusal waits for a person. Asking without a problem does not change
 * what keeps the rest from being sent.
 */
export async function planNextStep(
  ctx: ProgramCtx,
  { now }: ServiceSettings,
  { row }: Opened,
  runId: string,
  problem: unknown,
  { isSent = true } = {},
): Promise<void> {
  const where = { programId: ctx.program.id, id: runId }
  const batches = await batchesOf(ctx, runId)
  const isOpen = await ctx.db.payoutRunItem.findFirst({
    where: {
      programId: ctx.program.id,
      runId,
      state: { in: [...openItemStates] },
      batchId: { not: null },
    },
    select: { id: true },
  })
  // A paused service sends nothing, and is asked only for what it may have: resuming it sends the rest.
  const states = (await isPaused(ctx, row)) ? (['unknown'] as const) : unsentStates
  const unsent = await ctx.db.payoutRunItem.findFirst({
    where: { programId: ctx.program.id, runId, state: 'prepared', batch: { state: { in: [...states] } } },
    select: { id: true },
  })
  if (!isSent && problem === null && unsent) {
    const { serviceProblem } = await ctx.db.payoutRun.findFirstOrThrow({ where, select: { serviceProblem: true } })
    if (serviceProblem !== null) return
  }
  const at = now().getTime()
  const inMs = (): number | null => {
    if (!isOpen) return null
    if (problem instanceof ServiceProblem) {
      if (problem.kind === 'unfinished') return 0
      if (problem.kind === 'refused' || problem.kind === 'unauthorized')
        return batches.some((batch) => !isUnsent(batch)) ? problemMs : null
      const { retryAfterMs = problem.kind === 'unanswered' ? unknownMs : problemMs } = problem.details
      return Math.min(retryAfterMs, mostMs)
    }
    if (unsent) return unknownMs
    const ages = batches.flatMap(({ sentAt, triedAt }) =>
      (triedAt ?? sentAt) ? at - ((triedAt ?? sentAt) as Date).getTime() : [],
    )
    return Math.min(Math.max(Math.min(...ages) / 4, leastMs), mostMs)
  }
  const waitMs = inMs()
  await ctx.db.payoutRun.updateMany({
    where,
    data: {
      nextStepAt: waitMs === null ? null : new Date(at + waitMs),
      serviceProblem: problem instanceof ServiceProblem && problem.kind !== 'unfinished' ? problem.message : null,
    },
  })
}
