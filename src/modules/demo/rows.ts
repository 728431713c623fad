import type {
  Affiliate,
  AffiliateCoupon,
  AffiliateLink,
  Application,
  Campaign,
  Commission,
  Customer,
  MoneyEvent,
  PaymentFact,
  Payout,
  PayoutRun,
  PayoutRunItem,
  Program,
  Referral,
  Refund,
  Sale,
  UnattributedSale,
} from '../../generated/prisma/client.ts'

/** All rows of the demo program by table. The tables are in an order that satisfies foreign keys. */
export type Rows = {
  programs: Program[]
  campaigns: Campaign[]
  affiliates: Affiliate[]
  affiliate_links: AffiliateLink[]
  affiliate_coupons: AffiliateCoupon[]
  applications: Application[]
  customers: Customer[]
  referrals: Referral[]
  sales: Sale[]
  unattributed_sales: UnattributedSale[]
  refunds: Refund[]
  payouts: Payout[]
  payout_runs: PayoutRun[]
  payout_run_items: PayoutRunItem[]
  payment_facts: PaymentFact[]
  commissions: Commission[]
  money_events: MoneyEvent[]
}

export const noRows = (): Rows => ({
  programs: [],
  campaigns: [],
  affiliates: [],
  affiliate_links: [],
  affiliate_coupons: [],
  applications: [],
  customers: [],
  referrals: [],
  sales: [],
  unattributed_sales: [],
  refunds: [],
  payouts: [],
  payout_runs: [],
  payout_run_items: [],
  payment_facts: [],
  commissions: [],
  money_events: [],
})

/** The timestamps of a row that was not changed after it was created. */
export const madeAt = (at: Date) => ({ createdAt: at, updatedAt: at })
