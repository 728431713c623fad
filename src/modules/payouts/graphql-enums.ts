import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { conventionPayoutStates, payoutRunFormats, payoutStates } from './input.ts'
import type { notPayableReasons } from './preview.ts'
import type { skipReasons } from './run.ts'

const payoutState: Words<typeof payoutStates> = {
  pending: 'Open: gathers what becomes due until it is paid.',
  paid: 'Paid, with all its commissions, at one instant.',
}

export const PayoutStateEnum = defineEnum('PayoutState', 'Where a payout stands.', payoutState)

export const ConventionPayoutStateEnum = defineEnum(
  'ConventionPayoutState',
  "Where a payout stands, in the convention's words.",
  {
    pending: "Open, and below the minimum of the affiliate's campaign.",
    due: 'Open, and enough to be paid.',
    paid: payoutState.paid,
  } satisfies Words<typeof conventionPayoutStates>,
)

const notPayableReason: Words<typeof notPayableReasons> = {
  nothing_due: 'Nothing is due by then; something becomes due later.',
  debt: 'Refunds of what was paid outweigh what is due; the debt waits for later commissions.',
  below_minimum: "It is below the minimum of the affiliate's campaign.",
}

export const NotPayableReasonEnum = defineEnum(
  'NotPayableReason',
  'Why an expected payout could not be paid.',
  notPayableReason,
)

const payoutRunFormat: Words<typeof payoutRunFormats> = {
  wallet_a: "For wallet A, as PayPal's payout file: one currency, no line of names.",
  wallet_b: "For wallet B, as Wise's batch file for recipients known by e-mail.",
  generic: 'All there is to know about each payout, paid or not.',
}

export const PayoutRunFormatEnum = defineEnum('PayoutRunFormat', 'Who reads the file of a run.', payoutRunFormat)

const skipReason: Words<typeof skipReasons> = {
  no_wallet: 'The affiliate has no e-mail for this wallet.',
  no_name: 'The affiliate has no name, which this wallet asks for.',
  unsafe_email: 'The e-mail begins as a formula does, so that a spreadsheet would change it.',
  already_paid: 'It is paid: a file that pays would pay it again.',
  below_minimum: "It is below the minimum of the affiliate's campaign.",
  nothing_to_pay: 'It comes to nothing.',
}

export const SkipReasonEnum = defineEnum('SkipReason', "Why a payout is not in a wallet's file.", skipReason)
