import { sqlWithin, statement } from '../../database/client/sql.ts'
import type { Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordMoneyEvents } from '../history/money-events.ts'
import { recordChanges } from '../history/record.ts'
import { settleOpenPayouts } from './settle.ts'

export type Payment = { payout: Payout; reference: string | null }

const setPaid = statement(`
  update payouts set paid_at = $2::timestamptz, updated_at = $2::timestamptz, reference = given.reference
  from jsonb_to_recordset($3::jsonb) as given (id uuid, reference text)
  where payouts.program_id = $1::uuid and payouts.id = given.id and payouts.paid_at is null and payouts.failed_at is null`)

/** Marks open payouts and their commissions as paid at the same instant. The caller holds the locks of their affiliates. */
export async function markPaid(tx: Prisma.TransactionClient, ctx: ProgramCtx, payments: Payment[]): Promise<void> {
  const open = payments.filter(({ payout }) => !payout.paidAt)
  if (open.length === 0) return
  const programId = ctx.program.id
  const now = ctx.now()
  const ids = open.map(({ payout }) => payout.id)
  const given = open.map(({ payout, reference }) => ({ id: payout.id, reference }))
  await sqlWithin(tx).query(setPaid, [programId, now.toISOString(), JSON.stringify(given)])
  const unpaid = { programId, payoutId: { in: ids }, paidAt: null }
  const commissions = await tx.commission.findMany({
    where: unpaid,
    select: { programId: true, id: true, currency: true },
  })
  await tx.commission.updateMany({ where: unpaid, data: { paidAt: now, updatedAt: now } })
  const facts = commissions.map((commission) => ({ commission, kind: 'paid' as const, deltaCents: 0n }))
  await recordMoneyEvents(tx, ctx, facts, now)
  const changes = open.map(({ payout: before, reference }) => ({
    subject: 'payout' as const,
    subjectId: before.id,
    action: 'paid' as const,
    before,
    after: { ...before, paidAt: now, reference },
  }))
  await recordChanges(tx, ctx, changes, now)
  const events = [
    ...commissions.flatMap(({ id }) => eventsOf(id, ['commission.updated', 'commission.paid'])),
    ...ids.flatMap((id) => eventsOf(id, ['payout.updated', 'payout.paid'])),
  ]
  await recordEvents(tx, ctx, events, now)
}

/** `reason` is in the facts of the commissions: why the payment did not arrive, or was a mistake. */
export type Reversal = { payout: Payout; reason: string }

/**
 * Closes payouts whose payment did not arrive, paid or not. Their commissions are due again, and are collected into the next
 * payout. The payout keeps its amount. The caller holds the locks of the affiliates.
 */
export async function markFailed(tx: Prisma.TransactionClient, ctx: ProgramCtx, reversals: Reversal[]): Promise<void> {
  if (reversals.length === 0) return
  const programId = ctx.program.id
  const now = ctx.now()
  const ids = reversals.map(({ payout }) => payout.id)
  const facts = await unpay(tx, ctx, reversals, { payoutId: null }, now)
  const data = { paidAt: null, sentAt: null, reference: null, failedAt: now, updatedAt: now }
  await tx.payout.updateMany({ where: { programId, id: { in: ids } }, data })
  const changes = reversals.map(({ payout: before }) => ({
    subject: 'payout' as const,
    subjectId: before.id,
    action: 'failed' as const,
    before,
    after: { ...before, ...data },
  }))
  await recordChanges(tx, ctx, changes, now)
  const events = [
    ...facts.flatMap((id) => eventsOf(id, ['commission.updated'])),
    ...ids.flatMap((id) => eventsOf(id, ['payout.updated', 'payout.failed'])),
  ]
  await recordEvents(tx, ctx, events, now)
  await settleOpenPayouts(tx, ctx, [...new Set(reversals.map(({ payout }) => payout.affiliateId))], now)
}

/** Adds the facts that commissions of payouts are not paid after all. Returns the ids of those that were. */
export async function unpay(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  reversals: readonly Reversal[],
  change: { payoutId?: null },
  now: Date,
): Promise<string[]> {
  const programId = ctx.program.id
  const reasons = new Map(reversals.map(({ payout, reason }) => [payout.id, reason]))
  const within = { programId, payoutId: { in: [...reasons.keys()] } }
  const commissions = await tx.commission.findMany({
    where: { ...within, paidAt: { not: null } },
    select: { programId: true, id: true, currency: true, payoutId: true },
  })
  await tx.commission.updateMany({ where: within, data: { ...change, paidAt: null, updatedAt: now } })
  const facts = commissions.map((commission) => {
    const reason = reasons.get(commission.payoutId ?? '') ?? ''
    return { commission, kind: 'unpaid' as const, deltaCents: 0n, reason }
  })
  await recordMoneyEvents(tx, ctx, facts, now)
  return commissions.map(({ id }) => id)
}
