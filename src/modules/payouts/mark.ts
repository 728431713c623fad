import { sqlWithin, statement } from '../../database/client/sql.ts'
import { inserted, type Write, writeTogether } from '../../database/client/write.ts'
import type { Commission, Payout, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { snakeCase } from '../../kernel/text.ts'
import { eventsOf, insertedEvents, recordEvents } from '../events/record.ts'
import { moneyEvents, recordMoneyEvents } from '../history/money-events.ts'
import { entriesOf, recordChanges } from '../history/record.ts'
import { settleOpenPayouts } from './settle.ts'

export type Payment = { payout: Payout; reference: string | null; withheldCents: bigint }

/** `offset 0` keeps the planner from reading all that is not paid, which it may expect to be little. */
const unpaidCommissions = statement<Pick<Commission, 'programId' | 'id' | 'currency' | 'payoutId'>>(`
  select program_id::text as "programId", own.id::text, currency, payout_id::text as "payoutId" from unnest($2::uuid[]) payout (id), lateral (
    select * from commissions where program_id = $1::uuid and payout_id = payout.id offset 0
  ) own where paid_at is null order by own.id`)

/** Updates `payouts` from rows whose columns are the key and those that change. */
export const updatedPayouts = (rows: readonly object[]): Write => {
  const [first] = rows
  const changed = Object.keys(first ?? {}).filter((name) => name !== 'programId' && name !== 'id')
  const set = changed.map(snakeCase).map((column) => `${column} = given.${column}`)
  return {
    name: 'payouts',
    sql: `update payouts set ${set.join(', ')} from jsonb_populate_recordset(null::payouts, $1::jsonb -> 'payouts') given
      where payouts.program_id = given.program_id and payouts.id = given.id`,
    rows,
  }
}

const paidCommissions = (rows: readonly object[]): Write => ({
  name: 'commissions',
  sql: `update commissions set paid_at = given.paid_at, updated_at = given.paid_at
    from jsonb_populate_recordset(null::commissions, $1::jsonb -> 'commissions') given
    where commissions.program_id = given.program_id and commissions.id = given.id`,
  rows,
})

/**
 * Marks open payouts and their commissions as paid at the same instant, in one statement. The caller holds the locks
 * of their affiliates.
 */
export async function markPaid(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payments: readonly Payment[],
): Promise<void> {
  const open = payments.filter(({ payout }) => !payout.paidAt)
  if (open.length === 0) return
  const programId = ctx.program.id
  const now = ctx.now()
  const ids = open.map(({ payout }) => payout.id)
  const commissions = await sqlWithin(tx).query(unpaidCommissions, [programId, ids])
  const withheld = new Map(open.map(({ payout, withheldCents }) => [payout.id, withheldCents]))
  const facts = commissions.map((commission) => {
    const payoutId = commission.payoutId as string
    const withheldCents = withheld.get(payoutId) ?? 0n
    withheld.delete(payoutId)
    return { commission, kind: 'paid' as const, deltaCents: 0n, withheldCents }
  })
  const changes = open.map(({ payout: before, reference }) => ({
    subject: 'payout' as const,
    subjectId: before.id,
    action: 'paid' as const,
    before,
    after: { ...before, paidAt: now, reference },
  }))
  const paidById = ctx.actor.kind === 'api_key' ? ctx.actor.id : null
  const events = [
    ...commissions.flatMap(({ id }) => eventsOf(id, ['commission.updated', 'commission.paid'])),
    ...ids.flatMap((id) => eventsOf(id, ['payout.updated', 'payout.paid'])),
  ]
  await writeTogether(sqlWithin(tx), [
    updatedPayouts(
      open.map(({ payout: { id }, reference }) => ({
        programId,
        id,
        paidAt: now,
        updatedAt: now,
        reference,
        paidById,
      })),
    ),
    paidCommissions(commissions.map(({ id }) => ({ programId, id, paidAt: now }))),
    inserted('money_events', moneyEvents(ctx, facts, now)),
    inserted('changes', entriesOf(ctx, changes, now)),
    insertedEvents(ctx, events, now),
  ])
}

/** `reason` is in the facts of the commissions: why the payment did not arrive, or was a mistake. */
export type Reversal = { payout: Payout; reason: string }

/**
 * Closes payouts whose payment did not arrive, paid or not. Their commissions are due again, and are collected into the
 * next payout. The payout keeps its amount. The caller holds the locks of the affiliates.
 */
export async function markFailed(tx: Prisma.TransactionClient, ctx: ProgramCtx, reversals: Reversal[]): Promise<void> {
  if (reversals.length === 0) return
  const programId = ctx.program.id
  const now = ctx.now()
  const ids = reversals.map(({ payout }) => payout.id)
  const facts = await unpay(tx, ctx, reversals, { payoutId: null }, now)
  const data = { paidAt: null, paidById: null, sentAt: null, reference: null, failedAt: now, updatedAt: now }
  await tx.payout.updateMany({ where: { programId, id: { in: ids } }, data })
  const changes = reversals.map(({ payout: before, reason }) => ({
    subject: 'payout' as const,
    subjectId: before.id,
    action: 'failed' as const,
    before,
    after: { ...before, ...data, reason },
  }))
  await recordChanges(tx, ctx, changes, now)
  const events = [
    ...facts.flatMap((id) => eventsOf(id, ['commission.updated'])),
    ...ids.flatMap((id) => eventsOf(id, ['payout.updated', 'payout.failed'])),
  ]
  await recordEvents(tx, ctx, events, now)
  await settleOpenPayouts(tx, ctx, [...new Set(reversals.map(({ payout }) => payout.affiliateId))], now)
}

const bookedWithheld = statement<{ payoutId: string; commissionId: string; cents: string }>(`
  select c.payout_id::text as "payoutId", c.id::text as "commissionId", sum(e.withheld_cents)::text as cents
  from unnest($2::uuid[]) payout (id) join commissions c on c.program_id = $1::uuid and c.payout_id = payout.id
    join money_events e on e.program_id = c.program_id and e.commission_id = c.id and e.withheld_cents is not null
  group by c.payout_id, c.id`)

/** What the ledger has as withheld of payouts, by their commissions. */
export async function readWithheld(
  tx: Prisma.TransactionClient,
  programId: string,
  payoutIds: readonly string[],
): Promise<{ payoutId: string; commissionId: string; cents: bigint }[]> {
  if (payoutIds.length === 0) return []
  const rows = await sqlWithin(tx).query(bookedWithheld, [programId, payoutIds])
  return rows.map(({ cents, ...row }) => ({ ...row, cents: BigInt(cents) }))
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
    where: within,
    select: { programId: true, id: true, currency: true, payoutId: true, paidAt: true },
  })
  const booked = await readWithheld(tx, programId, [...reasons.keys()])
  const withheld = new Map(booked.map(({ commissionId, cents }) => [commissionId, cents]))
  await tx.commission.updateMany({ where: within, data: { ...change, paidAt: null, updatedAt: now } })
  // As a condition of the query, it would make the database read all that was ever paid.
  const paid = commissions.filter(({ paidAt }) => paidAt !== null)
  const facts = paid.map((commission) => {
    const reason = reasons.get(commission.payoutId ?? '') ?? ''
    const withheldCents = -(withheld.get(commission.id) ?? 0n)
    return { commission, kind: 'unpaid' as const, deltaCents: 0n, withheldCents, reason }
  })
  await recordMoneyEvents(tx, ctx, facts, now)
  return paid.map(({ id }) => id)
}
