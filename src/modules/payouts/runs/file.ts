import type { Program } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { PayoutFileFormat } from '../input.ts'
import { type FilePayout, fileRows, fileStart, formats } from '../payout-file.ts'
import { type PayoutWithCampaign, payeeNameOf, paypalCents, reasonOfFormat, type SkipReason } from '../skip.ts'
import { largestTransfer, type SepaRun, sepaEnd, sepaStart, sepaTransfers } from './sepa.ts'

export type RunPayout = FilePayout & PayoutWithCampaign

/** How the file of a run is written: its beginning when the totals are known, and rows as they come. */
export type RunFile = {
  name: string
  maxRows: number
  skipReason: (payout: PayoutWithCampaign) => SkipReason | null
  start: (run: SepaRun, program: Program) => string
  rows: (payouts: RunPayout[], program: Program) => string
  end: string
  isCsv: boolean
}

const unlimited = Number.POSITIVE_INFINITY

const csv = (format: PayoutFileFormat, maxRows: number): RunFile => ({
  name: `${formats[format].service}.csv`,
  maxRows,
  skipReason: (payout) => reasonOfFormat(payout, format),
  start: () => fileStart(format),
  rows: (payouts, program) => fileRows(format, payouts, program),
  end: '',
  isCsv: true,
})

const sepa: RunFile = {
  name: 'sepa.xml',
  maxRows: unlimited,
  skipReason: ({ amountCents, currency, affiliate }) => {
    if (currency !== 'eur') return 'unsupported_currency'
    if (amountCents > largestTransfer) return 'too_large'
    if (!affiliate.iban) return 'no_iban'
    return payeeNameOf(affiliate) ? null : 'no_name'
  },
  start: sepaStart,
  rows: sepaTransfers,
  end: sepaEnd,
  isCsv: false,
}

/** What the file of a method pays of a payout: PayPal pays no parts of some currencies. */
export const fileCents = (payout: PayoutWithCampaign, method: PayoutMethod): bigint =>
  method === 'paypal' ? paypalCents(payout) : payout.amountCents

/** Whether the service compares the name with that of an account. */
export const needsFullName = (method: PayoutMethod): boolean => method === 'wise' || method === 'sepa'

/** Null: payments by hand have no file. */
export const runFiles: Record<PayoutMethod, RunFile | null> = {
  paypal: csv('wallet_a', formats.wallet_a.maxRows),
  wise: csv('wallet_b', formats.wallet_b.maxRows),
  sepa,
  generic: csv('generic', unlimited),
  manual: null,
}
