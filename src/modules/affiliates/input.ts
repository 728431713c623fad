import { z } from 'zod'
import { bic, iban } from '../../kernel/input/bank-codes.ts'
import {
  clearable,
  described,
  email,
  file,
  flag,
  oneOf,
  optional,
  payeeEmail,
  reference,
  required,
  shownName,
  someOf,
  text,
  unchangedIfAbsent,
} from '../../kernel/input/fields.ts'
import { language } from '../../kernel/input/language.ts'
import { entries, mostAtOnce } from '../../kernel/input/lists.ts'
import { pageFields } from '../../listing/page-fields.ts'
import { addressFields } from '../payout-methods/addresses.ts'
import { payoutMethod } from '../payout-methods/input.ts'
import { isStripeAddress } from '../payout-methods/stripe/address.ts'
import { ownFields } from './own-fields/input.ts'
import { importedToken, token } from './tokens.ts'

export const recipientTypes = ['person', 'business'] as const
export const affiliateStates = ['active', 'disabled', 'suspicious'] as const

const address = described(email(), "The affiliate's e-mail. Unique in the program, compared without regard to case.")
const firstName = described(text(), 'Given name.', { example: 'Ada' })
const lastName = described(text(), 'Family name.', { example: 'Lovelace' })
const campaignId = described(
  reference(),
  "The campaign that the affiliate belongs to. Defaults to the program's default campaign.",
)
const paypalEmail = described(payeeEmail(), addressFields.paypalEmail.input, { example: 'ada@wallet-a.test' })
const wiseEmail = described(payeeEmail(), addressFields.wiseEmail.input, { example: 'ada@wallet-b.test' })
const preferredPayoutMethod = described(
  payoutMethod,
  "How the affiliate wants to be paid. Without it: by the only wallet there is, or by the program's default.",
)
const recipientType = described(
  oneOf('RecipientType', recipientTypes),
  'Whether the affiliate is a person or a business. Wise needs to know it, and takes a person without it.',
)
const payoutIban = described(iban(), addressFields.iban.input)
const payoutBic = described(bic(), addressFields.bic.input)
const stripeAccount = described(
  text(200).refine(isStripeAddress, { error: 'must be an id such as acct_1Nv0FGQ9RKHgCVdK' }),
  addressFields.stripeAccount.input,
)
const company = described(text(), 'The company of the affiliate, for invoices and statements.', {
  example: 'Lovelace Ltd',
})
const displayName = described(
  shownName(50),
  'What other affiliates see in the leaderboard of the portal. Null: the initials.',
  { example: 'Countess' },
)
const showsInLeaderboard = described(flag(), 'Whether other affiliates see the affiliate in the leaderboard.')
const postalAddress = described(text(1_000), 'The postal address, in several lines.', {
  example: '12 St James Square, London',
})
const mailLanguage = described(
  language(),
  "The language of the portal and of mails: en, de, fr, es, pt or ja. Without it, that of the program's locale.",
  { example: 'ja' },
)
const billingCustomerId = described(text(), "The affiliate's customer id in the billing system.", {
  example: 'cus_123',
})
const stateMeaning =
  'The state of the affiliate. Only active affiliates get visitors, leads, conversions and new commissions.'
const state = described(oneOf('AffiliateState', affiliateStates), stateMeaning)
const receiveNewCommissionNotifications = described(
  flag(),
  'Whether the affiliate is told of new commissions by mail.',
  { default: true },
)

export const createAffiliateInput = z.object({
  email: required(address),
  firstName: optional(firstName),
  lastName: optional(lastName),
  campaignId: optional(campaignId),
  token: optional(described(token(), "The token of the affiliate's first link. Generated from the name by default.")),
  paypalEmail: optional(paypalEmail),
  wiseEmail: optional(wiseEmail),
  preferredPayoutMethod: optional(preferredPayoutMethod),
  recipientType: optional(recipientType),
  iban: optional(payoutIban),
  bic: optional(payoutBic),
  stripeAccount: optional(stripeAccount),
  company: optional(company),
  postalAddress: optional(postalAddress),
  language: optional(mailLanguage),
  billingCustomerId: optional(billingCustomerId),
  state: optional(described(state, stateMeaning, { default: 'active' })),
  receiveNewCommissionNotifications: optional(receiveNewCommissionNotifications),
  ownFields: optional(ownFields),
})

/** A line of a file. Links that another service has published keep their tokens. */
export const importedAffiliateInput = createAffiliateInput.extend({ token: optional(importedToken()) })

export const createAffiliatesInput = z.object({
  affiliates: required(
    described(entries('CreateAffiliateInput', mostAtOnce), `1 to ${mostAtOnce} affiliates. Creates all or none.`),
  ),
})

export const importAffiliatesInput = z.object({
  csv: required(
    described(
      file(),
      'The content of the CSV file, with a header and at most 2,000 lines, separated by commas, semicolons or tabs. The column `email` is required. Optional columns are `first_name`, `last_name`, `token`, `paypal_email`, `wise_email`, `billing_customer_id`, `coupon` (codes, divided by semicolons), `campaign` (a name or an id) and `groups` (names, divided by semicolons; existing affiliates join them too), and the name or the label of each of the own fields of the program. Spaces and capitals in names do not matter (`First Name`), and other names of REST are accepted (`wallet_a_email`, `wallet_b_email`, `stripe_customer_id`).',
    ),
  ),
  campaignId: optional(
    described(reference(), "The campaign for lines without one. Defaults to the program's default campaign."),
  ),
  dryRun: optional(
    described(flag(), 'Whether to only check the file: the response is the same, but nothing is written.', {
      default: false,
    }),
  ),
  recordEvents: optional(
    described(flag(), 'Whether the new affiliates, links and coupons are recorded as events, and sent to webhooks.', {
      default: false,
    }),
  ),
})

export const updateAffiliateInput = z.object({
  email: unchangedIfAbsent(address),
  firstName: clearable(firstName),
  lastName: clearable(lastName),
  campaignId: unchangedIfAbsent(
    described(reference(), 'Moves the affiliate to this campaign. Existing referrals and commissions do not change.'),
  ),
  paypalEmail: clearable(paypalEmail),
  wiseEmail: clearable(wiseEmail),
  preferredPayoutMethod: clearable(preferredPayoutMethod),
  recipientType: clearable(recipientType),
  iban: clearable(payoutIban),
  bic: clearable(payoutBic),
  stripeAccount: clearable(stripeAccount),
  company: clearable(company),
  postalAddress: clearable(postalAddress),
  language: clearable(mailLanguage),
  displayName: clearable(displayName),
  showsInLeaderboard: unchangedIfAbsent(showsInLeaderboard),
  billingCustomerId: clearable(billingCustomerId),
  state: unchangedIfAbsent(state),
  receiveNewCommissionNotifications: unchangedIfAbsent(receiveNewCommissionNotifications),
  ownFields: optional(ownFields),
})

export const listAffiliatesInput = z.object({
  ...pageFields,
  state: optional(described(someOf('AffiliateState', affiliateStates), 'Only affiliates in one of these states.')),
  campaignId: optional(described(reference(), 'Only affiliates of this campaign.')),
  email: optional(described(text(), 'Only the affiliate with this e-mail, compared without regard to case.')),
  billingCustomerId: optional(described(text(), 'Only affiliates with this customer id in the billing system.')),
  linkToken: optional(
    described(text(), 'Only the affiliate who has a link with this token, compared without regard to case.'),
  ),
})
