import type { RecipientType, TaxForm } from '../../../generated/prisma/enums.ts'
import type { Form } from './forms/field.ts'
import { w8ben } from './forms/w8ben.ts'
import { w8benE } from './forms/w8ben-e.ts'
import { w9 } from './forms/w9.ts'

export const forms: Readonly<Record<TaxForm, Form>> = { w9, w8ben, w8ben_e: w8benE }

type Payee = { recipientType: RecipientType; isUsPerson: boolean }

/**
 * The form that a payer needs of a payee: those of the IRS if the payer is in the United States, else none.
 * @param payerCountry null if nobody has said who pays
 */
export function formFor(payerCountry: string | null, { recipientType, isUsPerson }: Payee): TaxForm | null {
  if (payerCountry !== 'US') return null
  if (isUsPerson) return 'w9'
  return recipientType === 'person' ? 'w8ben' : 'w8ben_e'
}
