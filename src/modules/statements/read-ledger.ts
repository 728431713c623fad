import { statement } from '../../database/client/sql.ts'
import type {
  CommissionKind,
  MoneyEventKind,
  NoCommissionReason,
  PayoutMethod,
  RewardType,
} from '../../generated/prisma/enums.ts'
import type { Sql } from '../../kernel/db.ts'
import type { CommissionLine, RefundedItem } from '../commissions/lines.ts'
import type { Decision } from '../sales/decision.ts'

/** Times are milliseconds since 1970, amounts texts in minor units: the rows come as JSON. */
export type LedgerFact = {
  id: string
  kind: MoneyEventKind
  deltaCents: string
  /**
   * The tax that a payment withheld. Of the payment's facts, only that of its first commission has it. Negative if the
   * payment came back, and its tax with it.
   */
  withheldCents: string | null
  at: number
  /** When it is booked: `at`, or the beginning of a later month if its own was closed. */
  bookedAt: number
  refundId: string | null
}

/** By what a commission was calculated, and whose it was. */
export type CommissionTerms = {
  affiliateId: string
  campaignId: string
  ruleId: string | null
  ruleRewardType: RewardType
  ruleBasisPoints: number | null
  ruleAmountCents: string | null
  ruleLines: CommissionLine[] | null
}

export type SaleTerms = {
  affiliateId: string
  campaignId: string
  amountCents: string
  occurredAt: number
  rule: Decision['rule'] | null
  noCommissionReason: NoCommissionReason | null
}

/** What was replaced at a time. */
export type Former<T> = { bookedAt: number; state: T }

export type LedgerRefund = {
  id: string
  amountCents: string
  items: RefundedItem[] | null
  createdAt: number
  reversedAt: number | null
}

export type LedgerSale = SaleTerms & {
  id: string
  externalId: string | null
  currency: string
  former: Former<SaleTerms>[]
  refunds: LedgerRefund[]
  /** All commissions of the sale: the one it earned, its debts and its credits. */
  commissions: { id: string; refundId: string | null; amountCents: string }[]
}

export type LedgerCommission = CommissionTerms & {
  id: string
  kind: CommissionKind
  reason: string | null
  refundId: string | null
  correctsSaleId: string | null
  currency: string
  occurredAt: number
  facts: LedgerFact[]
  former: Former<CommissionTerms>[]
  sale: LedgerSale | null
  corrects: { id: string; externalId: string | null; occurredAt: number } | null
  payout: LedgerPayout | null
}

type Money = { amountCents: string; currency: string }

