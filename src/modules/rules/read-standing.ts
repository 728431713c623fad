import { statement } from '../../database/client/sql.ts'
import type { Sql } from '../../kernel/db.ts'
import type { PeriodSpan } from '../../kernel/periods.ts'
import { nothingSold, type SoldInPeriod, textsOf } from './tiers.ts'

type OfAffiliate = { programId: string; affiliateId: string; campaignId: string }

/** The rows of the measures of an affiliate in a campaign: the kept ones, and the deltas that wait. */
export const measureRows = (program: string, affiliate: string, campaign: string): string => `
  select start, currency, conversions, revenue_cents, commissions_cents from affiliate_measures
  where program_id = ${program} and affiliate_id = ${affiliate} and campaign_id = ${campaign}
  union all
  select start, currency, conversions, revenue_cents, commissions_cents from affiliate_measure_deltas
  where program_id = ${program} and affiliate_id = ${affiliate} and campaign_id = ${campaign}`

/** What `readStanding` reads. */
export const standing = statement<{ conversions: string; revenue: string; commissions: string }>(`
  select coalesce(sum(conversions), 0)::text as conversions,
    coalesce(sum(revenue_cents) filter (where currency = $4::text), 0)::text as revenue,
    coalesce(sum(commissions_cents) filter (where currency = $5::text), 0)::text as commissions
  from (${measureRows('$1::uuid', '$2::uuid', '$3::uuid')}) measures
  where start >= $6::timestamptz and start < $7::timestamptz`)

/**
 * What an affiliate has sold and earned in a campaign in a period, from kept sums. The affiliate is locked.
 * @param currencies of the revenue and of the commissions
 */
export async function readStanding(
  sql: Sql,
  { programId, affiliateId, campaignId }: OfAffiliate,
  currencies: { sale: string; commission: string },
  span: PeriodSpan,
): Promise<SoldInPeriod> {
  const values = [programId, affiliateId, campaignId, currencies.sale, currencies.commission, ...textsOf(span)]
  const [found] = await sql.query(standing, values)
  if (!found) return nothingSold
  return {
    conversions: BigInt(found.conversions),
    revenueCents: BigInt(found.revenue),
    commissionsCents: BigInt(found.commissions),
  }
}
