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
  referral: { customerId: string | null }
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

const events = `(
    select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'at', e.at, 'refundId', e.refund_id) order by e.id)
    from money_events e where e.program_id = c.program_id and e.commission_id = c.id)`

const commissions = `(
    select json_agg(json_build_object('programId', c.program_id, 'id', c.id, 'payoutId', c.payout_id,
      'refundId', c.refund_id, 'currency', c.currency, 'amountCents', c.amount_cents::text, 'ruleId', c.rule_id,
      'ruleRewardType', c.rule_reward_type, 'ruleBasisPoints', c.rule_basis_points,
      'ruleAmountCents', c.rule_amount_cents::text, 'ruleLines', c.rule_lines,
      'ruleDaysBeforeDue', c.rule_days_before_due, 'ruleMaxCommissions', c.rule_max_commissions,
      'ruleMaxPeriodInMonths', c.rule_max_period_in_months, 'occurredAt', c.occurred_at, 'dueAt', c.due_at,
      'paidAt', c.paid_at, 'voidedAt', c.voided_at, 'events', ${events},
      'refund', case when c.refund_id is not null then (select json_build_object('reversedAt', f.reversed_at)
        from refunds f where f.program_id = c.program_id and f.id = c.refund_id) end) order by c.id)
    from commissions c where c.program_id = s.program_id and c.sale_id = s.id)`

const refunds = `(
    select json_agg(json_build_object('id', f.id, 'amountCents', f.amount_cents::text, 'items', f.items,
      'occurredAt', f.occurred_at, 'createdAt', f.created_at, 'reversedAt', f.reversed_at) order by f.id)
    from refunds f where f.program_id = s.program_id and f.sale_id = s.id)`

const corrections = `(
    select json_agg(json_build_object('currency', c.currency, 'amountCents', c.amount_cents::text) order by c.id)
    from commissions c where c.program_id = s.program_id and c.corrects_sale_id = s.id)`

const storedSales = statement<{ sale: string }>(`
  with ${connected}
  select json_build_object('programId', s.program_id, 'id', s.id, 'externalId', s.external_id,
    'referralId', s.referral_id, 'customerId', s.customer_id, 'affiliateId', s.affiliate_id,
    'campaignId', s.campaign_id, 'amountCents', s.amount_cents::text, 'currency', s.currency,
    'billingInterval', s.billing_interval, 'paymentNumber', s.payment_number, 'items', s.items,
    'occurredAt', s.occurred_at, 'noCommissionReason', s.no_commission_reason, 'decision', s.decision,
    'referral', json_build_object('customerId', r.customer_id), 'refunds', ${refunds},
    'commissions', ${commissions}, 'corrections', ${corrections})::text as sale
  from connected
    join sales s on s.program_id = $1::uuid and s.id = connected.id
    join referrals r on r.program_id = s.program_id and r.id = s.referral_id`)

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

const saleOf = ({ refunds, commissions, corrections, ...sale }: Row): StoredSale =>
  ({
    ...typed(sale),
    refunds: rowsOf(refunds),
    commissions: rowsOf(commissions).map(({ events, refund, ...commission }) => {
      return { ...commission, events: rowsOf(events), refund: refund && typed(refund as Row) }
    }),
    corrections: rowsOf(corrections),
  }) as StoredSale

const rowsOf = (rows: unknown): Row[] => ((rows ?? []) as Row[]).map(typed)

const amounts = ['amountCents', 'ruleAmountCents']
const times = ['occurredAt', 'createdAt', 'dueAt', 'paidAt', 'voidedAt', 'reversedAt', 'at']

/** Amounts are text in JSON, and times ISO 8601. What is nested stays. The row is changed: there can be thousands. */
function typed(row: Row): Row {
  for (const name of amounts) if (typeof row[name] === 'string') row[name] = BigInt(row[name])
  for (const name of times) if (typeof row[name] === 'string') row[name] = new Date(row[name])
  return row
}
