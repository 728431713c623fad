import type { PayoutBatch } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { giveWay } from '../../../kernel/slices.ts'
import { findPayoutRun } from '../../payouts/runs/find.ts'
import { openItemStates } from '../../payouts/runs/input.ts'
import { noteUse, type Opened } from '../access.ts'
import type { Heard } from '../kinds/kind.ts'
import { ourIdOf } from '../our-ids.ts'
import { ServiceProblem } from '../problem.ts'
import type { ServiceSettings } from '../settings.ts'
import { batchesOf } from './batches.ts'
import { handOver } from './hand-over.ts'
import { recordHeard } from './hear.ts'
import { type Lease, withLease } from './lease.ts'
import { planNextStep } from './next-step.ts'
import { lasting, openServiceOf } from './send.ts'
import { startTurn, type Turn } from './turn.ts'

/**
 * Asks the service what became of the payments of a run, and records it. A batch whose answer was lost is asked for by
 * our id: it is sent again as the same one, which the service takes once.
 * @throws NOT_FOUND; REFUSED with what the service says
 */
export async function refreshPayoutRun(given: ProgramCtx, settings: ServiceSettings, id: string): Promise<void> {
  const ctx = lasting(given)
  const run = await findPayoutRun(ctx, id)
  if (!run.handedOverAt) throw refused('The run was not sent by the API of a service, so there is nothing to ask for.')
  const opened = await openServiceOf(ctx, settings, run)
  await withLease(ctx, settings, id, (lease) => askForRun(ctx, settings, opened, id, lease))
}

export async function askForRun(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  opened: Opened,
  runId: string,
  lease: Lease,
): Promise<void> {
  const turn = startTurn(lease)
  let payments = 0
  let problem: unknown = null
  const all = (await batchesOf(ctx, runId)).filter(({ state }) => state !== 'waiting')
  const inTurn = all.toSorted((a, b) => (a.askedAt?.getTime() ?? 0) - (b.askedAt?.getTime() ?? 0))
  for (const batches of await askedTogether(ctx, opened, inTurn)) {
    if (turn.isOver()) break
    await lease.extend()
    try {
      payments += await askForBatches(ctx, settings, opened, batches, turn)
    } catch (error) {
      if (!(error instanceof ServiceProblem)) throw error
      problem = error
      if (error.kind !== 'refused') break
    }
    await giveWay()
  }
  if (all.length > 0) await noteUse(ctx, opened, { use: 'asked', usedForPayments: payments, runId }, problem)
  await planNextStep(ctx, settings, opened, runId, problem, { isSent: false })
  if (problem instanceof ServiceProblem && problem.kind !== 'limited' && problem.kind !== 'unfinished')
    throw refused(problem.message)
}

/** The batches that something is to ask for, so many together as the service takes. Unknown ones are single. */
async function askedTogether(ctx: ProgramCtx, { kind }: Opened, all: readonly PayoutBatch[]): Promise<PayoutBatch[][]> {
  const groups: PayoutBatch[][] = all.filter(isUnknown).map((batch) => [batch])
  let group: PayoutBatch[] = []
  for (const batch of all) {
    if (isUnknown(batch) || !(await hasOpenItems(ctx, batch))) continue
    if (group.length % kind.asksAtOnce === 0) {
      group = []
      groups.push(group)
    }
    group.push(batch)
  }
  return groups
}

const isUnknown = ({ state }: PayoutBatch) => state === 'unknown'

async function hasOpenItems({ db }: ProgramCtx, { programId, id }: PayoutBatch): Promise<boolean> {
  const open = {
    OR: [{ state: { in: [...openItemStates] } }, { isUnknown: true }],
  }
  return (
    (await db.payoutRunItem.findFirst({ where: { programId, batchId: id, ...open }, select: { id: true } })) !== null
  )
}

/** @returns of how many payments the service has said something */
async function askForBatches(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  opened: Opened,
  batches: readonly PayoutBatch[],
  turn: Turn,
): Promise<number> {
  const [batch] = batches
  if (batch && isUnknown(batch)) {
    // Asking for it by our id is sending it again, which a pause forbids.
    if (opened.row.pausedAt) return 0
    // If nothing of it is left to send, the service may still say something of its payments.
    await handOver(ctx, settings, opened, batch, turn)
  }
  const where = { programId: ctx.program.id, id: { in: batches.map(({ id }) => id) } }
  const known = await ctx.db.payoutBatch.findMany({ where, orderBy: { number: 'asc' } })
  const serviceIds = known.flatMap(({ serviceId }) => serviceId ?? [])
  const [first] = known
  if (!first || serviceIds.length === 0) return 0
  const { kind, access } = opened
  const tried = known.map(({ firstTriedAt, createdAt }) => (firstTriedAt ?? createdAt).getTime())
  let count = 0
  for await (const page of kind.ask(access, serviceIds, new Date(Math.min(...tried)))) {
    settings.onStep?.('after page')
    await turn.goOn()
    count += page.payments.length
    await recordHeard(ctx, kind, first.runId, page.payments)
    if (page.rest) await recordHeard(ctx, kind, first.runId, await restOf(ctx, first, page.rest))
    const asked = { serviceState: page.word, askedAt: settings.now() }
    await ctx.db.payoutBatch.updateMany({ where, data: asked })
  }
  return count
}

/** What is said of a batch as a whole, of each of its payments that is not decided. */
async function restOf({ db }: ProgramCtx, { programId, id }: PayoutBatch, rest: Omit<Heard, 'ourId' | 'serviceId'>) {
  const where = { programId, batchId: id, state: { in: ['prepared' as const, 'sent' as const] } }
  const items = await db.payoutRunItem.findMany({ where, select: { id: true } })
  return items.map((item): Heard => ({ ...rest, ourId: ourIdOf(item.id), serviceId: null }))
}
