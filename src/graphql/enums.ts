import type { importOutcomes } from '../affiliates/import.ts'
import type { affiliateStates } from '../affiliates/input.ts'
import type { apiKeyAccesses, apiKeyProfiles, apiKeyWords } from '../api-keys/input.ts'
import type { commissionStates } from '../commissions/input.ts'
import type { conventionCommissionStates } from '../commissions/state.ts'
import type { SignalOutcome } from '../conversions/decision.ts'
import type {
  ActorKind,
  AttributionSignal,
  ChangeSubject,
  HeldReason,
  NoCommissionReason,
  RewardType,
  SelfReferralPolicy,
} from '../generated/prisma/enums.ts'
import type { Outcome } from '../imports/batch.ts'
import type { importKinds } from '../imports/input.ts'
import type { conventionPayoutStates, payoutRunFormats, payoutStates } from '../payouts/input.ts'
import type { notPayableReasons } from '../payouts/preview.ts'
import type { skipReasons } from '../payouts/run.ts'
import type { conversionStates } from '../referrals/input.ts'
import { builder } from './builder.ts'

/** Words of the contract are lower case; GraphQL spells the same words in capitals. */
export const define = <const T extends string>(name: string, description: string, words: Record<T, string>) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries<string>(words).map(([word, meaning]) => [
        word.toUpperCase(),
        { value: word as T, description: meaning },
      ]),
    ) as Record<string, { value: T; description: string }>,
  })

type Words<T extends readonly string[]> = Record<T[number], string>

const affiliateState: Words<typeof affiliateStates> = {
  active: 'Gets visitors, leads, conversions and commissions.',
  disabled: 'Gets nothing new; what was earned stays.',
  suspicious: 'Under review: gets nothing new until a person decides.',
}
const importOutcome: Words<typeof importOutcomes> = {
  created: 'A new affiliate; in a dry run, it would be one.',
  skipped: 'Is an affiliate already, by e-mail, and stays as they are.',
  invalid: 'Has problems; nothing of the file was made.',
  not_created: 'Has no problem, but another line has: nothing of the file was made.',
}
const conversionState: Words<typeof conversionStates> = {
  visitor: 'Came through a link.',
  lead: 'Said who they are.',
  conversion: 'Bought.',
}
const commissionState: Words<typeof commissionStates> = {
  pending: 'Earned, not yet due.',
  due: 'To be paid: its due date has passed.',
  paid: 'Paid in a payout; never changed again.',
  void: 'Taken back.',
}
const payoutState: Words<typeof payoutStates> = {
  pending: 'Open: gathers what becomes due until it is paid.',
  paid: 'Paid, with all its commissions, at one instant.',
}

const notPayableReason: Words<typeof notPayableReasons> = {
  nothing_due: 'Nothing is due by then; something becomes due later.',
  debt: 'Refunds of what was paid outweigh what is due; the debt waits for later commissions.',
  below_minimum: "It is below the minimum of the affiliate's campaign.",
}

export const AffiliateStateEnum = define('AffiliateState', 'Whether an affiliate takes part.', affiliateState)
export const ImportOutcomeEnum = define('ImportOutcome', 'What came of a line of a file.', importOutcome)
export const ConversionStateEnum = define('ConversionState', 'How far a referral has come.', conversionState)
export const CommissionStateEnum = define(
  'CommissionState',
  'Where a commission stands; due follows from the clock.',
  commissionState,
)
export const PayoutStateEnum = define('PayoutState', 'Where a payout stands.', payoutState)
export const ConventionCommissionStateEnum = define(
  'ConventionCommissionState',
  "Where a commission stands, in the convention's words.",
  {
    pending: commissionState.pending,
    due: commissionState.due,
    paid: commissionState.paid,
    voided: commissionState.void,
  } satisfies Words<typeof conventionCommissionStates>,
)
export const ConventionPayoutStateEnum = define(
  'ConventionPayoutState',
  "Where a payout stands, in the convention's words.",
  {
    pending: "Open, and below the minimum of the affiliate's campaign.",
    due: 'Open, and enough to be paid.',
    paid: payoutState.paid,
  } satisfies Words<typeof conventionPayoutStates>,
)
export const NotPayableReasonEnum = define(
  'NotPayableReason',
  'Why an expected payout could not be paid.',
  notPayableReason,
)
const payoutRunFormat: Words<typeof payoutRunFormats> = {
  wallet_a: "For wallet A, as PayPal's payout file: one currency, no line of names.",
  wallet_b: "For wallet B, as Wise's batch file for recipients known by e-mail.",
  generic: 'All there is to know about each payout, paid or not.',
}
const skipReason: Words<typeof skipReasons> = {
  no_wallet: 'The affiliate has no e-mail for this wallet.',
  no_name: 'The affiliate has no name, which this wallet asks for.',
  unsafe_email: 'The e-mail begins as a formula does, so that a spreadsheet would change it.',
  already_paid: 'It is paid: a file that pays would pay it again.',
  below_minimum: "It is below the minimum of the affiliate's campaign.",
  nothing_to_pay: 'It comes to nothing.',
}

