import type { Affiliate } from '../generated/prisma/client.ts'
import { type Fields, type FieldsOf, fieldsWith, type Given, hidden, newValues, type Resource } from './resource.ts'
import { alwaysNull, campaignSummary, field, marked, noAccounts, object, resource, same } from './superset.ts'

/** A detail that a person enters. */
const detail = { kind: 'text', nullable: true, default: null, recorded: true, inCsv: true, exported: true } as const

const fields = {
  programId: hidden,
  id: { kind: 'id', contract: true, exported: true },
  createdAt: { kind: 'time', contract: true, exported: true },
  updatedAt: { kind: 'time', contract: true, exported: true },
  firstName: { ...detail, contract: true, personal: 'name' },
  lastName: { ...detail, contract: true, personal: 'name' },
  email: { kind: 'text', contract: true, recorded: true, inCsv: true, personal: 'address', exported: true },
  emailKey: hidden,
  paypalEmail: { ...detail, wire: 'wallet_a_email', contract: true, personal: 'address' },
  wiseEmail: { ...detail, wire: 'wallet_b_email', contract: true, personal: 'address' },
  preferredPayoutMethod: { kind: 'word', enum: 'PayoutMethod', nullable: true, default: null, recorded: true },
  recipientType: { kind: 'word', enum: 'RecipientType', nullable: true, default: null, recorded: true },
  iban: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'address' },
  bic: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'other' },
  stripeAccount: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'address' },
  company: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'other' },
  postalAddress: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'other' },
  language: { kind: 'text', nullable: true, default: null, recorded: true },
  displayName: { kind: 'text', nullable: true, default: null, recorded: true, personal: 'name' },
  showsInLeaderboard: { kind: 'flag', default: true, recorded: true },
  payoutsHeldUntil: { kind: 'time', nullable: true, recorded: true },
  withholdingBasisPoints: { kind: 'number', nullable: true, recorded: true },
  state: { kind: 'word', enum: 'AffiliateState', default: 'active', contract: true, recorded: true, exported: true },
  billingCustomerId: { ...detail, contract: true, personal: 'other' },
  confirmedAt: { kind: 'time', nullable: true, contract: true, recorded: true, exported: true },
  visitors: { kind: 'number', contract: true, exported: true },
  leads: { kind: 'number', contract: true, exported: true },
  conversions: { kind: 'number', contract: true, exported: true },
  campaignId: { kind: 'id', recorded: true, exported: 'The id of the campaign of the affiliate.' },
  linkTokens: { kind: 'texts', computed: true, exported: 'The tokens of the links, oldest first.' },
  couponToken: {
    kind: 'text',
    nullable: true,
    computed: true,
    exported: 'The token of the oldest coupon that is not archived. Null if there is none.',
  },
  couponTokens: {
    kind: 'text',
    nullable: true,
    computed: true,
    exported:
      'The codes of all coupons that are not archived, oldest first, divided by semicolons. Null if there is none.',
  },
  receiveNewCommissionNotifications: { kind: 'flag', default: true, recorded: true },
  ownFields: { kind: 'json', recorded: true, personal: 'other' },
  signInCount: { kind: 'number' },
  revenueCents: { kind: 'cents' },
  commissionsCents: { kind: 'cents' },
  dueCents: { kind: 'cents' },
  paidCents: { kind: 'cents' },
} as const satisfies FieldsOf<Affiliate> & Fields

export const affiliates = {
  object: 'affiliate',
  fields,
  superset: {
    paypal_email: same('wallet_a_email'),
    paypal_email_confirmed_at: field('paypalEmailConfirmedAt'),
    wise_email: same('wallet_b_email'),
    wise_email_confirmed_at: field('wiseEmailConfirmedAt'),
    unconfirmed_email: alwaysNull('A changed e-mail applies immediately; it is not confirmed.'),
    receive_new_commission_notifications: field('receiveNewCommissionNotifications'),
    sign_in_count: field('signInCount'),
    stripe_customer_id: same('billing_customer_id'),
    stripe_account_id: noAccounts,
    own_fields: marked(object('AffiliateOwnField', 'ownFields', { name: field('name'), value: field('value') }), {
      within: 'never',
    }),
    campaign: marked(campaignSummary, { onlyWithin: true }),
    coupons: marked(resource('AffiliateCoupon', 'couponList'), { within: 'never' }),
    commission_stats: marked(field('commissionStats'), { onExpand: true }),
  },
} as const satisfies Resource

const money = (exported: string) => ({ kind: 'cents', computed: true, exported }) as const

/** What exports have of affiliates: the fields, then the money in one currency. */
export const exportedAffiliates = {
  fields: {
    ...(Object.fromEntries(fieldsWith(fields, 'exported')) as Fields),
    currency: {
      kind: 'word',
      computed: true,
      exported: "The currency of the amounts: that of `currency` in the request, else the program's.",
    },
    earnedCents: money('All commissions that are not void. Debts are deducted.'),
    owedCents: money('The part of it that is not paid: pending, held and due.'),
    paidCents: money('The part of it that is paid.'),
  } satisfies Fields,
}

/** The fields of an affiliate that requests and imports can give. */
export type GivenToAffiliate = Given<Affiliate, typeof fields>

/** What a new affiliate has of them. */
export const newAffiliate = (given: Partial<GivenToAffiliate>): GivenToAffiliate => newValues(fields, given)

/** A new affiliate's sums, which the database keeps, and what no request gives: no hold, no rate, no fields. */
export const nothingSold = {
  revenueCents: 0n,
  commissionsCents: 0n,
  dueCents: 0n,
  paidCents: 0n,
  payoutsHeldUntil: null,
  withholdingBasisPoints: null,
  ownFields: {},
}
