import { sqlWithin, statement } from '../../database/client/sql.ts'
import { inserted, writeTogether } from '../../database/client/write.ts'
import type { Commission, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Sql, SqlTransaction } from '../../kernel/db.ts'
import { periodOf } from '../../kernel/periods.ts'
import { eventsOf, insertedEvents } from '../events/record.ts'
import { moneyEvents } from '../history/money-events.ts'
import { newCorrection } from '../rules/of-amount.ts'
import { readStanding } from '../rules/read-standing.ts'
import type { Tiers } from '../rules/rewards/tiers.ts'
import type { StoredRule } from '../rules/rule.ts'
import { tierReason } from '../rules/tier-reason.ts'
import { stepAt, textsOf, wholePeriodTiers } from '../rules/tiers.ts'
import { ruleVersionAt } from '../rules/versions.ts'
import { correctionsOf } from './tier-corrections-sql.ts'

/** Sales of an affiliate in a campaign, in the periods that contain a time. */
export type TieredSales = { affiliateId: string; campaignId: string; occurredAt: Date }

type CampaignOfRules = { programId: string; id: string; rulesVersion: number }

/** The rules of a campaign with tiers for the whole period: those of a time, and the present ones. */
export async function wholePeriodRules(
  sql: Sql,
  campaign: CampaignOfRules,
  at: Date,
  now: Date,
): Promise<StoredRule[]> {
  const versions = [await ruleVersionAt(sql, campaign, at), await ruleVersionAt(sql, campaign, now)]
  const rules = versions.flatMap((version) => version?.rules ?? []).filter((rule) => wholePeriodTiers(rule))
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()]
}

const rulesVersions = statement<{ programId: string; id: string; rulesVersion: number }>(
  `select program_id::text as "programId", id::text, rules_version as "rulesVersion" from campaigns
   where program_id = $1::uuid and id = $2::uuid and rules_version > 0`,
)

/**
 * Makes the corrections that follow after sales have changed: refunded, void, or worth another amount. Their affiliates
 * are locked.
 */
export async function correctChangedSales(
  ctx: ProgramCtx,
  tx: SqlTransaction,
  sales: readonly TieredSales[],
  now: Date,
): Promise<void> {
  for (const campaignId of new Set(sales.map((sale) => sale.campaignId))) {
    const [campaign] = await tx.query(rulesVersions, [ctx.program.id, campaignId])
    if (!campaign) continue
    // Sales of one month share every period.
    const months = new Map<string, TieredSales>()
    for (const of of sales.filter((sale) => sale.campaignId === campaignId)) {
      const { from } = periodOf(of.occurredAt, 'month', ctx.program.timeZone)
      months.set(`${of.affiliateId} ${from?.getTime()}`, of)
    }
    for (const of of months.values())
      await correctTiers(ctx, tx, await wholePeriodRules(tx, campaign, of.occurredAt, now), of, now)
  }
}

/** As `correctChangedSales`, for the sales of commissions that have changed. */
export async function correctChangedCommissions(
  ctx: ProgramCtx,
  tx: Prisma.TransactionClient,
  commissions: readonly Commission[],
  now: Date,
): Promise<void> {
  const ids = commissions.flatMap(({ saleId }) => saleId ?? [])
  if (ids.length === 0) return
  const where = { programId: ctx.program.id, id: { in: ids } }
  const sales = await tx.sale.findMany({ where, select: { affiliateId: true, campaignId: true, occurredAt: true } })
  await correctChangedSales(ctx, sqlWithin(tx), sales, now)
}

/**
 * Makes corrections, so that all sales of the period earn by the step that the affiliate has reached. Makes none if
 * they do already: it can be repeated. The affiliate is locked.
 */
export async function correctTiers(
  ctx: ProgramCtx,
  tx: SqlTransaction,
  rules: readonly StoredRule[],
  of: TieredSales,
  now: Date,
): Promise<void> {
  const programId = ctx.program.id
  for (const rule of rules) {
    const tiers = wholePeriodTiers(rule) as Tiers
    const span = periodOf(of.occurredAt, tiers.period, ctx.program.timeZone)
    const values = [programId, of.affiliateId, of.campaignId, rule.id, tiers.period, ...textsOf(span)]
    for (const { currency, cents, dueAt } of await tx.query(correctionsOf, values)) {
      const standing = await readStanding(tx, { programId, ...of }, { sale: currency, commission: currency }, span)
      const reason = tierReason(
        rule.name,
        tiers,
        stepAt(tiers, standing),
        standing,
        span,
        ctx.program.timeZone,
        currency,
      )
      const { affiliateId, campaignId, occurredAt } = of
      const given = { programId, affiliateId, campaignId, currency, amountCents: BigInt(cents), reason }
      // It counts in the period that it corrects, and is due with the last of the commissions that it is about.
      const due = new Date(Math.max(Date.parse(String(dueAt)), now.getTime()))
      const correction = newCorrection(given, now, { ruleId: rule.id, occurredAt, dueAt: due })
      await insertCorrection(ctx, tx, correction, now)
    }
  }
}

async function insertCorrection(ctx: ProgramCtx, tx: SqlTransaction, commission: Commission, now: Date): Promise<void> {
  const { id, amountCents: deltaCents, reason } = commission
  const fact = { commission, kind: 'earned', deltaCents, reason: reason as string } as const
  await writeTogether(tx, [
    inserted('commissions', [commission]),
    inserted('money_events', moneyEvents(ctx, [fact], now)),
    insertedEvents(ctx, eventsOf(id, ['commission.created']), now),
  ])
}
