import { storedActor } from '../changes/actor.ts'
import type { Ctx } from '../context.ts'
import type { Commission, Prisma } from '../generated/prisma/client.ts'
import type { MoneyEventKind } from '../generated/prisma/enums.ts'
import { mintId } from '../ids.ts'

export type Fact = {
  commission: Pick<Commission, 'programId' | 'id' | 'currency'>
  kind: MoneyEventKind
  /** By how much the commission's amount changes; its amount is the sum of these, always. */
  deltaCents: bigint
  reason?: string
}

/** Writes down what happened to commissions, by whom and in which request, in the transaction in which it happened. */
export async function recordMoneyEvents(
  tx: Prisma.TransactionClient,
  { actor, requestId }: Pick<Ctx, 'actor' | 'requestId'>,
  facts: Fact[],
  at: Date,
): Promise<void> {
  await tx.moneyEvent.createMany({
    data: facts.map(({ commission, kind, deltaCents, reason }) => ({
      programId: commission.programId,
      id: mintId(at),
      commissionId: commission.id,
      kind,
      deltaCents,
      currency: commission.currency,
      ...storedActor(actor),
      requestId,
      reason: reason ?? null,
      at,
    })),
  })
}
