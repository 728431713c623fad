/**
 * The fields of `Query` that only read: they write nothing and take no locks, whatever their arguments. So they can run
 * before it is known that the API key is still valid, and their result is dropped if it is not. Payouts are not among them:
 * reading payouts collects due commissions.
 */
export const directReads: ReadonlySet<string> = new Set([
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
