import type { ApiKeyProfile } from '../../generated/prisma/enums.ts'
import { completeExample } from './complete-example.ts'
import { changedRuns, PayoutRun, runBodies } from './payout-run-examples.ts'
import { Statement, StatementFile } from './statement-examples.ts'

/** The document's examples: one affiliate and her data, with consistent ids and sums. Tests validate each. */

export const ids = {
  campaign: '019b8d62-7a80-7a31-8c52-3f0b9d6e1a47',
  affiliate: '019bb1c1-6440-7c1e-9b3f-2f6d0c8e5a11',
  link: '019bb1c1-6440-7f42-a1d8-6b2e4c9f7035',
  coupon: '019bb66c-27a0-7b90-8e27-51c3a9d4f862',
  referral: '019bdbb9-1ae0-76d5-b4a9-0e8f2c7d3b61',
  sale: '019c13ec-9e00-7e13-9f60-8d5b1a2c4e79',
  refund: '019c2a10-3c00-7b21-8d44-2f9e6a71c053',
  commission: '019c13ec-9e00-74a8-8b1d-c6f3e5029d7a',
  payout: '019cae6b-6600-7d27-a95c-1e4f7b8306dc',
  payoutRun: PayoutRun.id,
  event: '019c13ec-9e01-7c55-8a0e-93d2b7f41c68',
}

const Campaign = {
  id: ids.campaign,
  object: 'campaign',
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
  name: 'Partners',
  url: 'https://acme.test/pricing',
  private: false,
  reward_type: 'percent',
  commission_percent: 20,
  commission_currency: 'usd',
  minimum_payout_cents: 0,
  days_before_referrals_expire: 60,
  days_before_commissions_are_due: 30,
  max_commission_period_in_months: 12,
}

const AffiliateLink = {
  id: ids.link,
  object: 'affiliate_link',
  url: 'https://acme.test/pricing?via=ada',
  token: 'ada',
  visitors: 1,
  leads: 1,
  conversions: 1,
  affiliate_id: ids.affiliate,
}

const AffiliateCoupon = { id: ids.coupon, object: 'affiliate_coupon', token: 'ADA20', affiliate_id: ids.affiliate }

export const Affiliate = {
  id: ids.affiliate,
  object: 'affiliate',
  created_at: '2026-01-12T10:30:00.000Z',
  updated_at: '2026-01-12T10:30:00.000Z',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  wallet_a_email: 'ada@wallet-a.test',
  state: 'active',
  confirmed_at: '2026-01-12T10:30:00.000Z',
  visitors: 1,
  leads: 1,
  conversions: 1,
  campaign: Campaign,
  links: [AffiliateLink],
  coupon: AffiliateCoupon,
}

const Referral = {
  id: ids.referral,
  object: 'referral',
  conversion_state: 'conversion',
  became_lead_at: '2026-01-21T08:40:00.000Z',
  became_conversion_at: '2026-01-31T12:00:00.000Z',
  expires_at: '2026-03-21T14:05:00.000Z',
  billing_customer_id: 'cus_456',
  affiliate_id: ids.affiliate,
  campaign_id: ids.campaign,
}

export const Sale = {
  id: ids.sale,
  object: 'sale',
  currency: 'usd',
  charged_at: '2026-01-31T12:00:00.000Z',
  invoiced_at: '2026-01-31T12:00:00.000Z',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  charge_amount_cents: 4900,
  refund_amount_cents: 0,
  tax_amount_cents: 0,
  sale_amount_cents: 4900,
  stripe_charge_id: 'inv_1001',
  stripe_account_id: null,
  referral: Referral,
  affiliate: Affiliate,
}

const Commission = {
  id: ids.commission,
  object: 'commission',
  currency: 'usd',
  amount: 980,
  state: 'pending',
  due_at: '2026-03-02T12:00:00.000Z',
  campaign_id: ids.campaign,
  affiliate_id: ids.affiliate,
  kind: 'sale',
}

const Payout = {
  id: ids.payout,
  object: 'payout',
  state: 'pending',
  currency: 'usd',
  amount: 980,
  affiliate_id: ids.affiliate,
}

const Conversion = { object: 'conversion', duplicate: false, sale_id: ids.sale, commission: Commission }

const RefundReport = {
  object: 'refund',
  id: ids.refund,
  duplicate: false,
  waiting: false,
  sale_id: ids.sale,
  amount_cents: 2000,
  commission: { ...Commission, amount: 580 },
}

const RefundReversal = {
  object: 'refund_reversal',
  id: ids.refund,
  sale_id: ids.sale,
  amount_cents: 2000,
  reversed_at: '2026-03-05T09:30:00.000Z',
  commission: Commission,
}

