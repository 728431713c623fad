/** Names of columns, the preferred first. Headers are compared in lower case, with underscores. */
type Columns = Readonly<Record<string, readonly string[]>>

const affiliate = [
  ...['partner_id', 'promoter_id', 'affiliate_id', 'partner_email', 'promoter_email', 'affiliate_email'],
  ...['partner', 'promoter', 'affiliate'],
]
const createdAt = ['created_at', 'created', 'created_on', 'date', 'joined_at', 'joined', 'signed_up_at']
const status = ['status', 'state']
const currency = ['currency', 'currency_code']

/**
 * The columns that are read of an export. The names are those of the fields in the APIs of Tolt (docs.tolt.com) and
 * FirstPromoter (docs.firstpromoter.com), and words for them: neither describes the headers of its files.
 */
export const columns = {
  affiliates: {
    id: ['id', 'partner_id', 'promoter_id', 'affiliate_id'],
    email: ['email', 'partner_email', 'promoter_email', 'affiliate_email', 'e_mail', 'email_address'],
    firstName: ['first_name', 'firstname'],
    lastName: ['last_name', 'lastname'],
    name: ['name', 'full_name', 'partner_name', 'promoter_name'],
    company: ['company_name', 'company'],
    token: [
      ...['ref_token', 'ref_id', 'default_ref_id', 'referral_code', 'link_value', 'value', 'token', 'slug'],
      ...['referral_link', 'ref_link', 'link', 'url'],
    ],
    coupon: ['coupon', 'coupon_code', 'promotion_code', 'promo_code'],
    paypal: ['paypal_email', 'paypal'],
    status,
    createdAt,
  },
  referrals: {
    id: ['id', 'referral_id', 'lead_id'],
    affiliate,
    email: ['email', 'customer_email', 'referral_email', 'lead_email'],
    name: ['name', 'customer_name', 'referral_name'],
    customerId: ['customer_id', 'stripe_customer_id', 'uid'],
    convertedAt: ['customer_since', 'converted_at', 'became_customer_at'],
    createdAt,
  },
  commissions: {
    id: ['id', 'commission_id'],
    affiliate,
    referral: [
      ...['referral_id', 'lead_id', 'customer_id', 'referral_email', 'lead_email', 'customer_email', 'referral_uid'],
      ...['uid', 'customer', 'referral', 'lead', 'email'],
    ],
    amount: ['amount', 'commission_amount', 'commission', 'reward_amount', 'earnings'],
    sale: ['sale_amount', 'revenue', 'transaction_amount', 'sale'],
    charge: ['charge_id', 'event_id', 'transaction_id', 'invoice_id', 'sale_id'],
    payout: ['payout_id'],
    paid: ['is_paid', 'paid'],
    paidAt: ['paid_at', 'paid_on', 'payout_date'],
    unit: ['unit'],
    updatedAt: ['updated_at'],
    currency,
    status,
    createdAt,
  },
  payouts: {
    id: ['id', 'payout_id'],
    affiliate,
    amount: ['amount', 'payout_amount', 'total'],
    paidAt: ['paid_at', 'paid_on', 'completed_at', 'payout_date'],
    currency,
    status,
    createdAt,
  },
} satisfies Record<string, Columns>

export type ExportList = keyof typeof columns

/** What a file must have to be used, one of each. */
export const needed: Readonly<Record<ExportList, readonly string[]>> = {
  affiliates: ['email'],
  referrals: ['affiliate', 'email'],
  commissions: ['affiliate', 'amount', 'createdAt'],
  payouts: ['affiliate', 'amount', 'status'],
}

/** What the services call the states of commissions, and the states here. */
export const commissionStates: Readonly<Record<string, string>> = {
  pending: 'pending',
  approved: 'due',
  unpaid: 'due',
  paid: 'paid',
  rejected: 'voided',
  denied: 'voided',
  declined: 'voided',
  refunded: 'voided',
}

export const paidStates: readonly string[] = ['paid', 'completed', 'complete', 'succeeded', 'sent', 'processed']
