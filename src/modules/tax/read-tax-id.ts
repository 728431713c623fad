import { withTransaction } from '../../database/client/transaction.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findAffiliate } from '../affiliates/find.ts'
import { recordAction } from '../history/record.ts'
import { readTaxIdInput } from './input/profile.ts'
import { decryptTaxId, type KeyCtx } from './tax-ids.ts'

export type TaxIds = { taxId: string | null; usTaxId: string | null }

/**
 * Reads the full tax ids of an affiliate. Who read them and why is in the history before anybody sees them.
 * @throws NOT_FOUND without an affiliate or a profile; REFUSED if they were encrypted with another key
 */
export async function readTaxId(ctx: KeyCtx, raw: unknown): Promise<TaxIds> {
  const { affiliateId, reason } = await parseInput(readTaxIdInput, raw)
  const { id } = await findAffiliate(ctx, affiliateId)
  return withTransaction(ctx.db, async (tx) => {
    const where = { programId: ctx.program.id, affiliateId: id, replacedAt: null }
    const row = await tx.taxProfile.findFirst({ where })
    if (!row) throw notFound('Tax profile', affiliateId)
    const ids = {
      taxId: decryptTaxId(ctx.webhooks.key, row, 'taxId'),
      usTaxId: decryptTaxId(ctx.webhooks.key, row, 'usTaxId'),
    }
    const subject = { subject: 'affiliate', subjectId: id, action: 'tax_id_read' } as const
    await recordAction(tx, ctx, subject, null, { taxIdReason: reason }, ctx.now())
    return ids
  })
}
