import { recordChange } from '../changes/record.ts'
import type { ProgramCtx } from '../context.ts'
import { withTransaction } from '../database/transaction.ts'
import { notFound, refused } from '../errors.ts'
import type { Payout, Prisma } from '../generated/prisma/client.ts'
import { parseInput } from '../input/parse.ts'
import { findById } from '../lookup.ts'
import { recordMoneyEvents } from '../money-events/record.ts'
import { carries, type Page, readPage, updatedBetween } from '../pagination/page.ts'
import { listPayoutsInput } from './input.ts'
import { lockAffiliates, settleOpenPayouts } from './settle.ts'
import { inPayoutState } from './state.ts'

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
    await settleOpenPayouts(tx, ctx, affiliateIds, now)
  })
}

/**
 * Marks a payout and its commissions as paid, at one instant. What became due since the payout was last read is not
 * added: what is paid is what was seen. Paying again changes nothing.
 *
 * @throws NOT_FOUND; REFUSED below the campaign's minimum, which is read in the payout's own currency
 */
export async function payPayout(ctx: ProgramCtx, id: string): Promise<void> {
  const { affiliateId } = await findPayout(ctx, id)
  await withTransaction(ctx.db, async (tx) => {
    const programId = ctx.program.id
    await lockAffiliates(tx, programId, [affiliateId])
    const payout = await tx.payout.findUnique({
      where: { programId_id: { programId, id } },
      include: { affiliate: { include: { campaign: true } } },
    })
    if (!payout) throw notFound('Payout', id)
    if (payout.paidAt) return
    const minimum = payout.affiliate.campaign.minimumPayoutCents
    if (payout.amountCents < minimum) {
      throw refused(`The payout of ${payout.amountCents} is below the campaign's minimum of ${minimum}.`)
    }
    const now = ctx.now()
    const paid = { paidAt: now, updatedAt: now }
    await tx.payout.updateMany({ where: { programId, id, paidAt: null }, data: paid })
    const unpaid = { programId, payoutId: id, paidAt: null }
    const held = await tx.commission.findMany({ where: unpaid, select: { programId: true, id: true, currency: true } })
    await tx.commission.updateMany({ where: unpaid, data: paid })
    const facts = held.map((commission) => ({ commission, kind: 'paid' as const, deltaCents: 0n }))
    await recordMoneyEvents(tx, ctx, facts, now)
    const what = { subject: 'payout', subjectId: id, action: 'paid' } as const
    await recordChange(tx, ctx, what, payout, { ...payout, ...paid }, now)
  })
}

/** @throws NOT_FOUND */
export async function findPayout(ctx: ProgramCtx, id: string, query: Prisma.PayoutDefaultArgs = {}): Promise<Payout> {
  const where = { programId_id: { programId: ctx.program.id, id } }
  return findById('Payout', id, () => ctx.db.payout.findUnique({ ...query, where }))
}

export async function listPayouts(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.PayoutDefaultArgs = {},
): Promise<Page<Payout>> {
  const input = await parseInput(listPayoutsInput, raw)
  await gatherDueCommissions(ctx)
  const where: Prisma.PayoutWhereInput = {
    programId: ctx.program.id,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
    ...(input.state && { OR: input.state.map((state) => inPayoutState[state]) }),
  }
  return readPage(
    input,
    () => ctx.db.payout.count({ where }),
    (window) => ctx.db.payout.findMany({ ...query, where, ...window }),
  )
}
