import type { Program } from '../../../generated/prisma/client.ts'
import type { PayoutMethod } from '../../../generated/prisma/enums.ts'
import type { FileMethod } from '../input.ts'
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

const csv = (method: FileMethod): RunFile => ({
  name: `${method}.csv`,
  maxRows: formats[method].maxRows,
  skipReason: (payout) => reasonOfFormat(payout, method),
  start: () => fileStart(method),
  rows: (payouts, program) => fileRows(method, payouts, program),
  end: '',
  isCsv: true,
})

const sepa: RunFile = {
  name: 'sepa.xml',
  maxRows: Number.POSITIVE_INFINITY,
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
  paypal: csv('paypal'),
  wise: csv('wise'),
  sepa,
  generic: csv('generic'),
  manual: null,
}
