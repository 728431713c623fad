import { withTransaction } from '../../../database/client/transaction.ts'
import type { PayoutBatch, PayoutRunItem, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { payeeNameOf } from '../../payout-methods/payee.ts'
import { applyFacts } from '../../payouts/runs/apply-facts.ts'
import { lockRun } from '../../payouts/runs/find.ts'
import { recordRun, refuseUnapproved } from '../../payouts/runs/record.ts'
import { closeRun, lockItems } from '../../payouts/runs/steps.ts'
import type { Opened } from '../access.ts'
import { lockService } from '../find.ts'
import type { BatchToSend, HeardBatch, PaymentToSend, SentBatch, Steps } from '../kinds/kind.ts'
import { idOf, ourIdOf } from '../our-ids.ts'
import { type RefusedPayment, ServiceProblem } from '../problem.ts'
import type { ServiceSettings } from '../settings.ts'
import { keyOfBatch } from './batches.ts'
import { recordHeard } from './hear.ts'
import type { Turn } from './turn.ts'

/** Before the service's protection ends, so that a slow clock does not matter. */
const marginDays = 1
const dayMs = 86_400_000

/**
 * Hands one batch over. That it will be called is committed before the call: if this process dies, or no answer comes,
 * its payments are unknown, and the same batch is sent again, which the service takes once. That a later call failed
 * does not say what became of the first one, so only an answer, or a person, ends that they are unknown.
 * A service that needs several calls gets them one by one, each after what it needs of the one before was committed.
 * @param turn keeps the run, and says when the time is over
 * @returns whether the service has it now. False: nothing of it is left to send
 * @throws ServiceProblem
 */
export async function handOver(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  opened: Opened,
  batch: PayoutBatch,
  turn: Turn,
): Promise<boolean> {
  const { onStep } = settings
  onStep?.('before intent')
  const { payments, wasUnknown, serviceId, firstTriedAt } = await intend(ctx, settings, opened, batch)
  if (payments.length === 0) return false
  onStep?.('after intent')
  const toSend: BatchToSend = { ourId: ourIdOf(batch.id), program: ctx.program, payments }
  const steps: Steps = {
    serviceId,
    firstTriedAt,
    keep: (id) => keepServiceId(ctx, batch, id),
    async next(step) {
      onStep?.(step)
      await turn.goOn()
    },
    record: (heard) => recordHeard(ctx, opened.kind, batch.runId, heard),
  }
  let taken: SentBatch
  try {
    taken = await opened.kind.send(opened.access, toSend, steps)
  } catch (error) {
    onStep?.('after failed call')
    if (error instanceof ServiceProblem && error.isSure && !wasUnknown) await takeBack(ctx, batch, error)
    throw error
  }
  onStep?.('after call')
  // What was refused is recorded first: what is open after that is sent.
  if (taken.payments?.length) await recordHeard(ctx, opened.kind, batch.runId, taken.payments)
  await noteTaken(ctx, batch, taken)
  onStep?.('after answer')
  return true
}

/** After some weeks a service forgets our ids, so that the same batch would be paid again. A person has to act. */
function refuseTooOld({ kind }: Opened, { now }: ServiceSettings, { state, firstTriedAt }: PayoutBatch): void {
  if (state !== 'unknown' || !firstTriedAt) return
  const days = (now().getTime() - firstTriedAt.getTime()) / dayMs
  if (kind.protectsDays === null || days < kind.protectsDays - marginDays) return
  throw new ServiceProblem(
    'refused',
    `${kind.name} knows our ids for ${kind.protectsDays} days only, so a batch of ${firstTriedAt.toISOString()} is not sent again. Record what its page says of the payments.`,
  )
}

type Intent = { payments: PaymentToSend[]; wasUnknown: boolean; serviceId: string | null; firstTriedAt: Date }

const keepServiceId = async ({ db, now }: ProgramCtx, batch: PayoutBatch, serviceId: string): Promise<void> =>
  void (await db.payoutBatch.update({ where: keyOfBatch(batch), data: { serviceId, updatedAt: now() } }))

/** Asked for at another account, what is unknown at this one would be paid again. @throws REFUSED */
async function refuseOtherAccount(tx: Prisma.TransactionClient, { kind, row }: Opened): Promise<void> {
  const current = await lockService(tx, row)
  if (current?.account !== row.account)
    throw refused(
      `${kind.name} was disconnected meanwhile, or another account was connected. The batch was not sent: send again.`,
    )
}

/** Commits that the batch will be sent. Its payments are unknown from here on. */
async function intend(ctx: ProgramCtx, settings: ServiceSettings, opened: Opened, batch: PayoutBatch): Promise<Intent> {
  return withTransaction(ctx.db, async (tx) => {
    await refuseOtherAccount(tx, opened)
    const run = await lockRun(tx, ctx, batch.runId)
    refuseUnapproved(run)
    const current = await tx.payoutBatch.findUniqueOrThrow({ where: keyOfBatch(batch) })
    const wasUnknown = current.state === 'unknown'
    const at = settings.now()
    const known = { wasUnknown, serviceId: current.serviceId, firstTriedAt: current.firstTriedAt ?? at }
    const where = { programId: batch.programId, batchId: batch.id, state: 'prepared' as const }
    const items = await tx.payoutRunItem.findMany({ where, orderBy: { id: 'asc' }, include: { affiliate: true } })
    const ids = items.map(({ id }) => id)
    if (ids.length === 0) return { ...known, payments: [] }
    refuseTooOld(opened, settings, current)
    await tx.payoutRunItem.updateMany({ where: { ...where, id: { in: ids } }, data: { isUnknown: true } })
    await tx.payoutBatch.update({
      where: keyOfBatch(batch),
      data: { state: 'unknown', firstTriedAt: known.firstTriedAt, triedAt: at, updatedAt: at },
    })
    const payments = items.map((item) => ({
      ourId: ourIdOf(item.id),
      cents: item.amountCents,
      currency: item.currency,
      recipient: item.recipient ?? '',
      name: payeeNameOf(item.affiliate),
      isBusiness: item.affiliate.recipientType === 'business',
    }))
    return { ...known, payments }
  })
}

/** The service has the batch. */
export async function noteTaken(
  ctx: ProgramCtx,
  batch: PayoutBatch,
  { serviceId, word, handOver }: HeardBatch,
): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    const run = await lockRun(tx, ctx, batch.runId)
    const now = ctx.now()
    const current = await tx.payoutBatch.findUniqueOrThrow({ where: keyOfBatch(batch) })
    await tx.payoutBatch.update({
      where: keyOfBatch(batch),
      data: {
        state: handOver ? 'handed_over' : 'sent',
        handOver: handOver?.text ?? null,
        expiresAt: handOver?.expiresAt ?? null,
        serviceId,
        serviceState: word,
        sentAt: current.sentAt ?? now,
        updatedAt: now,
      },
    })
    const payments = await lockItems(tx, ctx, await openItems(tx, batch))
    const said = [{ kind: 'sent' as const, reference: serviceId }]
    const open = payments.filter(({ state }) => state === 'prepared')
    await applyFacts(
      tx,
      ctx,
      run,
      open.map((payment) => ({ payment, said })),
      now,
    )
    await noteAllSent(tx, ctx, batch.runId, now)
  })
}

