import { sqlWithin } from '../../../database/client/sql.ts'
import { lockExternalIds } from '../../referrals/lock.ts'
import { applyWaitingRefunds } from '../../sales/refunds/waiting.ts'
import type { Batch } from '../batch.ts'
import { leaveOut } from '../plan.ts'
import { type CommissionRecord, isImported, readExisting } from './existing.ts'
import { keepForShadow, withoutLaterSales } from './keep-for-shadow.ts'
import { matchPayouts, readPayouts } from './paid-payouts.ts'
import { newWrites } from './plan.ts'
import { paidNegatives, planNegatives } from './plan-negative.ts'
import { draftNewCommissions, paidDrafts, planNewCommissions } from './plan-new.ts'
import { paidUpdates, planUpdates, updatesOf } from './plan-updates.ts'
import { sourceState } from './state.ts'
import { writeCommissions } from './write.ts'

/** Imports commissions with their sales, new and changed. A negative one deducts from a paid one here. */
export async function importCommissions(batch: Batch, all: CommissionRecord[]): Promise<void> {
  if (batch.ctx.program.isShadow) return keepForShadow(batch, all)
  const records = withoutLaterSales(batch, all)
  // A refund that is reported before its sale takes these locks too.
  await lockExternalIds(
    sqlWithin(batch.tx),
    batch.ctx.program.id,
    records.flatMap(({ saleBillingId }) => saleBillingId ?? []),
  )
  const existing = await readExisting(batch, records)
  const writes = newWrites()
  const known = records.filter((record) => {
    if (sourceState(record)) return true
    const problem = { field: 'state', message: `The state "${record.state}" is unknown.` }
    leaveOut(batch, 'commission', record.externalId, problem)
    return false
  })
  const [negative, positive] = [
    known.filter((record) => !isImported(existing, record) && record.amountCents < 0n),
    known.filter((record) => !isImported(existing, record) && record.amountCents >= 0n),
  ]
  const drafts = draftNewCommissions(batch, existing, writes, positive)
  // Drafting matches some records with commissions that exist here: they are updates from then on.
  const updates = updatesOf(
    existing,
    known.filter((record) => isImported(existing, record)),
  )
  const paid = [...paidDrafts(drafts), ...paidNegatives(batch, existing, negative), ...paidUpdates(batch, updates)]
  const payouts = await readPayouts(batch, paid)
  const matches = matchPayouts(batch, payouts, paid)
  planNewCommissions(batch, existing, writes, drafts, matches)
  planNegatives(batch, existing, writes, negative, { matches, rows: payouts.rows })
  planUpdates(batch, existing, writes, updates, matches)
  await writeCommissions(batch, writes, payouts.rows)
  await applyWaitingRefunds(
    batch.ctx,
    batch.tx,
    writes.sales.flatMap(({ externalId }) => externalId ?? []),
  )
}
