import type { TaxForm } from '../../generated/prisma/enums.ts'
import { thresholdOf } from './thresholds.ts'

export const taxReportings = ['form_1099_nec', 'below_threshold', 'corporation', 'foreign', 'no_form'] as const
export type TaxReporting = (typeof taxReportings)[number]

type Signed = { form: TaxForm | null; classification: string | null }

/** Payments to them are not reported on Form 1099-NEC. Source: the IRS's instructions of that form, "Exceptions". */
const corporations = ['c_corporation', 's_corporation', 'llc_c', 'llc_s']

/**
 * What a payer in the United States reports of a year's payments.
 * @param paidCents what the payer paid and withheld, without what services report themselves
 * @param withheldCents what the payer withheld: with a W-9, the form is due then, whatever the amount
 */
export function reportingOf(
  paidCents: bigint,
  signed: Signed | undefined,
  year: number,
  withheldCents = 0n,
): TaxReporting {
  if (!signed?.form) return 'no_form'
  if (signed.form !== 'w9') return 'foreign'
  // The instructions of the form: "each person from whom you have withheld any federal income tax".
  if (withheldCents > 0n) return 'form_1099_nec'
  if (corporations.includes(signed.classification ?? '')) return 'corporation'
  return paidCents >= thresholdOf(year) ? 'form_1099_nec' : 'below_threshold'
}