const openItems = (
  tx: Prisma.TransactionClient,
  { programId, id }: PayoutBatch,
): Promise<Pick<PayoutRunItem, 'id' | 'affiliateId'>[]> =>
  tx.payoutRunItem.findMany({
    where: { programId, batchId: id, state: 'prepared' },
    select: { id: true, affiliateId: true },
  })

/** The service surely does not have the batch: it can be sent again. Payments that it refuses have failed. */
async function takeBack(ctx: ProgramCtx, batch: PayoutBatch, { details }: ServiceProblem): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    const run = await lockRun(tx, ctx, batch.runId)
    const now = ctx.now()
    await tx.payoutBatch.update({ where: keyOfBatch(batch), data: { state: 'waiting', updatedAt: now } })
    const where = { programId: batch.programId, batchId: batch.id, isUnknown: true }
    await tx.payoutRunItem.updateMany({ where, data: { isUnknown: false } })
    const ofPayments = new Map((details.payments ?? []).map((one) => [idOf(one.ourId), one]))
    if (ofPayments.size === 0) return
    const items = (await openItems(tx, batch)).filter(({ id }) => ofPayments.has(id))
    const facts = (await lockItems(tx, ctx, items)).map((payment) => {
      const { reason } = ofPayments.get(payment.id) as RefusedPayment
      return { payment, said: [{ kind: 'failed' as const, reason }] }
    })
    await applyFacts(tx, ctx, run, facts, now)
    await closeRun(tx, ctx, run, {}, now)
  })
}

/** A run is sent when the service has all that is open of it. */
async function noteAllSent(tx: Prisma.TransactionClient, ctx: ProgramCtx, runId: string, now: Date): Promise<void> {
  const programId = ctx.program.id
  const left = await tx.payoutRunItem.count({ where: { programId, runId, state: 'prepared' } })
  const run = await lockRun(tx, ctx, runId)
  if (left > 0 || (run.state !== 'prepared' && run.state !== 'approved')) return
  const after = await tx.payoutRun.update({
    where: { programId_id: { programId, id: runId } },
    data: { state: 'sent', sentAt: now, updatedAt: now },
  })
  await recordRun(tx, ctx, 'sent', run, after, now)
}
