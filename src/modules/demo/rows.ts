import type {
  Affiliate,
  AffiliateCoupon,
  AffiliateLink,
  Campaign,
  Commission,
  Customer,
  MoneyEvent,
  Payout,
  Program,
  Referral,
  Refund,
  Sale,
} from '../../generated/prisma/client.ts'

/** All rows of the demo program by table. The tables are in an order that satisfies foreign keys. */
export type Rows = {
  programs: Program[]
  campaigns: Campaign[]
  affiliates: Affiliate[]
  affiliate_links: AffiliateLink[]
  affiliate_coupons: AffiliateCoupon[]
  customers: Customer[]
  referrals: Referral[]
  sales: Sale[]
  refunds: Refund[]
  payouts: Payout[]
  commissions: Commission[]
  money_events: MoneyEvent[]
}

export const noRows = (): Rows => ({
  programs: [],
  campaigns: [],
  affiliates: [],
  affiliate_links: [],
  affiliate_coupons: [],
  customers: [],
  referrals: [],
  sales: [],
  refunds: [],
  payouts: [],
  commissions: [],
  money_events: [],
})

/** The timestamps of a row that was not changed after it was created. */
export const madeAt = (at: Date) => ({ createdAt: at, updatedAt: at })
