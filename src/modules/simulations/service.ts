import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { readRange } from '../analytics/service.ts'
import { decideReward, reinterpretedAmount } from '../campaigns/reward.ts'
import type { Decision } from '../sales/report/decision.ts'
import { type Change, changeOf, getOrInsert } from './changes.ts'
import { type CampaignRules, campaignRulesInput, simulationInput } from './input.ts'
import { type RecordedSale, readPastSales } from './past-sales.ts'
import { noProgress, type Progress, type Replayed, replaySale, type SimulatedRule } from './replay.ts'

export type Cost = { amountCents: bigint; commissions: number }

export type SimulatedCurrency = {
  currency: string
  sales: number
  actual: Cost
  simulated: Cost
  /** By the id of the affiliate. */
  affiliates: Map<string, Change>
}

export type Simulation = { from: Date; to: Date; sales: number; currencies: SimulatedCurrency[] }

/**
 * Simulates what other rules would have cost. All sales until the end of the range are replayed, because limits also
 * count earlier sales; those in the range are added up. At most one batch is in memory.
 * @throws INVALID_INPUT
 */
export async function simulateCampaign(
  ctx: ProgramCtx,
  raw: { rules: unknown; range: unknown; timeZone?: unknown; campaignId?: unknown },
): Promise<Simulation> {
  const { campaignId } = await parseInput(simulationInput, raw)
  const given = await parseInput(campaignRulesInput, raw.rules)
  const { from, to } = await readRange(raw, ctx.now())
  const rules = await readRules(ctx, campaignId, given)
  const totals = new Map<string, SimulatedCurrency>()
  let sales = 0
  let referralId = ''
  let progress: Progress = noProgress
  for await (const batch of readPastSales(ctx, campaignId, new Date(to))) {
    for (const sale of batch) {
      if (sale.referralId !== referralId) progress = noProgress
      referralId = sale.referralId
      const rule = rules.get(sale.campaignId)
      if (!rule) continue
      const replayed = replaySale(sale.recordedRule ? byRecordedRule(sale.recordedRule, rule) : rule, sale, progress)
      progress = replayed.progress
      if (sale.occurredAt.getTime() < from) continue
      sales += 1
      addSale(totals, sale, replayed)
    }
  }
  const currencies = [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1))
  return { from: new Date(from), to: new Date(to), sales, currencies }
}

function addSale(totals: Map<string, SimulatedCurrency>, sale: RecordedSale, { earned }: Replayed): void {
  totalOf(totals, sale.currency).sales += 1
  if (sale.actualCurrency !== null) {
    const total = totalOf(totals, sale.actualCurrency)
    total.actual.amountCents += sale.actualCents
    total.actual.commissions += sale.actualCommissions
    changeOf(total.affiliates, sale.affiliateId).beforeCents += sale.actualCents
  }
  if (earned) {
    const total = totalOf(totals, earned.currency)
    total.simulated.amountCents += earned.amountCents
    total.simulated.commissions += 1
    changeOf(total.affiliates, sale.affiliateId).afterCents += earned.amountCents
  }
}

function totalOf(totals: Map<string, SimulatedCurrency>, currency: string): SimulatedCurrency {
  const zero = () => ({ amountCents: 0n, commissions: 0 })
  return getOrInsert(totals, currency, () => {
    return { currency, sales: 0, actual: zero(), simulated: zero(), affiliates: new Map() }
  })
}

/** A sale under a commission rule keeps it: only the campaign's own reward is simulated. */
const byRecordedRule = (recorded: Decision['rule'], { daysBeforeReferralsExpire }: SimulatedRule): SimulatedRule => ({
  rewardType: recorded.rewardType,
  commissionBasisPoints: recorded.basisPoints,
  commissionAmountCents: recorded.amountCents === null ? null : BigInt(recorded.amountCents),
  commissionCurrency: recorded.currency,
  maxCommissions: recorded.maxCommissions,
  maxCommissionPeriodInMonths: recorded.maxPeriodInMonths,
  daysBeforeReferralsExpire,
})

/** The simulated rule of each campaign: its own rule with the given changes. @throws INVALID_INPUT */
async function readRules(
  ctx: ProgramCtx,
  campaignId: string | undefined,
  given: CampaignRules,
): Promise<Map<string, SimulatedRule>> {
  const isReadable = campaignId === undefined || isId(campaignId)
  const where = { programId: ctx.program.id, id: campaignId }
  const campaigns = isReadable ? await ctx.db.campaign.findMany({ where }) : []
  if (campaigns.length === 0) throw invalid([{ field: 'campaignId', message: 'Campaign not found.' }])
  return new Map(campaigns.map((campaign) => [campaign.id, ruleOf(campaign, given)]))
}

function ruleOf(campaign: Campaign, given: CampaignRules): SimulatedRule {
  const reward = decideReward(given, campaign)
  if ('message' in reward) throw invalid([reward])
  const reinterpreted = reinterpretedAmount(given, reward, campaign)
  if (reinterpreted) throw invalid([reinterpreted])
  const { commissionCurrency, maxCommissions, maxCommissionPeriodInMonths, daysBeforeReferralsExpire } = given
  return {
    ...reward,
    commissionCurrency: commissionCurrency ?? campaign.commissionCurrency,
    maxCommissions: maxCommissions === undefined ? campaign.maxCommissions : maxCommissions,
    maxCommissionPeriodInMonths:
      maxCommissionPeriodInMonths === undefined ? campaign.maxCommissionPeriodInMonths : maxCommissionPeriodInMonths,
    daysBeforeReferralsExpire: daysBeforeReferralsExpire ?? null,
  }
}
