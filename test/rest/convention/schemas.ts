import { z } from 'zod'

/**
 * Strict schemas of REST responses, written from the contract and the convention only, independent of the code. They allow
 * exactly these fields, and check that timestamps have an offset, ids are UUIDs and URLs are absolute.
 */

const id = z.uuid()
const timestamp = z.iso.datetime({ offset: true })
const email = z.email()
const url = z.url({ protocol: /^https?$/, hostname: /.+/ })
const currency = z.string().regex(/^[a-z]{3}$/)
const count = z.int().min(0)
const cents = z.int()
const text = z.string()
const filled = z.string().min(1)

export const pagination = z.strictObject({
  previous_page: z.int().min(1).nullable(),
  current_page: z.int().min(1),
  next_page: z.int().min(1).nullable(),
  count,
  limit: z.int().min(1).max(100),
  total_pages: count,
  total_count: count,
})

export const listOf = <T extends z.ZodType>(row: T) => z.strictObject({ pagination, data: z.array(row) })

export const error = z.strictObject({ error: filled, details: z.array(filled).optional() })

/** The response with a sign-in link is the same for every profile. */
export const sso = z.strictObject({
  sso: z.strictObject({ url, expires: timestamp }),
  affiliate: z.strictObject({ id, email }),
})

// The contract's fields of each resource, without embedded objects.

const affiliateFields = {
  id,
  object: z.literal('affiliate'),
  created_at: timestamp,
  updated_at: timestamp,
  first_name: filled.nullable(),
  last_name: filled.nullable(),
  email,
  wallet_a_email: email.nullable(),
  wallet_b_email: email.nullable(),
  state: z.enum(['active', 'disabled', 'suspicious']),
  billing_customer_id: filled.nullable(),
  confirmed_at: timestamp.nullable(),
  visitors: count,
  leads: count,
  conversions: count,
}

const campaignFields = {
  id,
  object: z.literal('campaign'),
  created_at: timestamp,
  updated_at: timestamp,
  name: filled,
  url,
  private: z.boolean(),
  reward_type: z.enum(['percent', 'amount']),
  commission_percent: z.number().min(0).max(100).nullable(),
  commission_amount_cents: cents.nullable(),
  commission_currency: currency,
  minimum_payout_cents: count,
  days_before_referrals_expire: count,
  days_before_commissions_are_due: count,
  max_commissions: count.nullable(),
  max_commission_period_in_months: count.nullable(),
}

const linkFields = {
  id,
  object: z.literal('affiliate_link'),
  url,
  token: filled,
  visitors: count,
  leads: count,
  conversions: count,
  affiliate_id: id,
}

const couponFields = { id, object: z.literal('affiliate_coupon'), token: filled, affiliate_id: id }

const referralFields = {
  id,
  object: z.literal('referral'),
  conversion_state: z.enum(['visitor', 'lead', 'conversion']),
  became_lead_at: timestamp.nullable(),
  became_conversion_at: timestamp.nullable(),
  expires_at: timestamp,
  billing_customer_id: filled.nullable(),
  affiliate_id: id,
  campaign_id: id,
}

const commissionFields = {
  id,
  object: z.literal('commission'),
  currency,
  amount: cents,
  state: z.enum(['pending', 'due', 'paid', 'void']),
  due_at: timestamp,
  paid_at: timestamp.nullable(),
  campaign_id: id,
  affiliate_id: id,
}

const payoutFields = {
  id,
  object: z.literal('payout'),
  state: z.enum(['pending', 'paid']),
  currency,
  amount: count,
  paid_at: timestamp.nullable(),
  affiliate_id: id,
}

const conversionOf = <T extends z.ZodType>(commission: T) =>
  z.strictObject({
    object: z.literal('conversion'),
    duplicate: z.boolean(),
    sale_id: id,
    commission: commission.nullable(),
  })

/** A sale is not in the contract: it has the convention's fields for every profile. */
const saleFields = {
  id,
  object: z.literal('sale'),
  currency,
  charged_at: timestamp,
  invoiced_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
  charge_amount_cents: count,
  refund_amount_cents: count,
  tax_amount_cents: count,
  sale_amount_cents: count,
  stripe_account_id: filled.nullable(),
  stripe_charge_id: filled.nullable(),
}

const contractAffiliate = z.strictObject({
  ...affiliateFields,
  campaign: z.strictObject(campaignFields),
  links: z.array(z.strictObject(linkFields)).min(1),
  coupon: z.strictObject(couponFields).nullable(),
})

/** Exactly what the contract documents: responses to keys with the contract profile, with any `expand`. */
export const contract = {
  affiliate: contractAffiliate,
  campaign: z.strictObject(campaignFields),
  link: z.strictObject(linkFields),
  coupon: z.strictObject(couponFields),
  referral: z.strictObject(referralFields),
  sale: z.strictObject({ ...saleFields, referral: z.strictObject(referralFields), affiliate: contractAffiliate }),
  commission: z.strictObject(commissionFields),
  payout: z.strictObject(payoutFields),
  conversion: conversionOf(z.strictObject(commissionFields)),
}

