import { sqlWithin } from '../../../database/client/sql.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { Write } from '../../../database/client/write.ts'
import { Prisma, type UnattributedSale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { mintId } from '../../../kernel/ids.ts'
import { excerpt, storableText } from '../../../kernel/text.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { lockInOrder } from '../../referrals/lock.ts'
import type { Decision, TriedSignal } from '../decision.ts'
import type { ReadReport } from './read-report.ts'

/** How many days an unattributed sale is kept, and a refund waits for its sale. */
export const keptDays = 90

/** Unattributed sales that were first reported before this time have expired. */
export const keptSince = (now: Date): Date => addDays(now, -keptDays)

/** What is stored of a report, with its values as they were sent. `occurredAt` is absent if it was not reported. */
export function storedReport(
  { program }: ProgramCtx,
  { input, dropped, feed }: ReadReport,
  raw: unknown,
  signals: TriedSignal[],
) {
  const sent = (raw ?? {}) as Record<string, unknown>
  return {
    referralId: sentText(input.referralId ?? sent.referralId),
    email: sentText(sent.email),
    coupon: sentText(sent.coupon),
    customerName: sentText(sent.customerName),
    billingCustomerId: sentText(sent.billingCustomerId),
    amountCents: input.amountCents,
    currency: input.currency ?? program.currency,
    billingInterval: input.billingInterval ?? null,
    paymentNumber: input.paymentNumber ?? null,
    items: input.items ?? Prisma.DbNull,
    decision: { signals, dropped, ...(feed && { feed }) } as unknown as Prisma.InputJsonObject,
    ...(input.occurredAt && { occurredAt: input.occurredAt }),
  }
}

/** Deletes the program's expired unattributed sales. */
export const deleteExpired = (db: Prisma.TransactionClient, programId: string, now: Date) =>
  db.unattributedSale.deleteMany({ where: { programId, createdAt: { lt: keptSince(now) } } })

/**
 * Stores a sale that matched no active affiliate, with its values as they were sent. A new report replaces an earlier
 * one; without a time, it keeps the earlier time, unless a feed said that. Deletes the program's expired unattributed
 * sales.
 */
export async function keepUnattributedSale(
  ctx: ProgramCtx,
  report: ReadReport,
  raw: unknown,
  signals: TriedSignal[],
): Promise<void> {
  const now = ctx.now()
  const programId = ctx.program.id
  const externalId = report.input.externalId ?? null
  const facts = { ...storedReport(ctx, report, raw, signals), needsAttention: true, updatedAt: now }
  const row = { occurredAt: now, ...facts, programId, id: mintId(now), externalId, createdAt: now }
  await deleteExpired(ctx.db, programId, now)
  await withTransaction(ctx.db, async (tx) => {
    await lockInOrder(sqlWithin(tx), { programId, externalId })
    const known = externalId === null ? null : await findKept(tx, programId, externalId)
    const { id } = known
      ? await tx.unattributedSale.update({
          where: { programId_id: { programId, id: known.id } },
          data: isOfFeed(known) ? { occurredAt: now, ...facts } : facts,
        })
      : await tx.unattributedSale.create({ data: row })
    await recordEvents(tx, ctx, eventsOf(id, ['tributary.sale.unattributed']), now)
  })
}

const findKept = (tx: Prisma.TransactionClient, programId: string, externalId: string) =>
  tx.unattributedSale.findUnique({ where: { programId_externalId: { programId, externalId } } })

/** Whether only a feed has reported it, and it was never attributed. */
export const isOfFeed = ({ decision, saleId }: Pick<UnattributedSale, 'decision' | 'saleId'>): boolean =>
  saleId === null && (decision as KeptDecision).feed !== undefined

/** What is stored of the decision about a sale that has no affiliate. */
export type KeptDecision = Pick<Decision, 'signals' | 'dropped' | 'feed'>

const longestSent = 2_000

/** A value of a report as text that can be stored; null for a blank one. */
function sentText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const given = Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  return storableText(excerpt(given.trim(), longestSent)) || null
}

/** Deletes the unattributed sale with this external id, because the sale is attributed now. */
export const deletedUnattributedSale = (programId: string, externalId: string): Write => ({
  name: 'unattributed_sales',
  sql: `delete from unattributed_sales u
    using jsonb_populate_recordset(null::unattributed_sales, $1::jsonb -> 'unattributed_sales') n
    where u.program_id = n.program_id and u.external_id = n.external_id`,
  rows: [{ programId, externalId }],
})
