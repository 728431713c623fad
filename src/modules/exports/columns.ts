import { Prisma } from '../../generated/prisma/client.ts'
import { snakeCase } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { commissions } from '../../resources/commissions.ts'
import { payouts } from '../../resources/payouts.ts'
import { referrals } from '../../resources/referrals.ts'
import { type Field, fieldsWith, type Resource, wireName } from '../../resources/resource.ts'
import { earnedOutcomes, sales } from '../../resources/sales.ts'
import type { Definition } from '../affiliates/own-fields/values.ts'
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

/** How the values of a kind are written, and those that can be null. */
const cells = {
  id: [word, wordOrNull],
  word: [word, wordOrNull],
  text: [text, text],
  texts: [texts, texts],
  number: [number, numberOrNull],
  cents: [number, numberOrNull],
  time: [time, timeOrNull],
} as const

function cellOf({ kind, nullable }: Field, value: Prisma.Sql): Cell {
  const [cell, cellOrNull] = cells[kind as keyof typeof cells]
  return nullable ? cellOrNull(value) : cell(value)
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

const builtInAffiliateLines = linesOf(
  affiliates,
  {
    linkTokens: sql`select token as text from affiliate_links where program_id = t1.program_id and affiliate_id = t1.id order by id`,
    couponToken: sql`coupon.token`,
    couponTokens: sql`(select string_agg(token, ';' order by id) from affiliate_coupons
      where program_id = t1.program_id and affiliate_id = t1.id and archived_at is null)`,
  },
  sql`(values (1)) one left join affiliate_coupons coupon on coupon.program_id = t1.program_id and coupon.first_of = t1.id`,
)

/** @param own the program's own fields, as the last columns. Their names hold no quotes. */
export function affiliateLines(own: readonly Definition[]): Lines {
  const { columns, ...rest } = builtInAffiliateLines
  const cells = own.map(({ name, type }) => {
    const value = raw(`(t1.own_fields ->> '${name}')`)
    return [name, type === 'number' ? numberOrNull(value) : text(value)] as const
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
  },
  sql`(
      select min(currency) as currency,
        case when count(*) > 0 then coalesce(sum(amount_cents) filter (where voided_at is null), 0) end as amount,
        min(${earnedOutcomes.case(undefined, '')}) filter (where refund_id is null) as outcome
      from commissions where program_id = t1.program_id and sale_id = t1.id
    ) earned
    join affiliates affiliate on affiliate.program_id = t1.program_id and affiliate.id = t1.affiliate_id
    join campaigns campaign on campaign.program_id = t1.program_id and campaign.id = t1.campaign_id
    left join customers customer on customer.program_id = t1.program_id and customer.id = t1.customer_id`,
)

/** @param now commissions with a due date up to this time are due */
export const commissionLines = (now: Date): Lines => linesOf(commissions, { state: commissions.states.case(now) })

export const payoutLines = linesOf(payouts, { state: payouts.states.case() })
