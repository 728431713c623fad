import { defineEnum, type Words } from '../../graphql/enums.ts'
import { methods } from '../payout-methods/all.ts'
import type { conventionPayoutStates, payoutStates } from './input.ts'
import type { notPayableReasons } from './preview.ts'
import type { runReasons, SkipReason } from './skip.ts'

const payoutState: Words<typeof payoutStates> = {
  pending: 'The payout is open: due commissions are collected into it until it is paid.',
  paid: 'The payout and all its commissions are paid.',
  failed:
    'The payment failed, came back or was not claimed. The commissions are due again, and in a later payout of the affiliate.',
}

export const PayoutStateEnum = defineEnum('PayoutState', 'The state of a payout.', payoutState)

export const ConventionPayoutStateEnum = defineEnum(
  'ConventionPayoutState',
  'The state of a payout, in the words of the wider API convention.',
  {
    pending: "The payout is open and below the minimum payout of the affiliate's campaign.",
    due: 'The payout is open and can be paid.',
    processing: 'The payment was sent to a service, and its result is not known yet.',
    paid: payoutState.paid,
    failed: payoutState.failed,
  } satisfies Words<typeof conventionPayoutStates>,
)

const addressChanged =
  'The affiliate has changed the payout address, and payouts wait: see `Affiliate.payoutsHeldUntil`.'

const taxProfileMissing =
  'The program pays only affiliates who have signed a tax profile, and this one has not, or it has expired.'

const notPayableReason: Words<typeof notPayableReasons> = {
  nothing_due: 'No commission is due at that time, but some become due later.',
  debt: 'Debts from refunds exceed the due commissions. The remaining debt is carried forward.',
  nothing_to_pay: 'Debts equal the due commissions, so the amount is 0, or all of it would be withheld as tax.',
  in_open_run: 'An open payout run pays the payout.',
  address_changed: addressChanged,
  tax_profile_missing: taxProfileMissing,
  below_minimum: "The amount is below the minimum payout of the affiliate's campaign.",
}

export const NotPayableReasonEnum = defineEnum(
  'NotPayableReason',
  'Why an expected payout cannot be paid.',
  notPayableReason,
)

const runReason: Words<typeof runReasons> = {
  already_paid: 'The payout is already paid. It would be paid again.',
  payment_failed: 'The payment of the payout failed. What it paid is in a later payout.',
  below_minimum: "The amount is below the minimum payout of the affiliate's campaign.",
  nothing_to_pay: 'The amount is 0, all of it would be withheld as tax, or the service would round it to 0.',
  in_open_run: 'An open payout run pays the payout.',
  unclaimed:
    'The affiliate has not claimed the payment of an earlier run. It waits at the service, which can still pay it: cancel it there, and record `CANCELLED`.',
  dead_address: 'The last three payments to this address failed. The affiliate has to change it.',
  affiliate_suspicious: 'The affiliate is suspicious. Decide about them first: set another state.',
  affiliate_disabled: 'The affiliate is disabled, and the run leaves disabled affiliates out.',
  address_changed: addressChanged,
  tax_profile_missing: taxProfileMissing,
  other_method: 'The affiliate is paid by another method: the preferred one, or by the default of the program.',
  other_currency: 'The payout is in another currency than the run.',
  opened_later: 'The payout was opened after the time that the run is as of.',
  file_full: 'The file has as many payouts as the service accepts. The payout can be in the next run.',
}

const skipReason = Object.assign({}, ...Object.values(methods).map(({ reasons }) => reasons), runReason) as Record<
  SkipReason,
  string
>

export const SkipReasonEnum = defineEnum('SkipReason', 'Why a payout is left out of a file or a run.', skipReason)
