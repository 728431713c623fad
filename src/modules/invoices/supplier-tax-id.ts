import type { Invoice } from '../../generated/prisma/client.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { refused } from '../../kernel/errors.ts'

/** What the tax id of a supplier is bound to. */
export const boundTo = ({ programId, id }: Pick<Invoice, 'programId' | 'id'>): string => `invoice ${programId} ${id}`

/** The tax id of the supplier. Null: the invoice has a VAT id, or it was encrypted with another key. */
export const supplierTaxIdOf = (
  key: Buffer,
  invoice: Pick<Invoice, 'programId' | 'id' | 'supplierTaxId'>,
): string | null => invoice.supplierTaxId && decryptSecret(key, boundTo(invoice), invoice.supplierTaxId)

/**
 * The tax id of the supplier, for what cannot be written without it.
 *
 * @throws REFUSED if it was encrypted with another key
 */
export function readSupplierTaxId(
  key: Buffer,
  invoice: Pick<Invoice, 'programId' | 'id' | 'supplierTaxId'>,
): string | null {
  const taxId = supplierTaxIdOf(key, invoice)
  if (taxId === null && invoice.supplierTaxId !== null)
    throw refused(
      'The tax id of this invoice was encrypted with another key of the installation. Restore WEBHOOK_KEY (or the file webhook-key).',
    )
  return taxId
}
