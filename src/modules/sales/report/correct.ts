import type { Commission, Sale } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { SqlTransaction } from '../../../kernel/db.ts'
import { periodOf } from '../../../kernel/periods.ts'
import { correctTiers, wholePeriodRules } from '../../commissions/tier-corrections.ts'
import { readStanding } from '../../rules/read-standing.ts'
import type { Tiers } from '../../rules/rewards/tiers.ts'
import { stepAt, wholePeriodTiers } from '../../rules/tiers.ts'
import type { Decision } from '../decision.ts'
import type { SaleCampaign } from '../signals/sale-facts.ts'

/**
 * Makes the corrections that follow from a sale that was written now: for tiers of the whole period whose threshold it
 * has passed. The affiliate is locked.
 */
export async function correctAfterSale(
  ctx: ProgramCtx,
  tx: SqlTransaction,
  { sale, commission }: { sale: Sale; commission: Commission | null },
  campaign: SaleCampaign,
  now: Date,
): Promise<void> {
  const { affiliateId, campaignId, occurredAt } = sale
  const of = { affiliateId, campaignId, occurredAt }
  const currencies = { sale: sale.currency, commission: commission?.currency ?? sale.currency }
  const rules = await wholePeriodRules(tx, campaign, occurredAt, now)
  const recorded = stepsOf(sale)
  const passed: typeof rules = []
  for (const rule of rules) {
    const tiers = wholePeriodTiers(rule) as Tiers
    const span = periodOf(occurredAt, tiers.period, ctx.program.timeZone)
    const after = await readStanding(tx, { programId: ctx.program.id, ...of }, currencies, span)
    const before = {
      conversions: after.conversions - 1n,
      revenueCents: after.revenueCents - sale.amountCents,
      commissionsCents: after.commissionsCents - (commission?.amountCents ?? 0n),
    }
    const step = stepAt(tiers, after)
    if (stepAt(tiers, before) !== step || (recorded.get(rule.id) ?? step) !== step) passed.push(rule)
  }
  await correctTiers(ctx, tx, passed, of, now)
}

/** The steps by which a sale earns, by the id of the rule. They are expected before it is known what it earns. */
function stepsOf({ decision }: Sale): Map<string, number> {
  const { applied, tier, products = [] } = (decision as Decision).rule
  const all = [{ id: applied?.id, tier }, ...products]
  return new Map(all.flatMap(({ id, tier: own }): [string, number][] => (id && own ? [[id, own.step]] : [])))
}
