import type { CommissionKind, HeldReason } from '../../generated/prisma/enums.ts'
import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { commissionStates, givenKinds } from './input.ts'
import type { conventionCommissionStates } from './state.ts'

const commissionState: Words<typeof commissionStates> = {
  pending: 'The commission is earned, but not due yet, or held.',
  due: 'The due date has passed, and the commission is not paid yet.',
  paid: 'The commission is paid, in a payout or outside of any.',
  void: 'The commission was cancelled and is not paid.',
}

export const CommissionStateEnum = defineEnum(
  'CommissionState',
  'The state of a commission. A pending commission becomes due by the clock.',
  commissionState,
)

export const ConventionCommissionStateEnum = defineEnum(
  'ConventionCommissionState',
  'The state of a commission, in the words of the wider API convention.',
  {
    pending: commissionState.pending,
    due: commissionState.due,
    paid: commissionState.paid,
    voided: commissionState.void,
  } satisfies Words<typeof conventionCommissionStates>,
)

const commissionKind = {
  sale: 'Earned by a sale, or a debt or credit of a refund of it.',
  bonus: 'Given by hand, beside what sales earn.',
  correction: 'Added or deducted by hand.',
  lead: 'Earned by a lead.',
} satisfies Record<CommissionKind, string>

export const CommissionKindEnum = defineEnum('CommissionKind', 'What a commission is for.', commissionKind)

const { bonus, correction } = commissionKind

defineEnum('GivenCommissionKind', 'What a commission that is given by hand is for.', {
  bonus,
  correction,
} satisfies Words<typeof givenKinds>)

export const HeldReasonEnum = defineEnum(
  'HeldReason',
  'Why a commission is held until a person approves or voids it.',
  {
    self_referral_email: "The customer has the affiliate's own e-mail address, or one of its payout addresses.",
    self_referral_domain:
      "The customer's e-mail address has the same domain as the affiliate's, and the domain does not belong to a free mail provider.",
    self_referral_lookalike:
      "The customer's e-mail address looks like the affiliate's own or a payout address, with letters of other scripts.",
    visit_after_sale: 'The referral id in the report names a visit that was made after the sale.',
    dispute: 'The customer disputes the payment. The hold ends with the dispute.',
    terms_not_accepted: 'The affiliate has not accepted the terms of the program in time. The hold ends when they do.',
  } satisfies Record<HeldReason, string>,
)
