/**
 * The fields of `Query` that write nothing and take no locks, so they can run before the API key is confirmed, and can
 * run twice. Reading payouts collects due commissions, so payouts are not among them.
 */
export const pureReads: ReadonlySet<string> = new Set([
  'affiliates',
  'affiliate',
  'affiliateLinks',
  'affiliateLink',
  'affiliateCoupons',
  'affiliateCoupon',
  'campaigns',
  'campaign',
  'commissions',
  'commission',
  'customers',
  'customer',
  'program',
  'referrals',
  'referral',
  'sales',
  'sale',
])
