import { stringify } from 'csv-stringify/sync'
import type { Payout, Program } from '../../generated/prisma/client.ts'
import { decimalsOf, toMajorUnits } from '../../kernel/money/decimals.ts'
import type { FileMethod } from './input.ts'
import {
  inOneLine,
  isWholeAtPaypal,
  nameOf,
  type PaidPayout,
  type Payee,
  payeeNameOf,
  paypalCents,
  readsAsFormula,
} from './skip.ts'
import { payoutState } from './state.ts'

export type FilePayout = PaidPayout & { affiliate: Payee; _count: { commissions: number } }

type Format = {
  /** Whether the first line holds the column names. */
  header: boolean
  maxRows: number
  /** The columns in their order. */
  columns: Record<string, (payout: FilePayout, program: Program) => string>
  /** Columns with addresses, which are written as they are. */
  addresses: readonly string[]
}

const withMark = (amount: string, { payoutFileDecimalMark: mark }: Program) =>
  mark === 'comma' ? amount.replace('.', ',') : amount
const amountOf = ({ amountCents, currency }: PaidPayout, program: Program) =>
  withMark(toMajorUnits(amountCents, currency), program)
const currencyOf = ({ currency }: PaidPayout) => currency.toUpperCase()
const digitsOf = ({ id }: Pick<Payout, 'id'>) => id.replaceAll('-', '')

/**
 * PayPal's id of a payment, at most 30 characters. The first two digits of all ids are equal, so the others identify
 * the payout.
 */
export const paypalReference = (payout: Pick<Payout, 'id'>) => digitsOf(payout).slice(2)

/**
 * The reference of a payment by Wise: ten characters, because some banks cut longer ones. They are letters, because a
 * spreadsheet reads 0628188887 and 859e858796 as numbers.
 */
export const wiseReference = (payout: Pick<Payout, 'id'>) =>
  digitsOf(payout)
    .slice(-10)
    .replace(/[0-9a-f]/g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))

function paypalAmount(payout: PaidPayout, program: Program): string {
  const { currency } = payout
  const cents = paypalCents(payout)
  const isWhole = isWholeAtPaypal(currency)
  return isWhole
    ? String(cents / 10n ** BigInt(decimalsOf(currency)))
    : withMark(toMajorUnits(cents, currency), program)
}

/**
 * PayPal's payout file has no header line. In Wise's batch file for recipients by e-mail, each one receives the exact
 * amount (`target`). Source: PayPal's "Send payouts from Payouts Web", Wise's "How do I fill in my batch template".
 */
export const formats: Record<FileMethod, Format> = {
  paypal: {
    header: false,
    maxRows: 5_000,
    addresses: ['recipient'],
    columns: {
      recipient: ({ affiliate }) => affiliate.walletAEmail ?? '',
      amount: paypalAmount,
      currency: currencyOf,
      id: paypalReference,
      note: (_payout, program) => `${program.name}: affiliate payout`,
    },
  },
  wise: {
    header: true,
    maxRows: 1_000,
    addresses: ['recipientEmail'],
    columns: {
      name: ({ affiliate }) => payeeNameOf(affiliate),
      recipientEmail: ({ affiliate }) => affiliate.walletBEmail ?? '',
      paymentReference: wiseReference,
      receiverType: ({ affiliate }) => (affiliate.recipientType ?? 'person').toUpperCase(),
      amountCurrency: () => 'target',
      amount: amountOf,
      sourceCurrency: currencyOf,
      targetCurrency: currencyOf,
    },
  },
  generic: {
    header: true,
    maxRows: Number.POSITIVE_INFINITY,
    addresses: [],
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

export const byteOrderMark = '\uFEFF'

/** What is before the rows of a file, after a byte-order mark. */
export function fileStart(method: FileMethod): string {
  const { header, columns } = formats[method]
  return header ? linesOf([Object.keys(columns)]) : ''
}

/** The rows as RFC 4180 CSV, each in one line. Values that a spreadsheet would read as formulas are escaped. */
export function fileRows(method: FileMethod, payouts: FilePayout[], program: Program): string {
  const { columns, addresses } = formats[method]
  const cells = Object.entries(columns)
  return linesOf(
    payouts.map((payout) =>
      cells.map(([name, cell]) => {
        const value = inOneLine(cell(payout, program))
        return readsAsFormula(value) && !addresses.includes(name) ? `'${value}` : value
      }),
    ),
  )
}

const linesOf = (lines: string[][]) => stringify(lines, { record_delimiter: '\r\n' })
