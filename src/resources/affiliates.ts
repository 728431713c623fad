import type { Affiliate } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, type Given, hidden, newValues, type Resource } from './resource.ts'
import { alwaysNull, campaignSummary, field, marked, noAccounts, same } from './superset.ts'

/** A detail that a person enters. */
const detail = { kind: 'text', nullable: true, default: null, contract: true, recorded: true, inCsv: true } as const

const fields = {
  programId: hidden,
  id: { kind: 'id', contract: true, exported: 'The id of the affiliate.' },
  createdAt: { kind: 'time', contract: true, exported: 'When the affiliate was created.' },
  updatedAt: { kind: 'time', contract: true, exported: 'When the affiliate was last changed.' },
  firstName: { ...detail, personal: 'name', exported: 'The first name. Null if unknown.' },
  lastName: { ...detail, personal: 'name', exported: 'The last name. Null if unknown.' },
  email: {
    kind: 'text',
    contract: true,
    recorded: true,
    inCsv: true,
    personal: 'address',
    exported: 'The e-mail address.',
  },
  emailKey: hidden,
  walletAEmail: {
    ...detail,
    personal: 'address',
    exported: 'The e-mail address for payouts to wallet A. Null if there is none.',
  },
  walletBEmail: {
    ...detail,
    personal: 'address',
    exported: 'The e-mail address for payouts to wallet B. Null if there is none.',
  },
  state: {
    kind: 'word',
    enum: 'AffiliateState',
    default: 'active',
    contract: true,
    recorded: true,
    exported: 'The state of the affiliate.',
  },
  billingCustomerId: {
    ...detail,
    personal: 'other',
    exported: 'The id of the affiliate as a customer of your billing system. Null if there is none.',
  },
  confirmedAt: {
    kind: 'time',
    nullable: true,
    contract: true,
    recorded: true,
    exported: 'When the affiliate was confirmed. Null if not confirmed.',
  },
  visitors: { kind: 'number', contract: true, exported: 'The number of referrals, in any state.' },
  leads: { kind: 'number', contract: true, exported: 'The number of referrals that became a lead.' },
  conversions: { kind: 'number', contract: true, exported: 'The number of referrals that became a conversion.' },
  campaignId: { kind: 'id', recorded: true, exported: 'The id of the campaign of the affiliate.' },
  linkTokens: { kind: 'texts', computed: true, exported: 'The tokens of the links, oldest first.' },
  couponToken: {
    kind: 'text',
    nullable: true,
    computed: true,
    exported: 'The token of the coupon. Null if there is none.',
  },
  receiveNewCommissionNotifications: { kind: 'flag', default: true, recorded: true },
  signInCount: { kind: 'number' },
} as const satisfies FieldsOf<Affiliate> & Fields

export const affiliates = {
  object: 'affiliate',
  fields,
  superset: {
    paypal_email: same('wallet_a_email'),
    paypal_email_confirmed_at: field('walletAEmailConfirmedAt'),
    wise_email: same('wallet_b_email'),
    wise_email_confirmed_at: field('walletBEmailConfirmedAt'),
    unconfirmed_email: alwaysNull('A changed e-mail applies immediately; it is not confirmed.'),
    receive_new_commission_notifications: field('receiveNewCommissionNotifications'),
    sign_in_count: field('signInCount'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: noAccounts,
    campaign: marked(campaignSummary, { onlyWithin: true }),
    commission_stats: marked(field('commissionStats'), { onExpand: true }),
  },
} as const satisfies Resource

/** The fields of an affiliate that requests and imports can give. */
export type GivenToAffiliate = Given<Affiliate, typeof fields>

/** What a new affiliate has of them. */
export const newAffiliate = (given: Partial<GivenToAffiliate>): GivenToAffiliate => newValues(fields, given)
