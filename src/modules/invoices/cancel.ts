import { withTransaction } from '../../database/client/transaction.ts'
import { encryptSecret } from '../../kernel/encryption.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { lockAffiliates } from '../payouts/settle.ts'
import type { KeyCtx } from '../tax/tax-ids.ts'
import type { InvoiceLine } from './earned.ts'
import { cancelInvoiceInput } from './input.ts'
import { lockSeries } from './series.ts'
import { readInvoiceSettings } from './settings.ts'
import { boundTo, readSupplierTaxId } from './supplier-tax-id.ts'
import { mintInvoiceId, writeInvoice } from './write.ts'

/**
 * Cancels an invoice as a whole by a credit note, which has its lines, its parties and its tax with the opposite sign.
 * If value added tax was added to the ledger, a correction takes it back. Idempotent.
 * @returns the id of the credit note
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED for a credit note, or if the tax id was encrypted with another key
 */
export async function cancelInvoice(ctx: KeyCtx, raw: unknown): Promise<string> {
  const { id: givenId, reason } = await parseInput(cancelInvoiceInput, raw)
  const programId = ctx.program.id
  return withTransaction(
    ctx.db,
    async (tx) => {
      const where = { programId_id: { programId, id: givenId } }
      const invoice = isId(givenId) ? await tx.invoice.findUnique({ where }) : null
      if (!invoice) throw notFound('Invoice', givenId)
      if (invoice.kind === 'credit_note') throw refused(`${invoice.number} is a credit note, which is not cancelled.`)
      await lockSeries(tx, ctx.program, ctx.now())
      await lockAffiliates(tx, programId, [invoice.affiliateId])
      const known = await tx.invoice.findFirst({ where: { programId, correctsId: givenId, isCancellation: true } })
      if (known) return known.id
      const { numberPrefix } = await readInvoiceSettings(tx, programId)
      const id = mintInvoiceId(ctx)
      const taxId = readSupplierTaxId(ctx.webhooks.key, invoice)
      const { supplier, buyer, notes } = invoice as { supplier: object; buyer: object; notes: object }
      const { programId: _, number, place, year, issuedOn, vatCommissionId, createdAt, ...same } = invoice
      await writeInvoice(
        tx,
        ctx,
        {
          ...same,
          id,
          kind: 'credit_note',
          netCents: -invoice.netCents,
          vatCents: -invoice.vatCents,
          grossCents: -invoice.grossCents,
          supplier,
          buyer,
          notes,
          supplierTaxId: taxId && encryptSecret(ctx.webhooks.key, boundTo({ programId, id }), taxId),
          lines: (invoice.lines as InvoiceLine[]).map(({ amountCents, ...line }) => {
            return { ...line, amountCents: String(-BigInt(amountCents)) }
          }),
          correctsId: invoice.id,
          isCancellation: true,
          reason,
        },
        { numberPrefix, paysVat: vatCommissionId !== null },
      )
      return id
    },
    { log: ctx.log },
  )
}
