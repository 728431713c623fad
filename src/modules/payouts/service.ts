import { isProgramClosed, isReadOnly } from '../../database/client/errors.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import { type Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { findByIdOrImportedId, inOrder } from '../../kernel/lookup.ts'
import { commissions } from '../../resources/commissions.ts'
import { openPayout } from './due.ts'
import { inOpenRun } from './open-runs.ts'
import { lockAffiliates, settleOpenPayouts } from './settle.ts'

/** Commissions that are collected in one transaction, if they are of several affiliates. */
const collectedAtOnce = 2_000
/** How long a read collects. The next read goes on with the rest. */
const collectsForMs = 2_000

/**
 * Collects due commissions into open payouts. Every read of payouts starts with this, so no background worker is
 * needed. If nothing became due, it costs one query on a small index. A debt alone opens no payout, but lowers an open
 * one. Payouts in an open run collect nothing. On a read-only database and in a closed program, payouts stay as they
 * are. Very many are collected in several transactions, each of some affiliates, so that other writers do not wait.
 * @param forMs after this time the rest is left to the next call
 */
export async function collectDueCommissions(ctx: ProgramCtx, { forMs = collectsForMs } = {}): Promise<void> {
  const startedAt = performance.now()
  for (const affiliateIds of inCollectedBatches(await readWaiting(ctx))) {
    if (!(await collectFor(ctx, affiliateIds)) || performance.now() - startedAt > forMs) return
  }
}

type Waiting = { affiliate_id: string; commissions: number }

const readWaiting = ({ db, program, now }: ProgramCtx): Promise<Waiting[]> =>
  db.$queryRaw<Waiting[]>`
    select affiliate_id::text, sum(commissions)::int as commissions
    from (
      select affiliate_id, count(*) as commissions from commissions
      where program_id = ${program.id}::uuid and payout_id is null and ${commissions.states.sql('due', now())}
        and not ${inOpenRun(Prisma.sql`commissions`)}
      group by affiliate_id, currency
      having sum(amount_cents) >= 0 or exists (
        select 1 from payouts
        where program_id = ${program.id}::uuid and affiliate_id = commissions.affiliate_id
          and currency = commissions.currency and ${openPayout})
    ) in_currency
    group by affiliate_id order by affiliate_id`

/** Affiliates whose commissions are collected together. */
function* inCollectedBatches(waiting: readonly Waiting[]): Generator<string[]> {
  let batch: string[] = []
  let count = 0
  for (const { affiliate_id: id, commissions } of waiting) {
    if (batch.length > 0 && count + commissions > collectedAtOnce) {
      yield batch
      batch = []
      count = 0
    }
    batch.push(id)
    count += commissions
  }
  if (batch.length > 0) yield batch
}

/** @returns whether the database and the program can be written */
const collectFor = (ctx: ProgramCtx, affiliateIds: string[]): Promise<boolean> =>
  withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, ctx.program.id, affiliateIds)
    // The clock is read now: changes that were made while this waited for the lock come first in the history.
    await settleOpenPayouts(tx, ctx, affiliateIds, ctx.now())
    return true
  }).catch((err: unknown) => {
    if (!isProgramClosed(err) && !isReadOnly(err)) throw err
    if (isReadOnly(err)) ctx.log.warn({ err }, 'due commissions not collected, database read-only')
    return false
  })

/** @throws NOT_FOUND */
export async function findPayout(ctx: ProgramCtx, id: string, query: Prisma.PayoutDefaultArgs = {}): Promise<Payout> {
  return findByIdOrImportedId(ctx, 'payout', id, (where) => ctx.db.payout.findUnique({ where, ...query }))
}

/** Finds payouts in the order of the ids. Unknown ids are left out. */
export async function findPayouts(
  ctx: ProgramCtx,
  ids: string[],
  query: Prisma.PayoutDefaultArgs = {},
): Promise<Payout[]> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  return inOrder(ids, await ctx.db.payout.findMany({ ...query, where }))
}
