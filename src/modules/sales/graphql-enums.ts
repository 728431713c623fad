import type { AttributionSignal, NoCommissionReason } from '../../generated/prisma/enums.ts'
import { defineEnum } from '../../graphql/enums.ts'
import type { SignalOutcome } from './decision.ts'
import type { SaleSource } from './source.ts'

export const AttributionSignalEnum = defineEnum('AttributionSignal', 'What connected a sale with an affiliate.', {
  referral_id: 'The referral id in the report.',
  coupon: 'The coupon in the report.',
  email: "The customer's e-mail address, known from a lead or an earlier sale.",
  agent: 'What the checkout of an agent said about who sent the customer: `affiliateAttribution`.',
  manual: 'A person attributed the sale by hand, because no other signal matched.',
} satisfies Record<AttributionSignal, string>)

export const SaleSourceEnum = defineEnum('SaleSource', 'Where a sale comes from.', {
  link: "A visit through an affiliate's link.",
  coupon: "An affiliate's coupon.",
  agent: 'What an agent said: of the sale, or of the visit.',
  email: "The customer's e-mail address, known from a lead or an earlier sale.",
  by_hand: 'A person, who gave the sale to the affiliate.',
} satisfies Record<SaleSource, string>)

const noCommissionReason = {
  max_commissions_reached: 'The referral already has as many commissions as the campaign allows.',
  commission_period_over: "The sale occurred after the end of the campaign's commission period.",
  amount_rounds_to_zero: 'The amount of the commission rounds to 0.',
  self_referral:
    "The customer is the affiliate or belongs to the affiliate's company, and the campaign rejects self-referrals.",
  rule_earns_nothing: 'The commission rule that applies says that such sales earn nothing.',
  cap_reached: 'The affiliate has earned what the cap of the commission rule allows in the month or year of the sale.',
  attribution_undone: 'A person took back that the sale belongs to its affiliate.',
} satisfies Record<NoCommissionReason, string>

export const NoCommissionReasonEnum = defineEnum(
  'NoCommissionReason',
  'Why a recorded sale earned no commission.',
  noCommissionReason,
)

export const SignalOutcomeEnum = defineEnum(
  'SignalOutcome',
  'The outcome of searching for the affiliate by one signal.',
  {
    matched: 'The signal led to the active affiliate that the sale belongs to.',
    not_given: 'The report did not have this signal.',
    not_tried: 'An earlier signal matched, so this one was not tried.',
    not_usable: 'The report had this signal, but its value could not be used.',
    not_found: 'The program had no record for this signal when the sale occurred.',
    expired: 'The signal led only to referrals that had expired or ended.',
    affiliate_not_active: 'The signal led to an affiliate who was not active.',
    archived: 'The signal led to an archived coupon, or to an affiliate in an archived campaign.',
  } satisfies Record<SignalOutcome, string>,
)

export const SaleOutcomeEnum = defineEnum(
  'SaleOutcome',
  'The outcome of a sale: whether it earned a commission, or why not.',
  {
    earned: 'The sale earned a commission.',
    held: 'The sale earned a commission that is held until a person approves or voids it.',
    void: 'The sale earned a commission that is void now.',
    ...noCommissionReason,
  } satisfies Record<'earned' | 'held' | 'void' | NoCommissionReason, string>,
)

export const RoundingEnum = defineEnum('Rounding', 'How an exact amount is rounded to whole minor units.', {
  half_up: 'To the nearest minor unit. Halves are rounded up.',
})