export type LedgerPayout = {
  id: string
  reference: string | null
  paidAt: number | null
  method: PayoutMethod | null
  /** What the service took for it. Null: it did not say so. */
  fee: Money | null
  /** What arrives, if that is not the amount: in another currency at a rate, or less the fee. */
  received: (Money & { rate: string | null }) | null
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`

const saleColumns = `s.id, s.external_id as "externalId", s.affiliate_id as "affiliateId", s.campaign_id as "campaignId",
      s.amount_cents::text as "amountCents", s.currency, ${ms('s.occurred_at')} as "occurredAt", s.decision -> 'rule' as rule,
      s.no_commission_reason as "noCommissionReason", (
        select json_agg(json_build_object('bookedAt', ${ms('f.booked_at')}, 'state', json_build_object(
            'affiliateId', f.state -> 'affiliate_id', 'campaignId', f.state -> 'campaign_id', 'amountCents', f.state -> 'amount_cents',
            'occurredAt', ${ms(`(f.state ->> 'occurred_at')::timestamptz`)}, 'rule', f.state -> 'rule',
            'noCommissionReason', f.state -> 'no_commission_reason')) order by f.id)
        from former_earnings f where f.program_id = s.program_id and f.kind = 'sale' and f.row_id = s.id) as former`

const sale = `(select row_to_json(sale) from (select ${saleColumns}, (
        select json_agg(r order by r.id) from (select id, amount_cents::text as "amountCents", items,
            ${ms('created_at')} as "createdAt", ${ms('reversed_at')} as "reversedAt"
          from refunds where program_id = s.program_id and sale_id = s.id) r) as refunds, (
        select json_agg(m order by m.id) from (select id, refund_id as "refundId", amount_cents::text as "amountCents"
          from commissions where program_id = s.program_id and sale_id = s.id) m) as commissions
    from sales s where s.program_id = c.program_id and s.id = c.sale_id) sale)`

const facts = `(select json_agg(e order by e.id) from (select e.id, e.kind, e.delta_cents::text as "deltaCents", e.withheld_cents::text as "withheldCents", ${ms('e.at')} as at,
        ${ms('coalesce(l.booked_at, e.at)')} as "bookedAt", e.refund_id as "refundId"
      from money_events e left join late_facts l on l.program_id = e.program_id and l.kind = 'money' and l.fact_id = e.id
      where e.program_id = c.program_id and e.commission_id = c.id) e)`

const former = `(select json_agg(json_build_object('bookedAt', ${ms('f.booked_at')}, 'state', json_build_object(
        'affiliateId', f.state -> 'affiliate_id', 'campaignId', f.state -> 'campaign_id', 'ruleId', f.state -> 'rule_id',
        'ruleRewardType', f.state -> 'rule_reward_type', 'ruleBasisPoints', f.state -> 'rule_basis_points',
        'ruleAmountCents', f.state -> 'rule_amount_cents', 'ruleLines', f.state -> 'rule_lines')) order by f.id)
      from former_earnings f where f.program_id = c.program_id and f.kind = 'commission' and f.row_id = c.id)`

const payout = `(select json_build_object('id', p.id, 'reference', coalesce(i.reference, p.reference), 'paidAt', ${ms('p.paid_at')}, 'method', r.method,
        'fee', case when i.fee_cents is not null then json_build_object('amountCents', i.fee_cents::text, 'currency', i.fee_currency) end,
        'received', case when i.received_cents is not null then json_build_object('amountCents', i.received_cents::text,
          'currency', i.received_currency, 'rate', i.exchange_rate) end)
      from payouts p
        left join payout_run_items i on i.program_id = p.program_id and i.payout_id = p.id and i.state in ('paid', 'unclaimed') and not i.is_extra
        left join payout_runs r on r.program_id = i.program_id and r.id = i.run_id
      where p.program_id = c.program_id and p.id = c.payout_id order by i.id desc limit 1)`

// Ids of facts are made from their time, so a range of ids, a minute wider, finds those of a time.
const between = (row: string) => `${row}.program_id = $1::uuid
        and ${row}.id >= least_id($3::timestamptz - interval '1 minute') and ${row}.id < least_id($4::timestamptz + interval '1 minute')`

const ledger = statement<{ row: string }>(`
  with touched as (
    select e.commission_id as id from money_events e
      join commissions c on c.program_id = e.program_id and c.id = e.commission_id
    where ${between('e')} and e.at >= $3::timestamptz and e.at < $4::timestamptz and c.affiliate_id = any ($2::uuid[])
    union select e.commission_id from late_facts l
      join money_events e on e.program_id = l.program_id and e.id = l.fact_id
      join commissions c on c.program_id = e.program_id and c.id = e.commission_id
    where l.program_id = $1::uuid and l.kind = 'money' and l.booked_at >= $3::timestamptz and l.booked_at < $4::timestamptz
      and c.affiliate_id = any ($2::uuid[])
    union select row_id from former_earnings f
    where f.program_id = $1::uuid and f.kind = 'commission' and f.affiliate_id = any ($2::uuid[]) and f.booked_at >= $3::timestamptz
    union select f.row_id from former_earnings f join commissions c on c.program_id = f.program_id and c.id = f.row_id
    where f.program_id = $1::uuid and f.kind = 'commission' and c.affiliate_id = any ($2::uuid[]) and f.booked_at >= $3::timestamptz
  )
  select row_to_json(c)::text as row
  from (select c.id, c.kind, c.reason, c.refund_id as "refundId", c.corrects_sale_id as "correctsSaleId", c.currency,
      ${ms('c.occurred_at')} as "occurredAt", c.affiliate_id as "affiliateId", c.campaign_id as "campaignId", c.rule_id as "ruleId",
      c.rule_reward_type as "ruleRewardType", c.rule_basis_points as "ruleBasisPoints",
      c.rule_amount_cents::text as "ruleAmountCents", c.rule_lines as "ruleLines",
      ${facts} as facts, ${former} as former, ${sale} as sale, ${payout} as payout,
      (select json_build_object('id', s.id, 'externalId', s.external_id, 'occurredAt', ${ms('s.occurred_at')})
        from sales s where s.program_id = c.program_id and s.id = c.corrects_sale_id) as corrects
    from touched join commissions c on c.program_id = $1::uuid and c.id = touched.id order by c.id) c`)

/** The commissions of affiliates that something is booked for in a time, each with all of its facts. */
export async function readLedger(
  sql: Sql,
  programId: string,
  affiliateIds: readonly string[],
  { fromAt, untilAt }: { fromAt: Date; untilAt: Date },
): Promise<LedgerCommission[]> {
  const rows = await sql.query(ledger, [programId, affiliateIds, fromAt, untilAt])
  return rows.map(({ row }) => {
    const one = JSON.parse(row) as LedgerCommission
    return { ...one, facts: one.facts ?? [], former: one.former ?? [], sale: one.sale && filled(one.sale) }
  })
}

const filled = (one: LedgerSale): LedgerSale => ({
  ...one,
  former: one.former ?? [],
  refunds: one.refunds ?? [],
  commissions: one.commissions ?? [],
})

export type FruitlessSale = LedgerSale & { bookedAt: number }

const fruitless = statement<{ row: string }>(`
  with recorded as (
    select s.id, s.created_at as booked_at from sales s
    where ${between('s')} and s.created_at >= $3::timestamptz and s.created_at < $4::timestamptz and s.affiliate_id = any ($2::uuid[])
      and not exists (select from late_facts l where l.program_id = s.program_id and l.kind = 'sale' and l.fact_id = s.id)
    union select s.id, l.booked_at from late_facts l join sales s on s.program_id = l.program_id and s.id = l.fact_id
    where l.program_id = $1::uuid and l.kind = 'sale' and l.booked_at >= $3::timestamptz and l.booked_at < $4::timestamptz
      and s.affiliate_id = any ($2::uuid[])
  )
  select row_to_json(s)::text as row
  from (select ${saleColumns}, ${ms('r.booked_at')} as "bookedAt"
    from recorded r join sales s on s.program_id = $1::uuid and s.id = r.id
    where not exists (
      select from commissions c
        join money_events e on e.program_id = c.program_id and e.commission_id = c.id and e.kind = 'earned'
        left join late_facts l on l.program_id = e.program_id and l.kind = 'money' and l.fact_id = e.id
      where c.program_id = s.program_id and c.sale_id = s.id and c.refund_id is null and coalesce(l.booked_at, e.at) < $4::timestamptz)
    order by s.id) s`)

/** The sales of affiliates that were recorded in a time, and earned nothing by its end. */
export async function readFruitlessSales(
  sql: Sql,
  programId: string,
  affiliateIds: readonly string[],
  { fromAt, untilAt }: { fromAt: Date; untilAt: Date },
): Promise<FruitlessSale[]> {
  const rows = await sql.query(fruitless, [programId, affiliateIds, fromAt, untilAt])
  return rows.map(({ row }) => {
    const one = JSON.parse(row) as FruitlessSale
    return { ...filled(one), bookedAt: one.bookedAt }
  })
}

const openings = statement<{ affiliateId: string; currency: string; cents: string }>(`
  with own as (
    select c.id, c.currency, coalesce((
        select f.affiliate_id from former_earnings f
        where f.program_id = c.program_id and f.kind = 'commission' and f.row_id = c.id and f.booked_at >= $3::timestamptz
        order by f.id limit 1), c.affiliate_id) as affiliate_id
    from commissions c
    where c.program_id = $1::uuid and (c.affiliate_id = any ($2::uuid[]) or c.id in (
      select row_id from former_earnings f
      where f.program_id = $1::uuid and f.kind = 'commission' and f.affiliate_id = any ($2::uuid[])))
  ), folded as (
    select own.affiliate_id, own.currency, sum(e.delta_cents) as cents,
      sum(case e.kind when 'voided' then 1 when 'unvoided' then -1 when 'paid' then 1 when 'unpaid' then -1 else 0 end) as settled
    from own join money_events e on e.program_id = $1::uuid and e.commission_id = own.id
    where e.at < $3::timestamptz
    group by own.id, own.affiliate_id, own.currency
  )
  select affiliate_id::text as "affiliateId", currency, sum(cents)::text as cents from folded
  where settled = 0 and affiliate_id = any ($2::uuid[]) group by affiliate_id, currency having sum(cents) <> 0`)

/** What affiliates were owed at a time, before any month was closed. */
export const readOpenings = (sql: Sql, programId: string, affiliateIds: readonly string[], at: Date) =>
  sql.query(openings, [programId, affiliateIds, at])
