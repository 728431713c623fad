import type { AttributionSignal, NoCommissionReason } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { SignalOutcome } from './report/decision.ts'

export const AttributionSignalEnum = defineEnum('AttributionSignal', 'What connected a sale with an affiliate.', {
  referral_id: 'The referral that the sale named.',
  coupon: 'The coupon code that was used.',
  email: "The customer's e-mail, known from a lead or an earlier sale.",
  manual: 'A person, who attributed a sale that nothing else had connected.',
} satisfies Record<AttributionSignal, string>)

const noCommissionReason = {
  max_commissions_reached: 'The customer has earned as many commissions as the campaign allows.',
  commission_period_over: "The sale came after the campaign's commission period.",
  amount_rounds_to_zero: 'The commission comes to nothing.',
  self_referral: "The customer is the affiliate, or of the affiliate's company, and the campaign rejects that.",
} satisfies Record<NoCommissionReason, string>

export const NoCommissionReasonEnum = defineEnum(
  'NoCommissionReason',
  'Why a recorded sale earned no commission.',
  noCommissionReason,
)

export const SignalOutcomeEnum = defineEnum('SignalOutcome', 'What came of looking for the affiliate by one signal.', {
  matched: 'It found the active affiliate that the sale belongs to.',
  not_given: 'The report did not have it.',
  not_tried: 'A signal before it had matched.',
  not_found: 'Nothing in the program has it.',
  expired: 'It led to referrals that could not become a conversion any more.',
  affiliate_not_active: 'It led to an affiliate who was not active.',
} satisfies Record<SignalOutcome, string>)

export const SaleOutcomeEnum = defineEnum('SaleOutcome', 'What came of a sale, in one word.', {
  earned: 'It earned a commission.',
  held: 'It earned a commission that waits for a person to decide.',
  void: 'Its commission was taken back.',
  ...noCommissionReason,
} satisfies Record<'earned' | 'held' | 'void' | NoCommissionReason, string>)
