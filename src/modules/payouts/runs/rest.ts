import type { PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { methods } from '../../payout-methods/all.ts'
import { correct } from '../payments/correct.ts'
import { lockAffiliates } from '../settle.ts'
import { leavingOf } from './leaving.ts'
import type { RunPayout } from './pages.ts'

/**
 * Locks the affiliates of payouts of which a file pays no parts of a unit, and reads their amounts again: the rest is
 * moved to the next payout. Other payouts are not locked, because a run can take 50,000.
 */
export async function inWholeUnits(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  { method }: PayoutRun,
  payouts: readonly RunPayout[],
): Promise<RunPayout[]> {
  const parts = payouts.filter((payout) => restOf(payout, method) !== 0n)
  if (parts.length === 0) return [...payouts]
  await lockAffiliates(
    tx,
    program.id,
    parts.map(({ affiliateId }) => affiliateId),
  )
  const where = { programId: program.id, id: { in: parts.map(({ id }) => id) } }
  const now = await tx.payout.findMany({ where, select: { id: true, amountCents: true } })
  const amounts = new Map(now.map(({ id, amountCents }) => [id, amountCents]))
  return payouts.map((payout) => ({ ...payout, amountCents: amounts.get(payout.id) ?? payout.amountCents }))
}

/** What the payment of a payout does not settle. */
function restOf(payout: RunPayout, method: PayoutMethod): bigint {
  const { amountCents, withheldCents } = leavingOf(payout, method)
  return payout.amountCents - amountCents - withheldCents
}

/** Makes the payouts what the file pays. The rest is due in the next payout. */
export async function carryRest(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { method, createdAt }: PayoutRun,
  payouts: readonly RunPayout[],
  itemIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { rounding } = methods[method]
  if (!rounding) return
  const differences = payouts.flatMap((payout) => {
    const itemId = itemIds.get(payout.id)
    const { id, affiliateId, currency, amountCents } = payout
    const deltaCents = -restOf(payout, method)
    return itemId && deltaCents !== 0n
      ? [
          {
            item: { id: itemId, affiliateId, currency },
            deltaCents,
            withheldCents: 0n,
            payout: { id, amountCents },
            reason: rounding.reasonIn(currency),
          },
        ]
      : []
  })
  await correct(tx, ctx, differences, createdAt)
}
