import { Prisma } from '../../generated/prisma/client.ts'
import { columns, type Lines, number, numberOrNull, text, texts, time, timeOrNull, word, wordOrNull } from './lines.ts'

// The columns of each export as SQL: the same as the fields of its row in `graphql.ts`, computed as in `service.ts`.

const { sql } = Prisma
const stamps = columns(time, 'created_at', 'updated_at')

export const affiliateLines: Lines = {
  columns: {
    ...columns(word, 'id'),
    ...stamps,
    ...columns(text, 'first_name', 'last_name', 'email', 'wallet_a_email', 'wallet_b_email'),
    ...columns(word, 'state'),
    ...columns(text, 'billing_customer_id'),
    ...columns(timeOrNull, 'confirmed_at'),
    ...columns(number, 'visitors', 'leads', 'conversions'),
    ...columns(word, 'campaign_id'),
    link_tokens: texts(
      sql`select token as text from affiliate_links where program_id = t1.program_id and affiliate_id = t1.id order by id`,
    ),
    coupon_token: text(sql`coupon.token`),
  },
  from: sql`(values (1)) one left join affiliate_coupons coupon on coupon.program_id = t1.program_id and coupon.affiliate_id = t1.id`,
}

export const referralLines: Lines = {
  columns: {
    ...columns(word, 'id'),
    ...stamps,
    conversion_state: word(
      sql`case when t1.became_conversion_at is not null then 'conversion' when t1.became_lead_at is not null then 'lead' else 'visitor' end`,
    ),
    ...columns(timeOrNull, 'became_lead_at', 'became_conversion_at'),
    ...columns(time, 'expires_at'),
    ...columns(text, 'billing_customer_id'),
    ...columns(word, 'affiliate_id', 'campaign_id'),
    ...columns(wordOrNull, 'link_id', 'coupon_id'),
  },
}

export const saleLines: Lines = {
  columns: {
    ...columns(word, 'id'),
    ...stamps,
    ...columns(time, 'occurred_at'),
    ...columns(text, 'external_id'),
    ...columns(number, 'amount_cents'),
    ...columns(word, 'currency'),
    ...columns(number, 'refunded_cents'),
    ...columns(word, 'affiliate_id', 'campaign_id', 'referral_id'),
    customer_email: text(sql`customer.email`),
    ...columns(text, 'customer_name'),
    ...columns(word, 'attributed_by'),
    outcome: word(sql`coalesce(earned.outcome, t1.no_commission_reason::text, 'amount_rounds_to_zero')`),
    commission_amount_cents: numberOrNull(sql`earned.amount`),
    commission_currency: wordOrNull(sql`earned.currency`),
    affiliate_email: text(sql`affiliate.email`),
    campaign_name: text(sql`campaign.name`),
  },
  from: sql`(
      select min(currency) as currency,
        case when count(*) > 0 then coalesce(sum(amount_cents) filter (where voided_at is null), 0) end as amount,
        min(case when voided_at is not null then 'void' when held_reason is not null then 'held' else 'earned' end)
          filter (where refund_id is null) as outcome
      from commissions where program_id = t1.program_id and sale_id = t1.id
    ) earned
    join affiliates affiliate on affiliate.program_id = t1.program_id and affiliate.id = t1.affiliate_id
    join campaigns campaign on campaign.program_id = t1.program_id and campaign.id = t1.campaign_id
    left join customers customer on customer.program_id = t1.program_id and customer.id = t1.customer_id`,
}

/** @param now commissions with a due date up to this time are due */
export const commissionLines = (now: Date): Lines => ({
  columns: {
    ...columns(word, 'id'),
    ...stamps,
    ...columns(word, 'currency'),
    amount: number(sql`t1.amount_cents`),
    state: word(sql`case when t1.voided_at is not null then 'void' when t1.paid_at is not null then 'paid'
      when t1.held_reason is null and t1.due_at <= ${now.toISOString()}::timestamptz then 'due' else 'pending' end`),
    ...columns(time, 'due_at'),
    ...columns(timeOrNull, 'paid_at', 'voided_at'),
    ...columns(word, 'campaign_id', 'affiliate_id', 'referral_id', 'sale_id'),
    ...columns(wordOrNull, 'payout_id'),
  },
})

export const payoutLines: Lines = {
  columns: {
    ...columns(word, 'id'),
    ...stamps,
    state: word(
      sql`case when t1.failed_at is not null then 'failed' when t1.paid_at is null then 'pending' else 'paid' end`,
    ),
    ...columns(word, 'currency'),
    amount: number(sql`t1.amount_cents`),
    ...columns(timeOrNull, 'paid_at'),
    ...columns(word, 'affiliate_id'),
    ...columns(text, 'reference'),
  },
}
