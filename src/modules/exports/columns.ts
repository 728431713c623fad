import { Prisma } from '../../generated/prisma/client.ts'
import { snakeCase } from '../../kernel/text.ts'
import { exportedAffiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { customers } from '../../resources/customers.ts'
import { payments } from '../../resources/payments.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { refunds } from '../../resources/refunds.ts'
import { type Field, fieldsWith, type Resource } from '../../resources/resource.ts'
import { earnedOutcomes, sales } from '../../resources/sales.ts'
import { unattributedSales } from '../../resources/unattributed-sales.ts'
import { visits } from '../../resources/visits.ts'
import type { Definition } from '../affiliates/own-fields/values.ts'
import { sourceSql } from '../sales/source.ts'
import { reasonSql } from '../sales/unattributed/reason.ts'
import {
  type Cell,
  decimalOrNull,
  flag,
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

/** How the values of a kind are written, and those that can be null. */
const cells = {
  id: [word, wordOrNull],
  word: [word, wordOrNull],
  text: [text, text],
  texts: [texts, texts],
  number: [number, numberOrNull],
  cents: [number, numberOrNull],
  flag: [flag, flag],
  time: [time, timeOrNull],
} as const

function cellOf({ kind, nullable }: Field, value: Prisma.Sql): Cell {
  const [cell, cellOrNull] = cells[kind as keyof typeof cells]
  return nullable ? cellOrNull(value) : cell(value)
}

/** Fields are called the same everywhere, also where the contract calls them otherwise. */
export const columnName = snakeCase

/** @param computed the values that are no columns of the table, `t1` */
const linesOf = (
  { fields }: Pick<Resource, 'fields'>,
  computed: Record<string, Prisma.Sql>,
  from?: Prisma.Sql,
): Lines => ({
  columns: Object.fromEntries(
    fieldsWith(fields, 'exported').map(([name, field]) => [
      columnName(name),
      cellOf(field, computed[name] ?? raw(`t1.${snakeCase(name)}`)),
    ]),
  ),
  ...(from && { from }),
})

const builtInAffiliateLines = (currency: string) =>
  linesOf(
    exportedAffiliates,
    {
      linkTokens: sql`select token as text from affiliate_links where program_id = t1.program_id and affiliate_id = t1.id order by id`,
      couponToken: sql`coupon.token`,
      couponTokens: sql`(select string_agg(token, ';' order by id) from affiliate_coupons
        where program_id = t1.program_id and affiliate_id = t1.id and archived_at is null)`,
      currency: sql`money.currency`,
      earnedCents: sql`money.earned`,
      owedCents: sql`money.earned - money.paid`,
      paidCents: sql`money.paid`,
    },
    sql`(
        select ${currency}::text as currency, coalesce(sum(amount_cents), 0) as earned,
          coalesce(sum(amount_cents) filter (where paid_at is not null), 0) as paid
        from commissions
        where program_id = t1.program_id and affiliate_id = t1.id and voided_at is null and currency = ${currency}
      ) money
      left join affiliate_coupons coupon on coupon.program_id = t1.program_id and coupon.first_of = t1.id`,
  )

/**
 * @param own the program's own fields, as the last columns. Their names hold no quotes.
 * @param currency of the money
 */
export function affiliateLines(own: readonly Definition[], currency: string): Lines {
  const { columns, ...rest } = builtInAffiliateLines(currency)
  const cells = own.map(({ name, type }) => {
    const value = raw(`(t1.own_fields ->> '${name}')`)
    return [name, type === 'number' ? decimalOrNull(value) : text(value)] as const
  })
  return { ...rest, columns: Object.assign({}, columns, Object.fromEntries(cells)) }
}

export const referralLines = linesOf(referrals, { conversionState: referrals.states.case() })

export const saleLines = linesOf(
  sales,
  {
    customerEmail: sql`customer.email`,
    outcome: sql`coalesce(earned.outcome, t1.no_commission_reason::text, 'amount_rounds_to_zero')`,
    commissionAmountCents: sql`earned.amount`,
    commissionCurrency: sql`earned.currency`,
    affiliateEmail: sql`affiliate.email`,
    campaignName: sql`campaign.name`,
    source: sourceSql,
  },
  sql`(
      select min(currency) as currency,
        case when count(*) > 0 then coalesce(sum(amount_cents) filter (where voided_at is null), 0) end as amount,
        min(${earnedOutcomes.case(undefined, '')}) filter (where refund_id is null) as outcome
      from commissions where program_id = t1.program_id and sale_id = t1.id
    ) earned
    join affiliates affiliate on affiliate.program_id = t1.program_id and affiliate.id = t1.affiliate_id
    join campaigns campaign on campaign.program_id = t1.program_id and campaign.id = t1.campaign_id
    join referrals referral on referral.program_id = t1.program_id and referral.id = t1.referral_id
    left join customers customer on customer.program_id = t1.program_id and customer.id = t1.customer_id`,
)

/** @param now commissions with a due date up to this time are due */
export const commissionLines = (now: Date): Lines => linesOf(commissions, { state: commissions.states.case(now) })

export const payoutLines = linesOf(payouts, { state: payouts.states.case() })

export const customerLines = linesOf(customers, {})

export const visitLines = linesOf(
  visits,
  { visitedAt: sql`t1.at`, affiliateId: sql`link.affiliate_id`, link: sql`link.token` },
  sql`affiliate_links link where link.program_id = t1.program_id and link.id = t1.link_id`,
)

export const refundLines = linesOf(
  refunds,
  {
    updatedAt: sql`coalesce(t1.reversed_at, t1.created_at)`,
    occurredAt: sql`coalesce(t1.occurred_at, t1.created_at)`,
    currency: sql`sale.currency`,
    affiliateId: sql`sale.affiliate_id`,
    campaignId: sql`sale.campaign_id`,
    customerId: sql`sale.customer_id`,
  },
  sql`sales sale where sale.program_id = t1.program_id and sale.id = t1.sale_id`,
)

export const paymentLines = linesOf(
  payments,
  { method: sql`run.method`, sentAt: sql`run.sent_at` },
  sql`payout_runs run where run.program_id = t1.program_id and run.id = t1.run_id`,
)

export const unattributedSaleLines = linesOf(unattributedSales, {
  reason: reasonSql('t1'),
  givenReferralId: sql`t1.referral_id`,
})
