import type { Prisma } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/calendar.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { TriedSignal } from '../report/decision.ts'
import type { ConversionInput } from '../report/input.ts'

/** How many days an unattributed sale is kept. */
const keptDays = 90

/** Unattributed sales that were first reported before this time have expired. */
export const keptSince = (now: Date): Date => addDays(now, -keptDays)

/**
 * Stores a sale that matched no active affiliate, so that it can be attributed by hand. If the sale was stored before, the
 * new report replaces it. Deletes the program's expired unattributed sales.
 */
export async function keepUnattributedSale(
  ctx: ProgramCtx,
  input: ConversionInput,
  signals: TriedSignal[],
): Promise<void> {
  const now = ctx.now()
  const programId = ctx.program.id
  const externalId = input.externalId ?? null
  const facts = {
    referralId: input.referralId ?? null,
    email: input.email ?? null,
    coupon: input.coupon ?? null,
    customerName: input.customerName ?? null,
    billingCustomerId: input.billingCustomerId ?? null,
    amountCents: input.amountCents,
    currency: input.currency ?? ctx.program.currency,
    decision: { signals },
    occurredAt: input.occurredAt ?? now,
    updatedAt: now,
  }
  await ctx.db.unattributedSale.deleteMany({ where: { programId, createdAt: { lt: keptSince(now) } } })
  const row = { ...facts, programId, id: mintId(now), externalId, createdAt: now }
  if (externalId === null) await ctx.db.unattributedSale.create({ data: row })
  else {
    const where = { programId_externalId: { programId, externalId } }
    await ctx.db.unattributedSale.upsert({ where, create: row, update: facts })
  }
}

/** Deletes the unattributed sale with this external id, because the sale was attributed now. */
export async function deleteUnattributedSale(
  tx: Prisma.TransactionClient,
  programId: string,
  externalId: string,
): Promise<void> {
  await tx.unattributedSale.deleteMany({ where: { programId, externalId } })
}
