import { statement } from '../../../database/sql.ts'
import { namedReferralSql } from '../../referrals/lead-facts.ts'

/** Null where the sale does not give it. The order of the statement's parameters. */
export type FactsQuery = {
  programId: string
  externalId: string | null
  referral: { ownId: string | null; given: string | null; inOwnCase: string | null }
  couponKey: string | null
  emailKey: string | null
  /** An affiliate that a person named. Default: the coupon's. */
  affiliateId: string | null
  occurredAt: Date
}

export const parametersOf = (query: FactsQuery): unknown[] => [
  query.programId,
  query.externalId,
  query.referral.ownId,
  query.referral.given,
  query.referral.inOwnCase,
  query.couponKey,
  query.emailKey,
  query.affiliateId,
  query.occurredAt.toISOString(),
]

const campaign = (
  c: string,
) => `json_build_object('programId', ${c}.program_id, 'id', ${c}.id, 'rewardType', ${c}.reward_type,
  'commissionBasisPoints', ${c}.commission_basis_points, 'commissionAmountCents', ${c}.commission_amount_cents::text,
  'commissionCurrency', ${c}.commission_currency, 'daysBeforeReferralsExpire', ${c}.days_before_referrals_expire,
  'daysBeforeCommissionsAreDue', ${c}.days_before_commissions_are_due, 'maxCommissions', ${c}.max_commissions,
  'maxCommissionPeriodInMonths', ${c}.max_commission_period_in_months, 'selfReferrals', ${c}.self_referrals,
  'archivedAt', ${c}.archived_at)`

const affiliate = (a: string) =>
  `json_build_object('id', ${a}.id, 'email', ${a}.email, 'state', ${a}.state, 'campaignId', ${a}.campaign_id)`

/** The customer's first converted referral, else the newest lead that has not expired. A referral without a lead never matches. */
const choose = (condition: string) => `(
    select id from theirs
    where ${condition} and (became_conversion_at is not null or (became_lead_at is not null and expires_at > $9::timestamptz))
    order by became_conversion_at, case when became_conversion_at is not null then id end, id desc limit 1)`

/**
 * Reads everything that decides about a sale, as the text of a JSON object. A customer who bought with a different e-mail than the lead's also belongs
 * to that lead's referral (`theirs`).
 */
export const saleFacts = statement<unknown>(`
  with customer as (
    select id, email, name from customers where program_id = $1::uuid and email_key = $7::text
  ), coupon as (
    select id, affiliate_id, archived_at from affiliate_coupons where program_id = $1::uuid and token_key = $6::text
  ), named_affiliate as (
    select * from affiliates
    where program_id = $1::uuid and id = coalesce($8::uuid, (select affiliate_id from coupon))
  ), theirs as materialized (
    select r.id, r.affiliate_id, r.became_lead_at, r.became_conversion_at, r.expires_at, a.state = 'active' as is_active
    from referrals r join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
    where r.program_id = $1::uuid and r.id in (
      select id from referrals where program_id = $1::uuid and customer_id = (select id from customer)
      union select referral_id from sales where program_id = $1::uuid and customer_id = (select id from customer))
  ), chosen as materialized (
    select ${namedReferralSql('$1::uuid', '$3::uuid', '$4::text, $5::text')} as named,
      ${choose('affiliate_id = (select id from named_affiliate)')} as of_affiliate,
      ${choose('is_active')} as of_customer
  )
  select json_build_object(
    'saleId', (select id from sales where program_id = $1::uuid and external_id = $2::text),
    'isKept', exists (select from unattributed_sales where program_id = $1::uuid and external_id = $2::text),
    'customer', (select to_json(customer) from customer),
    'coupon', (select json_build_object('id', id, 'archivedAt', archived_at) from coupon),
    'affiliate', (select ${affiliate('a')} from named_affiliate a),
    'campaign', (
      select ${campaign('c')} from named_affiliate a
        join campaigns c on c.program_id = a.program_id and c.id = a.campaign_id),
    'named', named, 'ofAffiliate', of_affiliate, 'ofCustomer', of_customer,
    'hasLeads', exists (select from theirs where became_lead_at is not null),
    'hasActiveLeads', exists (select from theirs where became_lead_at is not null and is_active),
    'referrals', (
      select json_agg(json_build_object('programId', r.program_id, 'id', r.id, 'affiliateId', r.affiliate_id,
        'campaignId', r.campaign_id, 'linkId', r.link_id, 'couponId', r.coupon_id, 'customerId', r.customer_id,
        'billingCustomerId', r.billing_customer_id, 'becameLeadAt', r.became_lead_at,
        'becameConversionAt', r.became_conversion_at, 'expiresAt', r.expires_at,
        'affiliate', ${affiliate('a')}, 'campaign', ${campaign('c')}, 'customerEmail', u.email, 'history', history))
      from referrals r
        join affiliates a on a.program_id = r.program_id and a.id = r.affiliate_id
        join campaigns c on c.program_id = r.program_id and c.id = r.campaign_id
        left join customers u on u.program_id = r.program_id and u.id = r.customer_id
        cross join lateral (
          select json_build_object('commissions', count(*) filter (where voided_at is null),
            'firstOccurredAt', min(occurred_at)) as history
          from commissions m where m.program_id = r.program_id and m.referral_id = r.id and m.refund_id is null
        ) earned
      where r.program_id = $1::uuid and r.id in (named, of_affiliate, of_customer))
  )::text from chosen`)
