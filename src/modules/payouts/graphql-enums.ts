import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { conventionPayoutStates, payoutFileFormats, payoutStates } from './input.ts'
import type { notPayableReasons } from './preview.ts'
import type { skipReasons } from './write-file.ts'

const payoutState: Words<typeof payoutStates> = {
  pending: 'The payout is open: due commissions are collected into it until it is paid.',
  paid: 'The payout and all its commissions are paid.',
}

export const PayoutStateEnum = defineEnum('PayoutState', 'The state of a payout.', payoutState)

export const ConventionPayoutStateEnum = defineEnum(
  'ConventionPayoutState',
  'The state of a payout, in the words of the wider API convention.',
  {
    pending: "The payout is open and below the minimum payout of the affiliate's campaign.",
    due: 'The payout is open and can be paid.',
    paid: payoutState.paid,
  } satisfies Words<typeof conventionPayoutStates>,
)

const notPayableReason: Words<typeof notPayableReasons> = {
  nothing_due: 'No commission is due at that time, but some become due later.',
  debt: 'Debts from refunds exceed the due commissions. The remaining debt is carried forward.',
  below_minimum: "The amount is below the minimum payout of the affiliate's campaign.",
}

export const NotPayableReasonEnum = defineEnum(
  'NotPayableReason',
  'Why an expected payout cannot be paid.',
  notPayableReason,
)

const payoutFileFormat: Words<typeof payoutFileFormats> = {
  wallet_a: "For wallet A: PayPal's payout file. One currency per file, no header line.",
  wallet_b: "For wallet B: Wise's batch file for recipients identified by e-mail.",
  generic: 'Every detail of each payout, paid or open.',
}

export const PayoutFileFormatEnum = defineEnum('PayoutFileFormat', 'The format of a file of payouts.', payoutFileFormat)

const skipReason: Words<typeof skipReasons> = {
  no_wallet: 'The affiliate has no e-mail for this wallet.',
  no_name: 'The affiliate has no name, which this wallet requires.',
  unsafe_email:
    'The e-mail starts with a character that spreadsheets read as the start of a formula, so they would change it.',
  already_paid: 'The payout is already paid. A wallet would pay it again.',
  below_minimum: "The amount is below the minimum payout of the affiliate's campaign.",
  nothing_to_pay: 'The amount is 0.',
}

export const SkipReasonEnum = defineEnum('SkipReason', "Why a payout is left out of a wallet's file.", skipReason)