const SsoLink = {
  sso: {
    url: 'https://affiliates.acme.test/portal?program=acme&from=site#ticket=trib_sso_eyJhbGciOi',
    expires: '2026-03-05T09:31:00.000Z',
  },
  affiliate: { id: ids.affiliate, email: 'ada@example.com' },
}

const Event = {
  id: ids.event,
  object: 'event',
  type: 'affiliate_coupon.created',
  created_at: '2026-01-13T08:00:00.000Z',
  subject_id: ids.coupon,
  version: 1768291200000,
  affiliate_id: ids.affiliate,
  campaign_id: null,
  request_id: '0b9d1e7c-5f3a-4c28-9a41-6be2d07f8c13',
  data: AffiliateCoupon,
}

const resources: Record<string, object> = {
  Event,
  Affiliate,
  Campaign,
  AffiliateLink,
  AffiliateCoupon,
  Referral,
  Sale,
  Commission,
  Payout,
  PayoutRun,
  Statement,
  StatementFile,
  Conversion,
  RefundReport,
  RefundReversal,
  SsoLink,
}

const changed: Record<string, object> = {
  updateAffiliate: { first_name: 'Augusta Ada', wallet_b_email: 'ada@wallet-b.test' },
  updateCampaign: { commission_percent: 25, minimum_payout_cents: 5000 },
  updateAffiliateLink: { token: 'ada-lovelace', url: 'https://acme.test/pricing?via=ada-lovelace' },
  createCommission: { amount: 5000, state: 'due', kind: 'bonus', reason: 'Best partner in spring', sale: null },
  amendCommission: { amount: 1200 },
  voidCommission: { state: 'void' },
  payPayout: { state: 'paid', paid_at: '2026-03-05T09:30:00.000Z' },
  ...changedRuns,
}

export const timesOf = (created_at: string, updated_at: string) => ({ created_at, updated_at })

/** Values of fields that only the superset has, by type. Others come from the contract's examples. */
export const within: Record<string, object> = {
  Referral: { ...Referral, ...timesOf('2026-01-20T14:05:00.000Z', '2026-01-31T12:00:00.000Z'), link: AffiliateLink },
  Commission: { ...Commission, ...timesOf('2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z') },
  Payout: { ...Payout, ...timesOf('2026-03-02T12:00:00.000Z', '2026-03-02T12:00:00.000Z') },
}

type ResponseOptions = { typeName: string; operation: string; profile: ApiKeyProfile; more?: object | undefined }

export function responseExample({ typeName, operation, profile, more }: ResponseOptions): object {
  const resourceName = typeName.replace(/Page$/, '')
  const example = { ...resources[resourceName], ...changed[operation], ...more }
  const resource = completeExample(profile, resourceName, example, operation, (name) => {
    const noun = name.replace(/(Within|Summary)$/, '')
    return { ...resources[noun], ...within[noun] }
  })
  if (!typeName.endsWith('Page')) return resource
  const pagination = { previous_page: null, current_page: 1, next_page: null, count: 1, limit: 25 }
  return { pagination: { ...pagination, total_pages: 1, total_count: 1 }, data: [resource] }
}

const bodies: Record<string, object> = {
  ...runBodies,
  createAffiliate: {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    token: 'ada',
    wallet_a_email: 'ada@wallet-a.test',
  },
  updateAffiliate: changed.updateAffiliate as object,
  createCampaign: {
    name: 'Partners',
    url: 'https://acme.test/pricing',
    commission_percent: 20,
    max_commission_period_in_months: 12,
  },
  updateCampaign: changed.updateCampaign as object,
  createAffiliateLink: { affiliate_id: ids.affiliate, token: 'ada' },
  updateAffiliateLink: { token: 'ada-lovelace' },
  createAffiliateCoupon: { affiliate_id: ids.affiliate, token: 'ADA20' },
  createCommission: {
    affiliate_id: ids.affiliate,
    kind: 'bonus',
    amount_cents: 5000,
    currency: 'usd',
    reason: 'Best partner in spring',
  },
  amendCommission: changed.amendCommission as object,
  reportConversion: {
    amount_cents: 4900,
    referral_id: ids.referral,
    email: 'grace@example.com',
    currency: 'usd',
    external_id: 'inv_1001',
    customer_name: 'Grace Hopper',
    occurred_at: '2026-01-31T12:00:00.000Z',
  },
  refundSale: { external_id: 'inv_1001', amount_cents: 2000, refund_external_id: 're_1001' },
  reverseRefund: { external_id: 're_1001', reason: 'dispute won' },
}

/** @param fields the fields that the route reads from its body */
export function bodyExample(operation: string, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(bodies[operation] ?? {}).filter(([name]) => fields.includes(name)))
}

/** An id of the resource that the path starts with. */
export function idExample(path: string): string {
  const noun = path
    .split('/')[1]
    ?.replace(/^affiliate_|s$/g, '')
    .replace('_run', 'Run') as keyof typeof ids
  return ids[noun]
}
