import { statement } from '../../../database/client/sql.ts'
import type { Campaign } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { addDays } from '../../../kernel/dates.ts'
import { invalid } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { readRange } from '../../analytics/service.ts'
import { decideReward, reinterpretedAmount } from '../../campaigns/reward.ts'
import { evaluateNext, newEvaluation, type Paid } from '../../sales/timeline/evaluate.ts'
import { readOfTime } from '../../sales/timeline/of-time.ts'
import { addEarnings, type ComparedEarnings, type Comparison, earningsIn, inOrder } from '../comparison.ts'
import { type PastSale, readPastSales } from '../past-sales.ts'
import { type CampaignRules, campaignRulesInput, simulationInput } from './input.ts'

export type Simulation = { from: Date; to: Date; sales: number; currencies: ComparedEarnings[] }

/**
 * Simulates what other terms of campaigns would have cost, beside the commission rules that held. All sales until the
 * end of the range are evaluated, because limits also count earlier sales; those in the range are added up. At most one
 * batch is in memory, with what is counted of each customer and affiliate.
 * @throws INVALID_INPUT
 */
export async function simulateCampaign(
  ctx: ProgramCtx,
  raw: { rules: unknown; range: unknown; timeZone?: unknown; campaignId?: unknown },
): Promise<Simulation> {
  const { campaignId } = await parseInput(simulationInput, raw)
  const given = await parseInput(campaignRulesInput, raw.rules)
  const range = await readRange(raw, ctx.now())
  const [from, to] = [new Date(range.from), new Date(range.to)]
  const campaigns = await readCampaigns(ctx, campaignId, given)
  const { versionAt, versionsOf } = await readOfTime(ctx, ctx.db, [...campaigns.keys()], [])
  const rules = [...campaigns.keys()].flatMap(versionsOf).flatMap((version) => version.rules)
  const evaluation = newEvaluation(ctx.program.timeZone, rules)
  const converted = new Set<string>()
  const totals: Comparison = new Map()
  let sales = 0
  for await (const batch of readPastSales(ctx, campaignId, to))
    for (const sale of batch) {
      const campaign = campaigns.get(sale.campaignId)
      if (!campaign) continue
      const isLost = isExpired(sale, given.daysBeforeReferralsExpire ?? null) && !converted.has(sale.referralId)
      if (!isLost) converted.add(sale.referralId)
      const version = versionAt(sale.campaignId, sale.occurredAt)
      const evaluated = isLost ? null : evaluateNext(evaluation, { ...sale, campaign, version })
      if (sale.occurredAt < from) continue
      sales += 1
      addSale(totals, sale, evaluated)
    }
  await addCorrections(ctx, totals, campaignId, from, to)
  return { from, to, sales, currencies: inOrder(totals) }
}

/** Whether the referral of a sale would have expired before it. Sales by coupon or by hand cannot expire. */
function isExpired({ attributedBy, referredAt, occurredAt }: PastSale, days: number | null): boolean {
  const needsReferral = attributedBy === 'referral_id' || attributedBy === 'email'
  return needsReferral && days !== null && occurredAt >= addDays(referredAt, days)
}

/** Before: what the sale earned. After: what it would have earned, where corrections do not count as commissions. */
function addSale(totals: Comparison, sale: PastSale, evaluated: Paid | null): void {
  const { affiliateId, currency, actualCurrency, actualCents, actualCommissions } = sale
  earningsIn(totals, currency).sales += 1
  if (actualCurrency !== null) {
    const actual = { currency: actualCurrency, amountCents: actualCents }
    addEarnings(totals, 'before', affiliateId, actual, actualCommissions)
  }
  if (evaluated?.paid) addEarnings(totals, 'after', affiliateId, evaluated.paid)
  for (const correction of evaluated?.corrections ?? []) addEarnings(totals, 'after', affiliateId, correction, 0)
}

const tierCorrections = statement<{ affiliateId: string; currency: string; cents: string }>(`
  select affiliate_id::text as "affiliateId", currency, sum(amount_cents)::text as cents from commissions
  where program_id = $1::uuid and campaign_id = coalesce($2::uuid, campaign_id) and kind = 'correction'
    and rule_id is not null and voided_at is null and occurred_at >= $3::timestamptz and occurred_at < $4::timestamptz
  group by affiliate_id, currency`)

/** Adds the actual corrections by tiers for the whole period. */
async function addCorrections(
  { db, program }: ProgramCtx,
  totals: Comparison,
  campaignId: string | undefined,
  from: Date,
  to: Date,
): Promise<void> {
  const values = [program.id, campaignId ?? null, from.toISOString(), to.toISOString()]
  for (const { affiliateId, currency, cents } of await db.sql.query(tierCorrections, values))
    addEarnings(totals, 'before', affiliateId, { currency, amountCents: BigInt(cents) }, 0)
}

/** The campaigns with the given changes. @throws INVALID_INPUT */
async function readCampaigns(
  ctx: ProgramCtx,
  campaignId: string | undefined,
  given: CampaignRules,
): Promise<Map<string, Campaign>> {
  const isReadable = campaignId === undefined || isId(campaignId)
  const where = { programId: ctx.program.id, id: campaignId }
  const campaigns = isReadable ? await ctx.db.campaign.findMany({ where }) : []
  if (campaigns.length === 0) throw invalid([{ field: 'campaignId', message: 'Campaign not found.' }])
  return new Map(campaigns.map((campaign) => [campaign.id, changed(campaign, given)]))
}

function changed(campaign: Campaign, given: CampaignRules): Campaign {
  const reward = decideReward(given, campaign)
  if ('message' in reward) throw invalid([reward])
  const reinterpreted = reinterpretedAmount(given, reward, campaign)
  if (reinterpreted) throw invalid([reinterpreted])
  const { commissionCurrency, maxCommissions, maxCommissionPeriodInMonths } = given
  return {
    ...campaign,
    ...reward,
    commissionCurrency: commissionCurrency ?? campaign.commissionCurrency,
    maxCommissions: maxCommissions === undefined ? campaign.maxCommissions : maxCommissions,
    maxCommissionPeriodInMonths:
      maxCommissionPeriodInMonths === undefined ? campaign.maxCommissionPeriodInMonths : maxCommissionPeriodInMonths,
  }
}
