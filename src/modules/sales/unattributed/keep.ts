import type { Prisma } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/calendar.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { TriedSignal } from '../report/decision.ts'
import type { ConversionInput } from '../report/input.ts'

/** How long a sale that matched nobody is kept. */
export const keptDays = 90

/** The moment before which unattributed sales are over. */
export const keptSince = (now: Date): Date => addDays(now, -keptDays)

/**
 * Keeps a sale that matched nobody, so that a person can attribute it. Reported again, what was said last counts. Those
 * whose time is over are removed on the way.
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

/** The sale with this external id has found its affiliate: what was kept of it is not needed any more. */
export async function dropUnattributedSale(
  tx: Prisma.TransactionClient,
  programId: string,
  externalId: string,
): Promise<void> {
  await tx.unattributedSale.deleteMany({ where: { programId, externalId } })
}
