import type { z } from 'zod'
import { withTransaction } from '../../database/transaction.ts'
import type { Campaign, Commission, Prisma, Referral } from '../../generated/prisma/client.ts'
import type { HeldReason, MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findByIdOrImportedId } from '../../kernel/lookup.ts'
import { carries, type Page, readRows, updatedBetween } from '../../kernel/pagination/page.ts'
import { type Fact, recordMoneyEvents } from '../history/money-events.ts'
import { lockAffiliates, settleOpenPayouts } from '../payouts/settle.ts'
import type { History } from './calculate.ts'
import { listCommissionsInput } from './input.ts'
import { newCommission } from './new-commission.ts'
import { inCommissionState, unsettled } from './state.ts'

/** The history of a referral that is created for its first sale. */
export const noHistory: History = { commissions: 0, firstOccurredAt: null }

/** Reads what a referral has earned so far. The caller holds the lock of the referral. */
export async function readHistory(
  tx: Prisma.TransactionClient,
  referral: Pick<Referral, 'programId' | 'id'>,
): Promise<History> {
  const [history] = await tx.$queryRaw<[History]>`
    select (count(*) filter (where voided_at is null))::int as commissions, min(occurred_at) as "firstOccurredAt"
    from commissions
    where program_id = ${referral.programId}::uuid and referral_id = ${referral.id}::uuid and refund_id is null`
  return history
}

/** Inserts the commission that a sale earned, and its facts: that it was earned, and that it is held. */
export async function insertCommission(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  sale: Parameters<typeof newCommission>[1],
  campaign: Campaign,
  earned: { amountCents: bigint; currency: string; heldReason: HeldReason | null },
  now: Date,
): Promise<void> {
  const { heldReason } = earned
  const commission = { ...newCommission(mintId(now), sale, campaign, earned, now), heldReason }
  await tx.commission.create({ data: commission })
  const facts: Fact[] = [{ commission, kind: 'earned', deltaCents: earned.amountCents }]
  if (heldReason) facts.push({ commission, kind: 'held', deltaCents: 0n, reason: heldReason })
  await recordMoneyEvents(tx, ctx, facts, now)
}

/** Voids a commission that is not paid. Idempotent. @throws NOT_FOUND; REFUSED if the commission is paid */
export async function voidCommission(ctx: ProgramCtx, id: string): Promise<void> {
  const commission = await findCommission(ctx, id)
  const changed = await changeUnsettled(ctx, commission, 'voided', (now) => ({ voidedAt: now, payoutId: null }))
  if (changed) return
  const { paidAt } = await findCommission(ctx, id)
  if (paidAt) throw refused("A paid commission can't be voided.")
}

/**
 * Approves a held commission, which then becomes due on its due date. A commission that is not held stays unchanged. To
 * reject a held commission, void it.
 *
 * @throws NOT_FOUND; REFUSED if the commission is void
 */
export async function approveCommission(ctx: ProgramCtx, id: string): Promise<void> {
  const commission = await findCommission(ctx, id)
  if (!commission.voidedAt && !commission.heldReason) return
  const changed = await changeUnsettled(ctx, commission, 'approved', () => ({ heldReason: null }), {
    heldReason: { not: null },
  })
  if (!changed && (await findCommission(ctx, id)).voidedAt) throw refused("A void commission can't be approved.")
}

/**
 * Changes a commission that is neither paid nor void, records the fact, and recalculates the open payout, in one
 * transaction.
 *
 * @param only a further condition that the commission has to meet
 * @returns false if the commission did not meet the conditions any more
 */
async function changeUnsettled(
  ctx: ProgramCtx,
  commission: Commission,
  kind: MoneyEventKind,
  changeAt: (now: Date) => { voidedAt?: Date; payoutId?: null; heldReason?: null },
  only: Prisma.CommissionWhereInput = {},
): Promise<boolean> {
  return withTransaction(ctx.db, async (tx) => {
    const { programId, id, affiliateId } = commission
    await lockAffiliates(tx, programId, [affiliateId])
    const now = ctx.now()
    const { count } = await tx.commission.updateMany({
      where: { programId, id, ...unsettled, ...only },
      data: { ...changeAt(now), updatedAt: now },
    })
    if (count === 0) return false
    await recordMoneyEvents(tx, ctx, [{ commission, kind, deltaCents: 0n }], now)
    await settleOpenPayouts(tx, ctx, [affiliateId], now)
    return true
  })
}

/** @throws NOT_FOUND */
export async function findCommission(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Commission> {
  return findByIdOrImportedId(ctx, 'commission', id, (where) => ctx.db.commission.findUnique({ ...query, where }))
}

export async function listCommissions(
  ctx: ProgramCtx,
  raw: unknown,
  query: Prisma.CommissionDefaultArgs = {},
): Promise<Page<Commission>> {
  const input = await parseInput(listCommissionsInput, raw)
  const where = commissionsWhere(ctx, input)
  return readRows(input, ctx.db.commission, where, query)
}

/** The condition for the commissions that the filters of a list select. */
export function commissionsWhere(
  ctx: ProgramCtx,
  input: z.output<typeof listCommissionsInput>,
): Prisma.CommissionWhereInput {
  const now = ctx.now()
  return {
    programId: ctx.program.id,
    ...updatedBetween(input),
    affiliateId: carries(input.affiliateId),
    campaignId: carries(input.campaignId),
    ...(input.state && { OR: input.state.map((state) => inCommissionState(state, now)) }),
  }
}
