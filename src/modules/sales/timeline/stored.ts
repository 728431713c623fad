import { statement } from '../../../database/client/sql.ts'
import type { Commission, MoneyEvent, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { SqlTransaction } from '../../../kernel/db.ts'

type StoredCommission = Pick<
  Commission,
  | 'programId'
  | 'id'
  | 'payoutId'
  | 'refundId'
  | 'currency'
  | 'amountCents'
  | 'ruleId'
  | 'ruleRewardType'
  | 'ruleBasisPoints'
  | 'ruleAmountCents'
  | 'ruleLines'
  | 'ruleDaysBeforeDue'
  | 'ruleMaxCommissions'
  | 'ruleMaxPeriodInMonths'
  | 'occurredAt'
  | 'dueAt'
  | 'paidAt'
  | 'voidedAt'
> & {
  events: Pick<MoneyEvent, 'id' | 'kind' | 'at' | 'refundId'>[]
  refund: Pick<Refund, 'reversedAt'> | null
}

/** A stored sale with everything that decides what it earns, and what it has earned. */
export type StoredSale = Omit<Sale, 'customerName' | 'attributedBy' | 'refundedCents' | 'createdAt' | 'updatedAt'> & {
  referral: { customerId: string | null; becameConversionAt: Date | null }
  refunds: Pick<Refund, 'id' | 'amountCents' | 'items' | 'occurredAt' | 'createdAt' | 'reversedAt'>[]
  commissions: StoredCommission[]
  corrections: Pick<Commission, 'currency' | 'amountCents'>[]
}

/** The sales of an affiliate in a campaign from a time on. */
export type SalesOfAffiliate = { affiliateId: string; campaignId: string; from: Date | null }

/** Where sales are connected with others. */
export type Connections = { customerIds: string[]; referralIds: string[]; affiliates: SalesOfAffiliate[] }

/** The ids of sales: a union, so that each part reads by its own index. */
const connected = `connected as (
    select id from sales where program_id = $1::uuid and customer_id = any ($2::uuid[])
    union select id from sales where program_id = $1::uuid and referral_id = any ($3::uuid[])
    union select s.id from referrals r join sales s on s.program_id = r.program_id and s.referral_id = r.id
      where r.program_id = $1::uuid and r.customer_id = any ($2::uuid[]) and s.customer_id is null
    union select s.id
      from jsonb_to_recordset($4::jsonb) as place ("affiliateId" uuid, "campaignId" uuid, "from" timestamptz)
        join sales s on s.program_id = $1::uuid and s.affiliate_id = place."affiliateId"
          and s.campaign_id = place."campaignId" and s.occurred_at >= coalesce(place."from", '-infinity'))`

// PostgreSQL makes JSON of rows in two thirds of the time that `json_build_object` takes.
const events = `(
    select json_agg(e order by e.id)
    from (select id, kind, at, refund_id as "refundId" from money_events
      where program_id = c.program_id and commission_id = c.id) e)`

const commissions = `(
    select json_agg(c order by c.id)
    from (select c.program_id as "programId", c.id, c.payout_id as "payoutId", c.refund_id as "refundId", c.currency,
        c.amount_cents::text as "amountCents", c.rule_id as "ruleId", c.rule_reward_type as "ruleRewardType",
        c.rule_basis_points as "ruleBasisPoints", c.rule_amount_cents::text as "ruleAmountCents",
        c.rule_lines as "ruleLines", c.rule_days_before_due as "ruleDaysBeforeDue",
        c.rule_max_commissions as "ruleMaxCommissions", c.rule_max_period_in_months as "ruleMaxPeriodInMonths",
        c.occurred_at as "occurredAt", c.due_at as "dueAt", c.paid_at as "paidAt", c.voided_at as "voidedAt",
        ${events} as events,
        case when c.refund_id is not null then (select json_build_object('reversedAt', f.reversed_at)
          from refunds f where f.program_id = c.program_id and f.id = c.refund_id) end as refund
      from commissions c where c.program_id = s.program_id and c.sale_id = s.id) c)`

const refunds = `(
    select json_agg(f order by f.id)
    from (select id, amount_cents::text as "amountCents", items, occurred_at as "occurredAt",
        created_at as "createdAt", reversed_at as "reversedAt"
      from refunds where program_id = s.program_id and sale_id = s.id) f)`

const corrections = `(
    select json_agg(c order by c.id)
    from (select id, currency, amount_cents::text as "amountCents"
      from commissions where program_id = s.program_id and corrects_sale_id = s.id) c)`

const storedSales = statement<{ sale: string }>(`
  with ${connected}
  select row_to_json(sale)::text as sale
  from (select s.program_id as "programId", s.id, s.external_id as "externalId", s.referral_id as "referralId",
      s.customer_id as "customerId", s.affiliate_id as "affiliateId", s.campaign_id as "campaignId",
      s.amount_cents::text as "amountCents", s.currency, s.billing_interval as "billingInterval",
      s.payment_number as "paymentNumber", s.items, s.occurred_at as "occurredAt",
      s.no_commission_reason as "noCommissionReason", s.decision,
      json_build_object('customerId', r.customer_id, 'becameConversionAt', r.became_conversion_at) as referral, ${refunds} as refunds,
      ${commissions} as commissions, ${corrections} as corrections
    from connected
      join sales s on s.program_id = $1::uuid and s.id = connected.id
      join referrals r on r.program_id = s.program_id and r.id = s.referral_id) sale`)

const valuesOf = (programId: string, { customerIds, referralIds, affiliates }: Connections) => [
  programId,
  customerIds,
  referralIds,
  JSON.stringify(affiliates),
]

/** Reads the sales of customers, of referrals and of affiliates, in one statement. */
export async function readStoredSales(
  tx: SqlTransaction,
  programId: string,
  connections: Connections,
): Promise<StoredSale[]> {
  const rows = await tx.textRows(storedSales, valuesOf(programId, connections))
  return rows.map(([text]) => saleOf(JSON.parse(text as string)))
}

const places = statement<{ affiliateId: string; campaignId: string }>(`
  with ${connected}
  select distinct s.affiliate_id::text as "affiliateId", s.campaign_id::text as "campaignId"
  from connected join sales s on s.program_id = $1::uuid and s.id = connected.id`)

/** Through which affiliates, and in which campaigns, customers have bought. */
export const readPlaces = (tx: SqlTransaction, programId: string, connections: Connections) =>
  tx.query(places, valuesOf(programId, connections))

type Row = Record<string, unknown>

const saleOf = ({ referral, refunds, commissions, corrections, ...sale }: Row): StoredSale =>
  ({
    ...typed(sale),
    referral: typed(referral as Row),
    refunds: rowsOf(refunds),
    commissions: rowsOf(commissions).map(({ events, refund, ...commission }) => {
      return { ...commission, events: rowsOf(events), refund: refund && typed(refund as Row) }
    }),
    corrections: rowsOf(corrections),
  }) as StoredSale

const rowsOf = (rows: unknown): Row[] => ((rows ?? []) as Row[]).map(typed)

const amounts = ['amountCents', 'ruleAmountCents']
const times = ['becameConversionAt', 'occurredAt', 'createdAt', 'dueAt', 'paidAt', 'voidedAt', 'reversedAt', 'at']

/** Amounts are text in JSON, and times ISO 8601. What is nested stays. The row is changed: there can be thousands. */
function typed(row: Row): Row {
  for (const name of amounts) if (typeof row[name] === 'string') row[name] = BigInt(row[name])
  for (const name of times) if (typeof row[name] === 'string') row[name] = new Date(row[name])
  return row
}