export const PayoutRunFormatEnum = define('PayoutRunFormat', 'Who reads the file of a run.', payoutRunFormat)
export const SkipReasonEnum = define('SkipReason', "Why a payout is not in a wallet's file.", skipReason)
export const RewardTypeEnum = define('RewardType', 'What a campaign pays for a sale.', {
  percent: 'A share of the sale, in its currency.',
  amount: "A fixed amount, in the campaign's currency.",
} satisfies Record<RewardType, string>)
export const AttributionSignalEnum = define('AttributionSignal', 'What connected a sale with an affiliate.', {
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
export const NoCommissionReasonEnum = define(
  'NoCommissionReason',
  'Why a recorded sale earned no commission.',
  noCommissionReason,
)

export const HeldReasonEnum = define('HeldReason', 'Why a commission waits for a person to decide.', {
  self_referral_email: "The customer's e-mail is the affiliate's own.",
  self_referral_domain:
    "The customer's e-mail is of the affiliate's own company: the same domain, and no free mail provider.",
} satisfies Record<HeldReason, string>)
export const SelfReferralPolicyEnum = define(
  'SelfReferralPolicy',
  "What becomes of a sale to the affiliate's own e-mail or company.",
  {
    allow: 'It earns as any other.',
    hold: 'Its commission stays pending until a person decides.',
    reject: 'It earns nothing; the sale says why.',
  } satisfies Record<SelfReferralPolicy, string>,
)

export const SignalOutcomeEnum = define('SignalOutcome', 'What came of looking for the affiliate by one signal.', {
  matched: 'It found the active affiliate that the sale belongs to.',
  not_given: 'The report did not have it.',
  not_tried: 'A signal before it had matched.',
  not_found: 'Nothing in the program has it.',
  expired: 'It led to referrals that could not become a conversion any more.',
  affiliate_not_active: 'It led to an affiliate who was not active.',
} satisfies Record<SignalOutcome, string>)
export const SaleOutcomeEnum = define('SaleOutcome', 'What came of a sale, in one word.', {
  earned: 'It earned a commission.',
  held: 'It earned a commission that waits for a person to decide.',
  void: 'Its commission was taken back.',
  ...noCommissionReason,
} satisfies Record<'earned' | 'held' | 'void' | NoCommissionReason, string>)
export const ActorKindEnum = define('ActorKind', 'Who does something.', {
  operator: "An operator, with the operator's token.",
  api_key: 'A client of the program, with one of its keys.',
  affiliate: 'An affiliate, with a token of their own.',
  system: 'The service itself.',
} satisfies Record<ActorKind, string>)
export const ChangeSubjectEnum = define('ChangeSubject', 'What a history can be of.', {
  affiliate: 'An affiliate, with its links and coupon.',
  campaign: 'A campaign.',
  payout: 'A payout.',
} satisfies Record<ChangeSubject, string>)

const apiKeyAccess: Words<typeof apiKeyAccesses> = {
  read: 'It reads; mutations and whatever else changes something are refused.',
  full: 'All that the API can do in its program.',
}
export const ApiKeyAccessEnum = define('ApiKeyAccess', 'What an API key may do.', apiKeyAccess)

const importKind: Words<typeof importKinds> = {
  campaign: 'A campaign.',
  affiliate: 'An affiliate, with links told inside.',
  affiliate_link: 'A link of an affiliate.',
  affiliate_coupon: 'A coupon of an affiliate.',
  referral: 'A referral, with its customer.',
  payout: 'A payout, with the ids of its commissions.',
  commission: 'A commission, with its sale.',
  sale: 'A sale; it comes inside a commission.',
}
export const ImportKindEnum = define('ImportKind', 'What is brought over from another server.', importKind)
export const ImportRecordOutcomeEnum = define('ImportRecordOutcome', 'What came of a record of another server.', {
  created: 'It is new here; in a dry run, it would be.',
  updated: 'It was here, and was caught up with.',
  unchanged: 'It was here, and stays as it is.',
  left_out: 'It has a problem, and is not here.',
  unresolved: 'In a dry run: it names records that are not here yet.',
} satisfies Record<Outcome, string>)
const apiKeyProfile: Words<typeof apiKeyProfiles> = {
  contract: 'Exactly the fields of the documented contract.',
  superset: "The contract's fields, and beside them those that clients of the convention expect.",
}
export const ApiKeyProfileEnum = define('ApiKeyProfile', 'Which fields the REST answers to a key have.', apiKeyProfile)

const apiKeyWord: Words<typeof apiKeyWords> = {
  contract: "The contract's: a commission that was taken back is `void`, an open payout `pending`.",
  convention:
    "The convention's: such a commission is `voided`, an open payout is `due` once it meets the minimum of the affiliate's campaign.",
}
export const ApiKeyWordsEnum = define('ApiKeyWords', 'Whose words states are in over REST.', apiKeyWord)

const byName: Record<string, ReturnType<typeof define>> = {
  ImportKind: ImportKindEnum,
  AffiliateState: AffiliateStateEnum,
  ApiKeyAccess: ApiKeyAccessEnum,
  ApiKeyProfile: ApiKeyProfileEnum,
  ApiKeyWords: ApiKeyWordsEnum,
  ConversionState: ConversionStateEnum,
  CommissionState: CommissionStateEnum,
  PayoutState: PayoutStateEnum,
  ConventionPayoutState: ConventionPayoutStateEnum,
  PayoutRunFormat: PayoutRunFormatEnum,
  RewardType: RewardTypeEnum,
  SelfReferralPolicy: SelfReferralPolicyEnum,
  AttributionSignal: AttributionSignalEnum,
  HeldReason: HeldReasonEnum,
  NoCommissionReason: NoCommissionReasonEnum,
}

export function enumOf(name: string) {
  const found = byName[name]
  if (!found) throw new Error(`No GraphQL enum is called ${name}.`)
  return found
}
