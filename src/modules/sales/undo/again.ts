import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { changeSaleWithin } from '../changes/service.ts'
import { reevaluate } from '../timeline/reevaluate.ts'

const reason = 'it was attributed again'

/**
 * Gives a sale whose attribution was undone to an affiliate: it earns again what the rules of its day say. The caller
 * has locked its external id. @returns the id of the sale
 * @throws INVALID_INPUT for an unknown affiliate; REFUSED if that is not active, or the sale was paid and another
 * gets it
 */
export async function attributeAgain(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  saleId: string,
  affiliateId: string,
): Promise<string> {
  const programId = ctx.program.id
  const now = ctx.now()
  const where = { programId_id: { programId, id: saleId } }
  const sale = await tx.sale.update({ where, data: { noCommissionReason: null, updatedAt: now } })
  if (affiliateId !== sale.affiliateId) await changeSaleWithin(ctx, tx, saleId, { affiliateId }, reason)
  else {
    const open = { endedAt: null, updatedAt: now }
    await tx.referral.update({ where: { programId_id: { programId, id: sale.referralId } }, data: open })
    await reevaluate(ctx, tx, sale, reason, now)
  }
  return saleId
}
