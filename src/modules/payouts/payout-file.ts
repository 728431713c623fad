import { stringify } from 'csv-stringify/sync'
import type { Affiliate, Payout, Program } from '../../generated/prisma/client.ts'
import { toMajorUnits } from '../../kernel/money/decimals.ts'
import type { PayoutFileFormat } from './input.ts'
import { payoutState } from './state.ts'

export type FilePayout = Payout & { affiliate: Affiliate; _count: { commissions: number } }

type Format = {
  /** How people call the service, for the name of the file. */
  service: string
  /** Whether the first line holds the column names. */
  header: boolean
  maxRows: number
  /** Whether all payouts of a file must be in one currency. */
  oneCurrency: boolean
  /** The columns in their order. */
  columns: Record<string, (payout: FilePayout, program: Program) => string>
}

export const nameOf = ({ firstName, lastName }: Affiliate) => [firstName, lastName].filter(Boolean).join(' ')
const amountOf = ({ amountCents, currency }: Payout) => toMajorUnits(amountCents, currency)
const currencyOf = ({ currency }: Payout) => currency.toUpperCase()
const digitsOf = ({ id }: Payout) => id.replaceAll('-', '')

/**
 * Wallet A is PayPal's payout file: no header line, ids of at most 30 characters, one currency per file. Wallet B is
 * Wise's batch file for recipients by e-mail: each receives the exact amount (`target`), with ten characters of
 * reference, because some banks cut longer ones. Source: PayPal's "Send payouts from Payouts Web", Wise's "How do I
 * fill in my batch template".
 */
export const formats: Record<PayoutFileFormat, Format> = {
  wallet_a: {
    service: 'paypal',
    header: false,
    maxRows: 5_000,
    oneCurrency: true,
    columns: {
      recipient: ({ affiliate }) => affiliate.walletAEmail ?? '',
      amount: amountOf,
      currency: currencyOf,
      // The first two digits of all ids are equal, so the other 30 identify the payout.
      id: (payout) => digitsOf(payout).slice(2),
      note: (_payout, program) => `${program.name}: affiliate payout`,
    },
  },
  wallet_b: {
    service: 'wise',
    header: true,
    maxRows: 1_000,
    oneCurrency: false,
    columns: {
      name: ({ affiliate }) => nameOf(affiliate),
      recipientEmail: ({ affiliate }) => affiliate.walletBEmail ?? '',
      paymentReference: (payout) => digitsOf(payout).slice(-10),
      receiverType: () => 'PERSON',
      amountCurrency: () => 'target',
      amount: amountOf,
      sourceCurrency: currencyOf,
      targetCurrency: currencyOf,
    },
  },
  generic: {
    service: 'generic',
    header: true,
    maxRows: 5_000,
    oneCurrency: false,
    columns: {
      payout_id: ({ id }) => id,
      affiliate_id: ({ affiliateId }) => affiliateId,
      name: ({ affiliate }) => nameOf(affiliate),
      email: ({ affiliate }) => affiliate.email,
      wallet_a_email: ({ affiliate }) => affiliate.walletAEmail ?? '',
      wallet_b_email: ({ affiliate }) => affiliate.walletBEmail ?? '',
      currency: ({ currency }) => currency,
      amount_cents: ({ amountCents }) => String(amountCents),
      amount: amountOf,
      commissions: ({ _count }) => String(_count.commissions),
      state: payoutState,
      created_at: ({ createdAt }) => createdAt.toISOString(),
      paid_at: ({ paidAt }) => paidAt?.toISOString() ?? '',
      reference: ({ reference }) => reference ?? '',
    },
  },
}

/** Whether a spreadsheet would read the text as a formula. */
export const readsAsFormula = (text: string) => /^[=+\-@\t\r]/.test(text)

/** Writes the file as RFC 4180 CSV. Values that a spreadsheet would read as formulas are escaped. */
export function fileContent(format: PayoutFileFormat, payouts: FilePayout[], program: Program): string {
  const { header, columns } = formats[format]
  const rows = payouts.map((payout) => Object.values(columns).map((cell) => cell(payout, program)))
  const lines = header ? [Object.keys(columns), ...rows] : rows
  // csv-stringify quotes a line break inside a value only if it equals the record delimiter.
  return stringify(lines, { record_delimiter: '\r\n', quoted_match: /[\r\n]/, escape_formulas: true })
}
