import type { TaxProfile } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { refused } from '../../kernel/errors.ts'

export type KeyCtx = ProgramCtx & { webhooks: { key: Buffer } }

/** What the tax ids of a row are bound to. */
export const boundTo = ({ programId, affiliateId, number }: Pick<TaxProfile, 'programId' | 'affiliateId' | 'number'>) =>
  `tax ${programId} ${affiliateId} ${number}`

/** The last characters, which do not give the number away. */
export const endingOf = (taxId: string): string => taxId.slice(-Math.min(4, Math.floor(taxId.length / 2)))

/** "•••6789". Null without a number. */
export const masked = (ending: string | null): string | null => (ending === null ? null : `•••${ending}`)

/** @throws REFUSED if it was encrypted with another key of the installation */
export function decryptTaxId(key: Buffer, row: TaxProfile, field: 'taxId' | 'usTaxId'): string | null {
  const stored = row[field]
  if (stored === null) return null
  const text = decryptSecret(key, boundTo(row), stored)
  if (text === null)
    throw refused(
      'The tax id was encrypted with another key of the installation. Restore WEBHOOK_KEY (or the file webhook-key), or ask the affiliate to enter the number again, and to sign the tax profile.',
    )
  return text
}
