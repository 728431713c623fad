import { writeTogether } from '../../../database/client/write.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SqlTransaction } from '../../../kernel/db.ts'
import { mintId } from '../../../kernel/ids.ts'
import type { Attribution } from '../report/attribute.ts'
import { correctAfterSale } from '../report/correct.ts'
import { type AttributionWithRules, withRulesOfTime } from '../report/in-force.ts'
import { type NewSale, type RecordedSale, recordSale, rejectsSelf, selfReferralOf } from '../report/record.ts'
import type { SaleFacts } from '../signals/sale-facts.ts'
import { type Evaluated, evaluate } from './evaluate.ts'
import type { SaleFact } from './fact.ts'
import { countsForCustomer, customerSinceOf, isBehindAffiliate, isBehindCustomer } from './late.ts'
import { openTimeline, type Timeline } from './open.ts'
import { lateReason } from './reasons.ts'
import { bookDifferences } from './reevaluate.ts'

/** A transaction. `client` is null in a short one, which has prepared statements only. */
export type Transaction = { sql: SqlTransaction; client: Prisma.TransactionClient | null }

/** Thrown before anything is written, if a sale needs more than the short transaction. */
export class NeedsClient extends Error {}

/** `since` is when the customer bought first, before the sale. */
type RuledSince = AttributionWithRules & { since: Date | null }

/** A sale to record, with the codes of its report. */
type GivenSale = NewSale & { coupons: readonly string[] }

/**
 * Records an attributed sale. If facts of its customer or affiliate that count are later than it, what it earns is
 * evaluated at its place among them, and what they earn is evaluated again. The locks are taken.
 * @throws NeedsClient
 */
export async function writeSale(
  ctx: ProgramCtx,
  { sql, client }: Transaction,
  { coupons, ...sale }: GivenSale,
  facts: SaleFacts,
  attribution: Attribution,
): Promise<Omit<RecordedSale, 'writes'>> {
  const since = customerSinceOf(facts, attribution, sale)
  const attributed = await withRulesOfTime(ctx, sql, attribution, { ...sale, coupons }, since)
  const now = ctx.now()
  if (await isBehind(ctx, sql, sale, facts, attributed)) {
    if (!client) throw new NeedsClient()
    return writeBehind(ctx, { sql, client }, sale, facts, { ...attributed, since }, now)
  }
  const { writes, ...recorded } = recordSale(ctx, sale, facts, attributed, now)
  await writeTogether(sql, writes)
  if (attributed.hasWholePeriods) await correctAfterSale(ctx, sql, recorded, attributed.campaign, now)
  return recorded
}

async function isBehind(
  ctx: ProgramCtx,
  sql: SqlTransaction,
  sale: NewSale,
  facts: SaleFacts,
  ruled: AttributionWithRules,
): Promise<boolean> {
  const programId = ctx.program.id
  const { affiliate, campaign, version } = ruled
  if (isBehindCustomer(facts, ruled, sale)) {
    const isLimited = campaign.maxCommissions !== null || campaign.maxCommissionPeriodInMonths !== null
    if (version || isLimited || (await countsForCustomer(sql, programId, facts, ruled))) return true
  }
  const of = { programId, affiliateId: affiliate.id, campaignId: campaign.id }
  return ruled.countsAffiliate && isBehindAffiliate(sql, of, sale)
}

async function writeBehind(
  ctx: ProgramCtx,
  { sql, client }: { sql: SqlTransaction; client: Prisma.TransactionClient },
  sale: NewSale,
  facts: SaleFacts,
  ruled: RuledSince,
  now: Date,
): Promise<Omit<RecordedSale, 'writes'>> {
  const customerId = facts.customer?.id ?? ruled.referral?.customerId ?? null
  const place = { affiliateId: ruled.affiliate.id, campaignId: ruled.campaign.id, at: sale.occurredAt }
  const timeline = await openTimeline(ctx, client, { ...place, customerId, referralId: ruled.referral?.id ?? null })
  const newFact = factOfNew(sale, facts, ruled, timeline, mintId(now))
  const evaluated = evaluate([...ofCustomer(newFact, timeline.facts), newFact], ctx.program.timeZone)
  const { terms, history } = evaluated.get(newFact.id) as Evaluated
  const { daysBeforeReferralsExpire } = ruled.campaign
  const campaign = { ...terms, daysBeforeReferralsExpire }
  const { writes, ...recorded } = recordSale(ctx, sale, facts, { ...ruled, campaign, history }, now)
  await writeTogether(sql, writes)
  await bookDifferences(ctx, client, timeline, evaluated, { after: newFact, reason: lateReason(sale, now) }, now)
  if (ruled.hasWholePeriods) await correctAfterSale(ctx, sql, recorded, ruled.campaign, now)
  return recorded
}

/** A referral without a customer becomes that of the sale's, with the sales that it had. */
const ofCustomer = ({ customerKey, referralId }: SaleFact, facts: readonly SaleFact[]) =>
  facts.map((fact) => (fact.customerKey === referralId ? { ...fact, customerKey } : fact))

/** The facts of a sale that is not recorded yet. */
function factOfNew(sale: NewSale, facts: SaleFacts, ruled: RuledSince, { ofTime }: Timeline, id: string): SaleFact {
  const { affiliate, campaign, referral, groupIds, version, couponKeys = [], since } = ruled
  const { items, occurredAt } = sale
  return {
    ...sale,
    id,
    items: items ?? [],
    customerKey: facts.customer?.id ?? referral?.customerId ?? referral?.id ?? id,
    referralId: referral?.id ?? id,
    affiliateId: affiliate.id,
    campaignId: campaign.id,
    groupIds,
    couponKeys,
    campaign: ofTime.campaignAt(campaign.id, occurredAt),
    version,
    convertedAt: since,
    refunds: [],
    voided: null,
    setCents: null,
    isRejected: rejectsSelf(selfReferralOf(facts, ruled), campaign) && 'self_referral',
    holdsPlace: false,
  }
}
