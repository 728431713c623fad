import type { z } from 'zod'
import { withTransaction } from '../../database/transaction.ts'
import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { idOfFormer } from '../../kernel/former-ids.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findById, inOrder } from '../../kernel/lookup.ts'
import { carries, type Page, readRows, updatedBetween } from '../../kernel/pagination/page.ts'
import { listPayoutsInput } from './input.ts'
import { lockAffiliates, settleOpenPayouts } from './settle.ts'
import { inConventionStates, inPayoutState } from './state.ts'

/**
 * Brings the commissions that became due into open payouts. Reading payouts starts with this, so that they are a
 * function of the clock and no worker has to run. Where nothing became due it is one look at a small index.
 * A debt alone opens no payout, but lowers one that is open.
 */
export async function gatherDueCommissions(ctx: ProgramCtx): Promise<void> {
  const now = ctx.now()
  const waiting = await ctx.db.$queryRaw<{ affiliate_id: string }[]>`
    select affiliate_id::text from commissions
    where program_id = ${ctx.program.id}::uuid and payout_id is null and paid_at is null and voided_at is null and held_reason is null
      and due_at <= ${now}::timestamptz
    group by affiliate_id, currency
    having sum(amount_cents) >= 0 or exists (
      select 1 from payouts
      where program_id = ${ctx.program.id}::uuid and affiliate_id = commissions.affiliate_id
        and currency = commissions.currency and paid_at is null)`
  if (waiting.length === 0) return
  const affiliateIds = [...new Set(waiting.map((row) => row.affiliate_id))]
  await withTransaction(ctx.db, async (tx) => {
    await lockAffiliates(tx, ctx.program.id, affiliateIds)
    // Not the moment of the look: what others did while this waited for its turn is to stand before it in the history.
    await settleOpenPayouts(tx, ctx, affiliateIds, ctx.now())
  })
}

/** @throws NOT_FOUND */
export async function findPayout(ctx: ProgramCtx, id: string, query: Prisma.PayoutDefaultArgs = {}): Promise<Payout> {
  const read = (own: string) =>
    ctx.db.payout.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id: own } } })
  return findById('Payout', id, read, idOfFormer(ctx, 'payout'))
}

/** Those of these payouts that there are, in the order of the ids. */
export async function findPayouts(
  ctx: ProgramCtx,
  ids: string[],
  query: Prisma.PayoutDefaultArgs = {},
): Promise<Payout[]> {
  const where = { programId: ctx.program.id, id: { in: ids.filter(isId) } }
  return inOrder(ids, await ctx.db.payout.findMany({ ...query, where }))
}

export async function listPayouts(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.PayoutDefaultArgs = {},
): Promise<Page<Payout>> {
  const input = await parseInput(listPayoutsInput, raw)
  await gatherDueCommissions(ctx)
  const where = {
    ...payoutsWhere(ctx, input),
    ...(input.conventionState && {
      AND: inConventionStates(input.conventionState, await minimumsOf(ctx)),
    }),
  }
  return readRows(input, ctx.db.payout, where, query)
}

async function minimumsOf({ db, program }: ProgramCtx): Promise<bigint[]> {
  const where = { programId: program.id }
  const rows = await db.campaign.findMany({
    where,
    distinct: 'minimumPayoutCents',
    select: { minimumPayoutCents: true },
  })
  return rows.map(({ minimumPayoutCents }) => minimumPayoutCents)
}

/** The rows that a list's filters choose, for whatever reads them. */
export const payoutsWhere = (
  ctx: ProgramCtx,
  input: Omit<z.output<typeof listPayoutsInput>, 'conventionState'>,
): Prisma.PayoutWhereInput => ({
  programId: ctx.program.id,
  ...updatedBetween(input),
  affiliateId: carries(input.affiliateId),
  ...(input.state && { OR: input.state.map((state) => inPayoutState[state]) }),
})
