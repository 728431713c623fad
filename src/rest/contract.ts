import type { Route } from './route.ts'

const lists = ['page', 'limit', 'updated_since', 'updated_until']
const campaign = ['name', 'url', 'commission_percent', 'commission_amount_cents', 'days_before_referrals_expire']
const wallets = ['wallet_a_email', 'wallet_b_email']

/**
 * The operations of the contract, with the fields of their queries and bodies. The convention and this service have
 * more, which these endpoints also accept.
 * Source: the contract's section on endpoints; for the filters of lists, its decisions.
 */
const contract: Readonly<Record<string, readonly string[]>> = {
  'GET /affiliates': [...lists, 'state', 'campaign_id', 'email', 'billing_customer_id'],
  'POST /affiliates': ['email', 'first_name', 'last_name', 'campaign_id', 'token', ...wallets],
  'GET /affiliates/{id}': [],
  'PUT /affiliates/{id}': ['first_name', 'last_name', 'email', ...wallets, 'state'],
  'GET /campaigns': lists,
  'POST /campaigns': [...campaign, 'minimum_payout_cents', 'max_commission_period_in_months'],
  'GET /campaigns/{id}': [],
  'PUT /campaigns/{id}': [
    ...campaign,
    ...['private', 'commission_currency', 'minimum_payout_cents', 'days_before_commissions_are_due'],
    ...['max_commissions', 'max_commission_period_in_months'],
  ],
  'GET /affiliate_links': [...lists, 'affiliate_id'],
  'POST /affiliate_links': ['affiliate_id', 'token'],
  'GET /affiliate_coupons': [...lists, 'affiliate_id'],
  'POST /affiliate_coupons': ['affiliate_id', 'token'],
  'GET /referrals': [...lists, 'conversion_state', 'affiliate_id', 'campaign_id', 'email', 'billing_customer_id'],
  'GET /commissions': [...lists, 'state', 'affiliate_id', 'campaign_id'],
  'GET /commissions/{id}': [],
  'PUT /commissions/{id}': ['amount'],
  'DELETE /commissions/{id}': [],
  'GET /payouts': [...lists, 'state', 'affiliate_id'],
  'POST /payouts/{id}/pay': [],
  'POST /conversions': [
    ...['amount_cents', 'referral_id', 'email', 'coupon', 'currency', 'external_id', 'customer_name', 'occurred_at'],
  ],
}

type Endpoint = Pick<Route, 'method' | 'path'>

/** The contract's fields of an endpoint's query or body. Undefined if the contract does not have the endpoint. */
export const contractFieldsOf = ({ method, path }: Endpoint): readonly string[] | undefined =>
  contract[`${method} ${path}`]

/** Where an endpoint comes from: the contract, the convention of existing clients, or this service. */
export const originOf = (route: Endpoint & Pick<Route, 'isOwnEndpoint'>): 'contract' | 'convention' | 'tributary' =>
  contractFieldsOf(route) ? 'contract' : route.isOwnEndpoint ? 'tributary' : 'convention'
