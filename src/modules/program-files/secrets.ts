import { decryptSecret, encryptSecret } from '../../kernel/encryption.ts'
import { boundTo as boundToTokens, encryptedPrefix } from '../access/affiliate-tokens/signing-secret.ts'
import { boundTo as boundToKey } from '../idempotency/answer-once.ts'
import { boundTo as boundToInvoice } from '../invoices/supplier-tax-id.ts'
import { boundTo as boundToStatements } from '../statements/keys.ts'
import { boundTo as boundToTaxProfile } from '../tax/tax-ids.ts'

const boundToCheck = 'program file'
const known = 'tributary'

/** A value by which it is recognised later whether a key is this one. */
export const keyCheckOf = (key: Buffer): string => encryptSecret(key, boundToCheck, known)

export const isKeyOf = (key: Buffer, check: string): boolean => decryptSecret(key, boundToCheck, check) === known

type Row = Record<string, string | null>

/** Where secrets are, by table: the columns, what a secret of a row is bound to, and what precedes it. */
const encrypted: Record<string, { columns: readonly string[]; boundTo: (row: Row) => string; prefix: string }> = {
  affiliate_token_secrets: {
    columns: ['secret', 'previous_secret'],
    boundTo: ({ program_id }) => boundToTokens(program_id as string),
    prefix: encryptedPrefix,
  },
  idempotency_keys: {
    columns: ['answer'],
    boundTo: ({ scope, key_hash }) => boundToKey({ scope: scope as string, keyHash: key_hash as string }),
    prefix: '',
  },
  feeds: { columns: ['secret', 'previous_secret'], boundTo: ({ id }) => id as string, prefix: '' },
  payout_services: {
    columns: ['credentials', 'previous_credentials'],
    boundTo: ({ id }) => id as string,
    prefix: '',
  },
  invoices: {
    columns: ['supplier_tax_id'],
    boundTo: ({ program_id, id }) => boundToInvoice({ programId: program_id as string, id: id as string }),
    prefix: '',
  },
  statement_keys: {
    columns: ['secret'],
    boundTo: ({ program_id, id }) => boundToStatements(program_id as string, id as string),
    prefix: '',
  },
  tax_profiles: {
    columns: ['tax_id', 'us_tax_id'],
    boundTo: ({ program_id, affiliate_id, number }) =>
      boundToTaxProfile({
        programId: program_id as string,
        affiliateId: affiliate_id as string,
        number: Number(number),
      }),
    prefix: '',
  },
  webhook_endpoints: { columns: ['secret', 'previous_secret'], boundTo: ({ id }) => id as string, prefix: '' },
}

export const encryptedColumns: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(encrypted).map(([table, { columns }]) => [table, columns]),
)

/** Encrypts the secrets of rows with another key, if `from` decrypts them. Null for a table without secrets. */
export function reencrypt(from: Buffer, to: Buffer, table: string): ((row: string) => string) | null {
  const found = encrypted[table]
  if (!found || from.equals(to)) return null
  return (text) => {
    const row = JSON.parse(text) as Row
    const boundTo = found.boundTo(row)
    return found.columns.reduce((changed, column) => {
      const stored = row[column]
      if (!stored?.startsWith(found.prefix)) return changed
      const secret = decryptSecret(from, boundTo, stored.slice(found.prefix.length))
      if (secret === null) return changed
      // The rest of the text stays unchanged: numbers can be larger than those of JavaScript.
      const replacement = JSON.stringify(found.prefix + encryptSecret(to, boundTo, secret))
      return changed.replace(JSON.stringify(stored), () => replacement)
    }, text)
  }
}
