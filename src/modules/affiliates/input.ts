import { z } from 'zod'
import {
  clearable,
  described,
  email,
  file,
  flag,
  kept,
  oneOf,
  optional,
  reference,
  required,
  someOf,
  text,
  token,
} from '../../kernel/input/fields.ts'
import { entries, mostAtOnce } from '../../kernel/input/lists.ts'
import { pageFields } from '../../kernel/pagination/page.ts'

export const affiliateStates = ['active', 'disabled', 'suspicious'] as const

const address = described(email(), 'Unique in the program, whatever the case of its letters.')
const firstName = described(text(), 'Given name.', { example: 'Ada' })
const lastName = described(text(), 'Family name.', { example: 'Lovelace' })
const campaignId = described(
  reference(),
  "The campaign the affiliate belongs to; the program's default campaign unless given.",
)
const walletAEmail = described(email(), 'Payout e-mail for the first wallet provider.', {
  example: 'ada@wallet-a.test',
})
const walletBEmail = described(email(), 'Payout e-mail for the second wallet provider.', {
  example: 'ada@wallet-b.test',
})
const billingCustomerId = described(text(), 'The affiliate as a customer of the billing system.', {
  example: 'cus_123',
})
const state = described(
  oneOf('AffiliateState', affiliateStates),
  'Only an active affiliate gets visitors, leads, conversions or new commissions.',
)
const receiveNewCommissionNotifications = described(
  flag(),
  'Whether the affiliate wants to hear of each new commission; kept for whoever sends such messages.',
  { default: true },
)

export const createAffiliateInput = z.object({
  email: required(address),
  firstName: optional(firstName),
  lastName: optional(lastName),
  campaignId: optional(campaignId),
  token: optional(described(token(), "The token of the affiliate's first link; made from the name unless given.")),
  walletAEmail: optional(walletAEmail),
  walletBEmail: optional(walletBEmail),
  billingCustomerId: optional(billingCustomerId),
  receiveNewCommissionNotifications: optional(receiveNewCommissionNotifications),
})

export const createAffiliatesInput = z.object({
  affiliates: required(
    described(entries('CreateAffiliateInput', mostAtOnce), `1 to ${mostAtOnce} affiliates; all are made, or none.`),
  ),
})

export const importAffiliatesInput = z.object({
  csv: required(
    described(
      file(),
      'The file, with a header, at most 2,000 lines. Its columns are email, and where there are more first_name, last_name, token, wallet_a_email, wallet_b_email, billing_customer_id, coupon, and campaign (its name or id). Separated by commas or semicolons.',
    ),
  ),
  campaignId: optional(
    described(reference(), "The campaign of lines that name none; the program's default campaign unless given."),
  ),
  dryRun: optional(described(flag(), 'The same answer, and nothing is written.', { default: false })),
})

export const updateAffiliateInput = z.object({
  email: kept(address),
  firstName: clearable(firstName),
  lastName: clearable(lastName),
  campaignId: kept(described(reference(), 'Moves the affiliate to this campaign.')),
  walletAEmail: clearable(walletAEmail),
  walletBEmail: clearable(walletBEmail),
  billingCustomerId: clearable(billingCustomerId),
  state: kept(state),
  receiveNewCommissionNotifications: kept(receiveNewCommissionNotifications),
})

export const listAffiliatesInput = z.object({
  ...pageFields,
  state: optional(described(someOf('AffiliateState', affiliateStates), 'Only affiliates in one of these states.')),
  campaignId: optional(described(reference(), 'Only affiliates of this campaign.')),
  email: optional(described(text(), 'Only the affiliate with this e-mail, whatever the case of its letters.')),
  billingCustomerId: optional(described(text(), 'Only affiliates with this billing customer.')),
})
