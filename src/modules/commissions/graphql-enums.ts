import type { HeldReason } from '../../generated/prisma/enums.ts'
import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { commissionStates } from './input.ts'
import type { conventionCommissionStates } from './state.ts'

const commissionState: Words<typeof commissionStates> = {
  pending: 'Earned, not yet due.',
  due: 'To be paid: its due date has passed.',
  paid: 'Paid in a payout; never changed again.',
  void: 'Taken back.',
}

export const CommissionStateEnum = defineEnum(
  'CommissionState',
  'Where a commission stands; due follows from the clock.',
  commissionState,
)

export const ConventionCommissionStateEnum = defineEnum(
  'ConventionCommissionState',
  "Where a commission stands, in the convention's words.",
  {
    pending: commissionState.pending,
    due: commissionState.due,
    paid: commissionState.paid,
    voided: commissionState.void,
  } satisfies Words<typeof conventionCommissionStates>,
)

export const HeldReasonEnum = defineEnum('HeldReason', 'Why a commission waits for a person to decide.', {
  self_referral_email: "The customer's e-mail is the affiliate's own.",
  self_referral_domain:
    "The customer's e-mail is of the affiliate's own company: the same domain, and no free mail provider.",
} satisfies Record<HeldReason, string>)
