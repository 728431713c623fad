import { statement } from '../../../database/client/sql.ts'
import type { Sale } from '../../../generated/prisma/client.ts'
import type { Sql } from '../../../kernel/db.ts'
import type { Attribution } from '../report/attribute.ts'
import type { SaleFacts } from '../signals/sale-facts.ts'
import { isPlacedById, type Place } from './fact.ts'

type Dated = Pick<Place, 'occurredAt' | 'externalId' | 'isTimed'>

/**
 * When the customer bought first, before a sale. Null if the sale is the first. An import can say it too. A referral
 * without a customer becomes that of the sale's. One of another customer says nothing about this customer.
 */
export function customerSinceOf(
  { customer, bought }: SaleFacts,
  { referral }: Attribution,
  { occurredAt }: Dated,
): Date | null {
  const isOthers = customer && referral?.customerId && referral.customerId !== customer.id
  const knownFirstTimes = [
    bought.firstAt,
    ...(referral && !isOthers ? [referral.bought.firstAt, referral.becameConversionAt] : []),
  ]
  const before = knownFirstTimes.flatMap((at) => (at && at <= occurredAt ? at.getTime() : []))
  return before.length === 0 ? null : new Date(Math.min(...before))
}

/**
 * Whether the customer has facts after a sale, so that what they earn has to be evaluated again. Of one
 * instant, a sale comes last unless its external id decides.
 */
export function isBehindCustomer({ bought }: SaleFacts, { referral }: Attribution, sale: Dated): boolean {
  const isLater = (at: Date | null | undefined) =>
    Boolean(at && (at > sale.occurredAt || (at.getTime() === sale.occurredAt.getTime() && isPlacedById(sale))))
  const voidedAt = referral?.history.voidedAt
  return isLater(bought.lastAt) || isLater(referral?.bought.lastAt) || Boolean(voidedAt && voidedAt > sale.occurredAt)
}

/** Sales of the affiliate at or after a time, and refunds and voids of its sales after that. */
const laterFacts = statement<{ sale: boolean; change: boolean }>(`
  select exists (select from sales where program_id = $1::uuid and affiliate_id = $2::uuid and campaign_id = $3::uuid
      and (occurred_at > $4::timestamptz or occurred_at = $4::timestamptz and $5::boolean)) as sale,
    exists (select from refunds r join sales s on s.program_id = r.program_id and s.id = r.sale_id
      where r.program_id = $1::uuid and r.created_at > $4::timestamptz and s.affiliate_id = $2::uuid) as change`)

/** As `isBehindCustomer`, for the sales of the affiliate that caps and tiers count. The affiliate is locked. */
export async function isBehindAffiliate(
  sql: Sql,
  { programId, affiliateId, campaignId }: { programId: string; affiliateId: string; campaignId: string },
  sale: Dated,
): Promise<boolean> {
  const values = [programId, affiliateId, campaignId, sale.occurredAt.toISOString(), isPlacedById(sale)]
  const [found] = await sql.query(laterFacts, values)
  return Boolean(found?.sale || found?.change)
}

const countingSales = statement<{ counts: boolean }>(`
  select exists (select from sales s join campaigns c on c.program_id = s.program_id and c.id = s.campaign_id
    where s.program_id = $1::uuid and (s.customer_id = $2::uuid or s.referral_id = $3::uuid)
      and (c.rules_version > 0 or c.max_commissions is not null or c.max_commission_period_in_months is not null)) as counts`)

/** Whether a limit or a rule can count the sales of a customer at all. */
export async function countsForCustomer(
  sql: Sql,
  programId: string,
  { customer }: SaleFacts,
  { referral }: Attribution,
): Promise<boolean> {
  const values = [programId, customer?.id ?? referral?.customerId ?? null, referral?.id ?? null]
  const [found] = await sql.query(countingSales, values)
  return Boolean(found?.counts)
}

const salesAfterRefund = statement<{ exists: boolean }>(`
  select exists (select from sales s join campaigns c on c.program_id = s.program_id and c.id = s.campaign_id
    where s.program_id = $1::uuid and s.id <> $2::uuid and s.occurred_at >= $6::timestamptz
      and (s.customer_id = $3::uuid or s.referral_id = $4::uuid or s.affiliate_id = $5::uuid and c.rules_version > 0)
      and (c.rules_version > 0 or c.max_commissions is not null or c.max_commission_period_in_months is not null)) as exists`)

/** Whether sales that can count a sale are at or after a time. */
export async function hasLaterSales(
  sql: Sql,
  { programId, id, customerId, referralId, affiliateId }: Sale,
  at: Date,
): Promise<boolean> {
  const values = [programId, id, customerId, referralId, affiliateId, at.toISOString()]
  const [found] = await sql.query(salesAfterRefund, values)
  return Boolean(found?.exists)
}