// The additional fields that clients of the convention expect.

const amount = (iso: string) => z.strictObject({ cents, currency_iso: z.literal(iso) })

/** Amounts by currency. The keys are upper-case codes that match the currencies of the amounts. */
const commissionStats = z.strictObject({
  currencies: z.record(z.string().regex(/^[A-Z]{3}$/), z.unknown()).superRefine((currencies, ctx) => {
    for (const [iso, stats] of Object.entries(currencies)) {
      const one = amount(iso)
      const shape = { unpaid: one, due: one, paid: one, total: one, gross_revenue: one, net_revenue: one }
      const { error: found } = z.strictObject(shape).safeParse(stats)
      for (const { message, path } of found?.issues ?? []) {
        ctx.addIssue({ code: 'custom', message, path: [iso, ...path] })
      }
    }
  }),
})

const supersetAffiliateFields = {
  ...affiliateFields,
  paypal_email: email.nullable(),
  paypal_email_confirmed_at: timestamp.nullable(),
  wise_email: email.nullable(),
  wise_email_confirmed_at: timestamp.nullable(),
  unconfirmed_email: email.nullable(),
  receive_new_commission_notifications: z.boolean(),
  sign_in_count: count,
  stripe_customer_id: filled.nullable(),
  stripe_account_id: filled.nullable(),
}

const supersetCampaign = z.strictObject({
  ...campaignFields,
  commission_amount_currency: currency,
  days_until_commissions_are_due: count,
  max_commission_period_months: count.nullable(),
  minimum_payout_currency: currency,
  minimum_payouts: z.array(z.strictObject({ currency, amount_cents: count })),
  default: z.boolean(),
  visitors: count,
  leads: count,
  conversions: count,
  affiliates: count,
})

const supersetCoupon = z.strictObject({
  ...couponFields,
  external_id: filled,
  archived: z.boolean(),
  archived_at: timestamp.nullable(),
  leads: count,
  conversions: count,
})

const supersetReferralFields = {
  ...referralFields,
  link: z.strictObject(linkFields).nullable(),
  coupon: supersetCoupon.nullable(),
  visits: count,
  customer: z.strictObject({ platform: filled, id: filled, name: text.nullable(), email }).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  deactivated_at: timestamp.nullable(),
  stripe_account_id: filled.nullable(),
  stripe_customer_id: filled.nullable(),
}

const campaignSummary = z.strictObject({ id, name: filled, created_at: timestamp, updated_at: timestamp })

const affiliateWithin = z.strictObject({ ...supersetAffiliateFields, campaign: campaignSummary })

const sale = z.strictObject({
  ...saleFields,
  referral: z.strictObject({ ...supersetReferralFields, affiliate: affiliateWithin }),
  affiliate: affiliateWithin,
})

/**
 * Responses to a key with the superset profile.
 *
 * @param words whether states are in the contract's words or in the convention's
 */
export function superset(words: 'contract' | 'convention') {
  const isConvention = words === 'convention'
  const commissionFieldsInWords = {
    ...commissionFields,
    ...(isConvention && { state: z.enum(['pending', 'due', 'paid', 'voided']) }),
    created_at: timestamp,
    updated_at: timestamp,
    voided_at: timestamp.nullable(),
    kind: z.enum(['sale', 'bonus', 'correction', 'lead']),
    reason: filled.nullable(),
    stripe_account_id: filled.nullable(),
    campaign: campaignSummary,
  }
  const affiliate = z.strictObject({
    ...supersetAffiliateFields,
    campaign: supersetCampaign,
    links: z.array(z.strictObject(linkFields)).min(1),
    coupon: supersetCoupon.nullable(),
    coupons: z.array(supersetCoupon),
    own_fields: z.array(z.strictObject({ name: filled, value: filled })),
  })
  const referral = z.strictObject(supersetReferralFields)
  const commission = z.strictObject({ ...commissionFieldsInWords, sale })
  const affiliateAlone = { affiliate: affiliateWithin }
  const payout = z.strictObject({
    ...payoutFields,
    ...(isConvention && { state: z.enum(['pending', 'due', 'paid']) }),
    created_at: timestamp,
    updated_at: timestamp,
    paid_by_id: id.nullable(),
    ...affiliateAlone,
    commissions: z.array(z.strictObject(commissionFieldsInWords)).min(1),
  })
  return {
    affiliate,
    affiliateWithStats: affiliate.extend({ commission_stats: commissionStats }),
    campaign: supersetCampaign,
    link: z.strictObject(linkFields),
    coupon: supersetCoupon,
    referral,
    referralWithAffiliate: referral.extend(affiliateAlone),
    commission,
    commissionWithAffiliate: commission.extend(affiliateAlone),
    voidedCommission: commission.extend({ deleted: z.literal(true) }),
    sale,
    payout,
    payoutWithSales: payout.extend({ commissions: z.array(commission).min(1) }),
    conversion: conversionOf(commission).extend({ differences: z.array(filled) }),
  }
}
