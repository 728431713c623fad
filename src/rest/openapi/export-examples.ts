import { Affiliate, ids, Sale, timesOf, within } from './examples.ts'

const stamped = (id: string) => ({ id, ...timesOf('2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z') })

/** Values of the columns of exports. Nullable columns without one are null. */
const rows: Record<string, Record<string, unknown>> = {
  exportAffiliates: {
    ...Affiliate,
    campaign_id: ids.campaign,
    link_tokens: ['ada'],
    coupon_token: 'ADA20',
    currency: 'usd',
    earned_cents: 1960,
    owed_cents: 980,
    paid_cents: 980,
  },
  exportCustomers: { ...stamped(ids.sale), email: 'grace@example.com', name: 'Grace Hopper' },
  exportVisits: {
    id: ids.sale,
    visited_at: '2026-01-20T14:05:00.000Z',
    referral_id: ids.referral,
    affiliate_id: ids.affiliate,
    link_id: ids.link,
    link: 'ada',
  },
  exportReferrals: { ...within.Referral, link_id: ids.link },
  exportSales: {
    ...Sale,
    occurred_at: '2026-01-31T12:00:00.000Z',
    external_id: 'inv_1001',
    amount_cents: 4900,
    refunded_cents: 0,
    affiliate_id: ids.affiliate,
    campaign_id: ids.campaign,
    referral_id: ids.referral,
    customer_email: 'grace@example.com',
    customer_name: 'Grace Hopper',
    attributed_by: 'referral_id',
    outcome: 'earned',
    commission_amount_cents: 980,
    commission_currency: 'usd',
    affiliate_email: 'ada@example.com',
    campaign_name: 'Partners',
    source: 'link',
  },
  exportRefunds: {
    ...stamped(ids.sale),
    occurred_at: '2026-01-31T12:00:00.000Z',
    amount_cents: 4900,
    currency: 'usd',
    sale_id: ids.sale,
    affiliate_id: ids.affiliate,
    campaign_id: ids.campaign,
  },
  exportCommissions: { ...within.Commission, amount_cents: 980, referral_id: ids.referral, sale_id: ids.sale },
  exportPayouts: { ...within.Payout, amount_cents: 980 },
  exportPayments: {
    ...stamped(ids.payout),
    state: 'paid',
    method: 'paypal',
    currency: 'usd',
    amount_cents: 980,
    withheld_cents: 0,
    gone_cents: 980,
    run_id: ids.payoutRun,
    payout_id: ids.payout,
    affiliate_id: ids.affiliate,
    recipient: 'ada@example.com',
  },
  exportUnattributedSales: {
    ...stamped(ids.sale),
    occurred_at: '2026-01-31T12:00:00.000Z',
    amount_cents: 4900,
    currency: 'usd',
    reason: 'coupon_not_found',
    coupon: 'ADA21',
    needs_attention: true,
  },
}

/** @param columns the names of the columns of the export */
export const exportExample = (operation: string, columns: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(columns.map((name) => [name, rows[operation]?.[name] ?? null]))
