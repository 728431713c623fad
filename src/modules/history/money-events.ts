import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { MoneyEventKind } from '../../generated/prisma/enums.ts'
import type { Ctx } from '../../kernel/context.ts'
import { mintId } from '../../kernel/ids.ts'
import { storedActor } from './actor.ts'

export type Fact = {
  commission: Pick<Commission, 'programId' | 'id' | 'currency'>
  kind: MoneyEventKind
  /** By how much the commission's amount changes; its amount is the sum of these, always. */
  deltaCents: bigint
  reason?: string
  /** When it is due from then on: of what was rescheduled. */
  dueAt?: Date
  /** When it is said to have been paid: of what was marked as paid by itself. */
  paidAt?: Date
}

/** Writes down what happened to commissions, by whom and in which request, in the transaction in which it happened. */
export async function recordMoneyEvents(
  tx: Prisma.TransactionClient,
  { actor, requestId }: Pick<Ctx, 'actor' | 'requestId'>,
  facts: Fact[],
  at: Date,
): Promise<void> {
  await tx.moneyEvent.createMany({
    data: facts.map(({ commission, kind, deltaCents, reason, dueAt, paidAt }) => ({
      programId: commission.programId,
      id: mintId(at),
      commissionId: commission.id,
      kind,
      deltaCents,
      currency: commission.currency,
      dueAt: dueAt ?? null,
      paidAt: paidAt ?? null,
      ...storedActor(actor),
      requestId,
      reason: reason ?? null,
      at,
    })),
  })
}
