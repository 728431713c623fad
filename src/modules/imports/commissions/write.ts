import type { Payout } from '../../../generated/prisma/client.ts'
import { settleOpenPayouts } from '../../payouts/settle.ts'
import { type Batch, recordHistory, updateRows } from '../batch.ts'
import { countReferrals } from '../referrals/counters.ts'
import { planPayoutRows } from './paid-payouts.ts'
import type { CommissionWrites } from './plan.ts'

/** Writes the planned rows, one statement a table, in the order of their foreign keys. */
export async function writeCommissions(
  batch: Batch,
  writes: CommissionWrites,
  payoutRows: ReadonlyMap<string, Payout>,
): Promise<void> {
  const { tx, ctx, now } = batch
  const referrals = [...writes.referrals.values()]
  await tx.referral.createMany({ data: referrals.filter(({ before }) => !before).map(({ after }) => after) })
  await updateRows(
    batch,
    'referrals',
    ['becameLeadAt', 'becameConversionAt', 'updatedAt'],
    referrals.filter(({ before }) => before).map(({ after }) => after),
  )
  await countReferrals(batch, referrals)
  await tx.sale.createMany({ data: writes.sales.map(({ items: _, decision: __, ...sale }) => sale) })
  await updateRows(
    batch,
    'sales',
    ['amountCents', 'refundedCents', 'updatedAt'],
    // Without the commissions and refunds that were read with the sale, which are not columns.
    [...writes.changedSales.values()].map(({ id, amountCents, refundedCents, updatedAt }) => {
      return { id, amountCents, refundedCents, updatedAt }
    }),
  )
  await tx.refund.createMany({ data: writes.refunds.map(({ items: _, ...refund }) => refund) })
  const payouts = planPayoutRows(ctx.program.id, payoutRows, writes.payments)
  await tx.payout.createMany({ data: payouts.created })
  await updateRows(
    batch,
    'payouts',
    ['amountCents'],
    payouts.updated.map(({ after }) => after),
  )
  for (const { id } of payouts.created) batch.payouts.set(id, 'created')
  for (const { after } of payouts.updated) batch.payouts.set(after.id, 'updated')
  await recordHistory(batch, payouts, {
    subject: 'payout',
    subjectId: ({ id }) => id,
    created: 'imported',
    updated: 'amount_changed',
  })
  await tx.commission.createMany({
    data: writes.commissions.map(({ ruleLines: _, furtherHeldReasons: __, ...commission }) => commission),
  })
  await updateRows(
    batch,
    'commissions',
    ['amountCents', 'dueAt', 'heldReason', 'furtherHeldReasons', 'payoutId', 'paidAt', 'voidedAt', 'updatedAt'],
    [...writes.changedCommissions.values()],
  )
  await tx.moneyEvent.createMany({ data: writes.events })
  if (writes.unsettledAffiliateIds.size > 0) await settleOpenPayouts(tx, ctx, [...writes.unsettledAffiliateIds], now)
}
