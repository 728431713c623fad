import { sqlWithin } from '../../../database/client/sql.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { type Period, periodOf, periods } from '../../../kernel/periods.ts'
import { lockAffiliates } from '../../payouts/settle.ts'
import { needsUse } from '../../rules/cap.ts'
import { tiersOf } from '../../rules/rewards/all.ts'
import type { RuleVersion } from '../../rules/versions.ts'
import type { SaleFact } from './fact.ts'
import { factOf } from './fact-of.ts'
import { type OfTime, readOfTime } from './of-time.ts'
import { readSales } from './read-sales.ts'
import { readPlaces, type SalesOfAffiliate, type StoredSale } from './stored.ts'

/** A fact that may change what sales from its time on earn: those of its customer, and of its affiliate. */
type Cause = {
  at: Date
  customerId: string | null
  referralId: string | null
  affiliateId: string
  campaignId: string
}

/** The sales that a fact can touch, complete for evaluation. The affiliates whose sales are evaluated are locked. */
export type Timeline = { sales: StoredSale[]; facts: SaleFact[]; ofTime: OfTime; affiliateIds: string[] }

type Place = { affiliateId: string; campaignId: string }

/** Locks and reads what a fact can touch. Take the locks of its customer and its referral before. */
export async function openTimeline(ctx: ProgramCtx, tx: Prisma.TransactionClient, cause: Cause): Promise<Timeline> {
  const programId = ctx.program.id
  const customerIds = cause.customerId === null ? [] : [cause.customerId]
  const referralIds = cause.referralId === null ? [] : [cause.referralId]
  const sql = sqlWithin(tx)
  const bought = await readPlaces(sql, programId, { customerIds, referralIds, affiliates: [] })
  const places: Place[] = [cause, ...bought]
  const affiliateIds = [...new Set(places.map(({ affiliateId }) => affiliateId))]
  await lockAffiliates(tx, programId, affiliateIds)
  const campaignIds = [...new Set(places.map(({ campaignId }) => campaignId))]
  const first = await readOfTime(ctx, tx, campaignIds, affiliateIds)
  const affiliates = countedPlaces(places, first, cause.at, ctx.program.timeZone)
  const sales = await readSales(ctx, sql, { customerIds, referralIds, affiliates })
  const all = {
    campaignIds: [...new Set([...campaignIds, ...sales.map(({ campaignId }) => campaignId)])],
    affiliateIds: [...new Set([...affiliateIds, ...sales.map(({ affiliateId }) => affiliateId)])],
  }
  const isKnown = all.campaignIds.length === campaignIds.length && all.affiliateIds.length === affiliateIds.length
  const ofTime = isKnown ? first : await readOfTime(ctx, tx, all.campaignIds, all.affiliateIds)
  const converted = await readConversions(programId, tx, sales)
  const facts = sales.map((sale) => {
    const isComplete = isEvaluated(sale, ofTime, affiliates) && affiliateIds.includes(sale.affiliateId)
    return factOf(sale, ofTime, converted(sale), sale.decision !== null && isComplete)
  })
  return { sales, facts, ofTime, affiliateIds }
}

/** The affiliates' sales that caps and tiers count, from the beginning of the longest period around a time. */
function countedPlaces(places: readonly Place[], ofTime: OfTime, at: Date, timeZone: string): SalesOfAffiliate[] {
  const unique = new Map(places.map((place) => [`${place.affiliateId} ${place.campaignId}`, place]))
  return [...unique.values()].flatMap(({ affiliateId, campaignId }) => {
    const period = longestPeriod(ofTime.versionsOf(campaignId))
    return period ? [{ affiliateId, campaignId, from: periodOf(at, period, timeZone).from }] : []
  })
}

/** The longest period over which rules count the sales of an affiliate. Null if none does. */
function longestPeriod(versions: readonly RuleVersion[]): Period | null {
  const used = versions
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => [needsUse(rule.cap) ? ('year' as const) : null, tiersOf(rule)?.period ?? null])
    .filter((period) => period !== null)
  return used.length === 0 ? null : (periods[Math.max(...used.map((period) => periods.indexOf(period)))] as Period)
}

/** Whether everything that counts for a sale was read. */
function isEvaluated(sale: StoredSale, ofTime: OfTime, read: readonly SalesOfAffiliate[]): boolean {
  if (longestPeriod(ofTime.versionsOf(sale.campaignId)) === null) return true
  return read.some(
    ({ affiliateId, campaignId, from }) =>
      affiliateId === sale.affiliateId && campaignId === sale.campaignId && (from === null || from <= sale.occurredAt),
  )
}

/** When customers were imported as conversions: the earliest conversion of one of their referrals, or of the sale's. */
async function readConversions(programId: string, tx: Prisma.TransactionClient, sales: readonly StoredSale[]) {
  const keys = (sale: StoredSale) => sale.customerId ?? sale.referral.customerId
  const customerIds = [...new Set(sales.flatMap((sale) => keys(sale) ?? []))]
  const found = await tx.referral.groupBy({
    by: ['customerId'],
    where: { programId, customerId: { in: customerIds }, becameConversionAt: { not: null } },
    _min: { becameConversionAt: true },
  })
  const earliest = new Map(found.map(({ customerId, _min }) => [customerId, _min.becameConversionAt]))
  return (sale: StoredSale): Date | null => {
    const customerId = keys(sale)
    return customerId === null ? sale.referral.becameConversionAt : (earliest.get(customerId) ?? null)
  }
}
