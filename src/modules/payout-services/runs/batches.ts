import { sqlWithin, statement } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { PayoutBatch, PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import { storedActor } from '../../history/actor.ts'
import { lockRun } from '../../payouts/runs/find.ts'
import { refuseClosed } from '../../payouts/runs/mark.ts'
import { recordRun, refuseUnapproved } from '../../payouts/runs/record.ts'
import type { Opened } from '../access.ts'
import { lockService } from '../find.ts'
import type { ServiceSettings } from '../settings.ts'
import { refuseAboveLimits } from './limits.ts'

/** Of batches that the service does not have, as far as is known. */
export const unsentStates = ['waiting', 'unknown'] as const satisfies readonly PayoutBatch['state'][]
export const isUnsent = ({ state }: PayoutBatch): boolean => unsentStates.some((one) => one === state)

/** When the background looks for a run whose sender has died: its lease has ended by then. */
const afterDeathMs = 2 * 60_000

const open = statement<{ id: string; isNewRecipient: boolean }>(`
  select id::text, is_new_recipient as "isNewRecipient" from payout_run_items
  where program_id = $1::uuid and run_id = $2::uuid and state = 'prepared' and batch_id is null
  order by is_new_recipient, id`)
const assign = statement(`
  update payout_run_items set batch_id = $2::uuid where program_id = $1::uuid and id = any($3::uuid[])`)

/**
 * Divides what is open of a run into batches, before anything is sent: from now on its amounts are fixed, as those of
 * a file that somebody has read. If this process dies, the background goes on with them. First payments to an address
 * are in batches of their own, which come last.
 * @param refuse checks a run that was not handed over yet, under its lock
 * @throws REFUSED
 */
export async function divideRun(
  ctx: ProgramCtx,
  settings: ServiceSettings,
  { kind, row }: Opened,
  runId: string,
  refuse: (run: PayoutRun) => void,
): Promise<PayoutRun> {
  return withTransaction(
    ctx.db,
    async (tx) => {
      // Runs that begin at the same moment wait for each other, so that each sees what the others will send.
      const service = await lockService(tx, row)
      const run = await lockRun(tx, ctx, runId)
      refuseClosed(run)
      refuseUnapproved(run)
      if (!run.handedOverAt) {
        refuse(run)
        await refuseAboveLimits({ db: tx, program: ctx.program }, settings, service ?? row, run)
      }
      const items = await sqlWithin(tx).query(open, [run.programId, run.id])
      const now = ctx.now()
      let number = await tx.payoutBatch.count({ where: { programId: run.programId, runId } })
      for (const ids of inBatches(items, kind.mostInBatch)) {
        number += 1
        const id = mintId(now)
        const batch = { programId: run.programId, id, runId, number, state: 'waiting' as const }
        await tx.payoutBatch.create({ data: { ...batch, createdAt: now, updatedAt: now } })
        await sqlWithin(tx).query(assign, [run.programId, id, ids])
      }
      const nextStepAt = new Date(settings.now().getTime() + afterDeathMs)
      await tx.payoutRun.update({ where: keyOfBatch(run), data: { nextStepAt } })
      return run.handedOverAt ? run : noteHandedOver(tx, ctx, run, row.service, now)
    },
    { isLong: true },
  )
}

async function noteHandedOver(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  run: PayoutRun,
  service: PayoutRun['service'],
  now: Date,
): Promise<PayoutRun> {
  const { actorKind: fetchedByKind, actorId: fetchedById } = storedActor(ctx.actor)
  const fetched = run.fetchedAt ? {} : { fetchedAt: now, fetchedByKind, fetchedById }
  const after = await tx.payoutRun.update({
    where: { programId_id: { programId: run.programId, id: run.id } },
    data: { ...fetched, handedOverAt: now, service, updatedAt: now },
  })
  await recordRun(tx, ctx, 'handed_over', run, after, now)
  return after
}

function inBatches(items: readonly { id: string; isNewRecipient: boolean }[], most: number): string[][] {
  const batches: string[][] = []
  for (const isNew of [false, true]) {
    const ids = items.filter(({ isNewRecipient }) => isNewRecipient === isNew).map(({ id }) => id)
    for (let from = 0; from < ids.length; from += most) batches.push(ids.slice(from, from + most))
  }
  return batches
}

export const batchesOf = ({ db, program }: ProgramCtx, runId: string): Promise<PayoutBatch[]> =>
  db.payoutBatch.findMany({ where: { programId: program.id, runId }, orderBy: { number: 'asc' } })

export const keyOfBatch = ({ programId, id }: Pick<PayoutBatch, 'programId' | 'id'>) => ({
  programId_id: { programId, id },
})
