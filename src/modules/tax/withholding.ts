import { withTransaction } from '../../database/client/transaction.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { recordChange } from '../history/record.ts'
import { setAffiliateWithholdingInput } from './input/withholding.ts'

/**
 * Sets the affiliate's own rate of withholding. Payments that were made before keep theirs.
 * @returns the id of the affiliate
 * @throws NOT_FOUND; INVALID_INPUT
 */
export async function setAffiliateWithholding(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const { affiliateId, basisPoints } = await parseInput(setAffiliateWithholdingInput, raw)
  const { id } = await findAffiliate(ctx, affiliateId)
  if (basisPoints === undefined) return id
  const where = { programId_id: { programId: ctx.program.id, id } }
  await withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`
      select 1 from affiliates where program_id = ${ctx.program.id}::uuid and id = ${id}::uuid for update`
    const before = await tx.affiliate.findUniqueOrThrow({ where })
    if (before.withholdingBasisPoints === basisPoints) return
    const now = ctx.now()
    const after = await tx.affiliate.update({ where, data: { withholdingBasisPoints: basisPoints, updatedAt: now } })
    await recordChange(tx, ctx, { subject: 'affiliate', subjectId: id, action: 'updated' }, before, after, now)
  })
  return id
}
