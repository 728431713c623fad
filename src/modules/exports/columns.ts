import { Prisma } from '../../generated/prisma/client.ts'
import { snakeCase } from '../../kernel/snake-case.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { type Field, fieldsWith, type Resource, wireName } from '../../resources/resource.ts'
import { sales } from '../../resources/sales.ts'
import {
  type Cell,
  type Lines,
  number,
  numberOrNull,
  text,
  texts,
  time,
  timeOrNull,
  word,
  wordOrNull,
} from './lines.ts'

// The columns of each export as SQL: the fields that its resource exports. The rows in `service.ts` have the same.

const { raw, sql } = Prisma

function cellOf({ kind, nullable }: Field, value: Prisma.Sql): Cell {
  switch (kind) {
    case 'text':
      return text(value)
    case 'texts':
      return texts(value)
    case 'number':
    case 'cents':
      return nullable ? numberOrNull(value) : number(value)
    case 'time':
      return nullable ? timeOrNull(value) : time(value)
    default:
      return nullable ? wordOrNull(value) : word(value)
  }
}

/** @param computed the values that are no columns of the table, `t1` */
const linesOf = ({ fields }: Resource, computed: Record<string, Prisma.Sql>, from?: Prisma.Sql): Lines => ({
  columns: Object.fromEntries(
    fieldsWith(fields, 'exported').map(([name, field]) => [
      wireName(name, field),
      cellOf(field, computed[name] ?? raw(`t1.${snakeCase(name)}`)),
    ]),
  ),
  ...(from && { from }),
})

export const affiliateLines = linesOf(
  affiliates,
  {
    linkTokens: sql`select token as text from affiliate_links where program_id = t1.program_id and affiliate_id = t1.id order by id`,
    couponToken: sql`coupon.token`,
  },
  sql`(values (1)) one left join affiliate_coupons coupon on coupon.program_id = t1.program_id and coupon.affiliate_id = t1.id`,
)

export const referralLines = linesOf(referrals, {
  conversionState: sql`case when t1.became_conversion_at is not null then 'conversion' when t1.became_lead_at is not null then 'lead' else 'visitor' end`,
})

export const saleLines = linesOf(
  sales,
  {
    customerEmail: sql`customer.email`,
    outcome: sql`coalesce(earned.outcome, t1.no_commission_reason::text, 'amount_rounds_to_zero')`,
    commissionAmountCents: sql`earned.amount`,
    commissionCurrency: sql`earned.currency`,
    affiliateEmail: sql`affiliate.email`,
    campaignName: sql`campaign.name`,
  },
  sql`(
      select min(currency) as currency,
        case when count(*) > 0 then coalesce(sum(amount_cents) filter (where voided_at is null), 0) end as amount,
        min(case when voided_at is not null then 'void' when held_reason is not null then 'held' else 'earned' end)
          filter (where refund_id is null) as outcome
      from commissions where program_id = t1.program_id and sale_id = t1.id
    ) earned
    join affiliates affiliate on affiliate.program_id = t1.program_id and affiliate.id = t1.affiliate_id
    join campaigns campaign on campaign.program_id = t1.program_id and campaign.id = t1.campaign_id
    left join customers customer on customer.program_id = t1.program_id and customer.id = t1.customer_id`,
)

/** @param now commissions with a due date up to this time are due */
export const commissionLines = (now: Date): Lines =>
  linesOf(commissions, {
    state: sql`case when t1.voided_at is not null then 'void' when t1.paid_at is not null then 'paid'
      when t1.held_reason is null and t1.due_at <= ${now.toISOString()}::timestamptz then 'due' else 'pending' end`,
  })

export const payoutLines = linesOf(payouts, {
  state: sql`case when t1.paid_at is null then 'pending' else 'paid' end`,
})
