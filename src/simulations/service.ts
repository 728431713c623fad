import { readRange } from '../analytics/service.ts'
import { decideReward } from '../campaigns/reward.ts'
import type { ProgramCtx } from '../context.ts'
import { invalid } from '../errors.ts'
import { type Campaign, Prisma } from '../generated/prisma/client.ts'
import type { AttributionSignal } from '../generated/prisma/enums.ts'
import { isId } from '../ids.ts'
import { parseInput } from '../input/parse.ts'
import { type CampaignRules, campaignRulesInput, simulationInput } from './input.ts'
import { noProgress, type Progress, replaySale, type SimulatedRule } from './replay.ts'

/** What commissions come to in one currency. */
export type Cost = { amountCents: bigint; commissions: number }

export type SimulatedCurrency = {
  currency: string
  /** Sales in this currency. */
  sales: number
  actual: Cost
  simulated: Cost
  /** By id of the affiliate. */
  affiliates: Map<string, { actualCents: bigint; simulatedCents: bigint }>
}

export type Simulation = { from: Date; to: Date; sales: number; currencies: SimulatedCurrency[] }

const batchSize = 5_000

/**
 * What another rule would have cost over past sales. Every sale until the end of the range is replayed, as limits count
 * those before it too; those in the range are added up. Nothing is written, and at most one batch of sales is in memory.
 *
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
  for await (const sale of readSales(ctx, campaignId, new Date(to))) {
    if (sale.referralId !== referralId) progress = noProgress
    referralId = sale.referralId
    const rule = rules.get(sale.campaignId)
    if (!rule) continue
    const replayed = replaySale(rule, sale, progress)
    progress = replayed.progress
    if (sale.occurredAt.getTime() < from) continue
    sales += 1
    totalOf(totals, sale.currency).sales += 1
    if (sale.actualCurrency !== null) {
      const total = totalOf(totals, sale.actualCurrency)
      total.actual.amountCents += sale.actualCents
      total.actual.commissions += sale.actualCommissions
      affiliateOf(total, sale.affiliateId).actualCents += sale.actualCents
    }
    if (replayed.earned) {
      const total = totalOf(totals, replayed.earned.currency)
      total.simulated.amountCents += replayed.earned.amountCents
      total.simulated.commissions += 1
      affiliateOf(total, sale.affiliateId).simulatedCents += replayed.earned.amountCents
    }
  }
  const currencies = [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1))
  return { from: new Date(from), to: new Date(to), sales, currencies }
}

function totalOf(totals: Map<string, SimulatedCurrency>, currency: string): SimulatedCurrency {
  const known = totals.get(currency)
  if (known) return known
  const nothing = () => ({ amountCents: 0n, commissions: 0 })
  const made = { currency, sales: 0, actual: nothing(), simulated: nothing(), affiliates: new Map() }
  totals.set(currency, made)
  return made
}

function affiliateOf({ affiliates }: SimulatedCurrency, id: string) {
  const known = affiliates.get(id)
  if (known) return known
  const made = { actualCents: 0n, simulatedCents: 0n }
  affiliates.set(id, made)
  return made
}

/** The rule of each campaign, with what is given in place of its own. */
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

type Row = {
  referralId: string
  id: string
  affiliateId: string
  campaignId: string
  currency: string
  amountCents: bigint
  refundedCents: bigint
  occurredAt: Date
  attributedBy: AttributionSignal
  referredAt: Date
  isDenied: boolean
  actualCurrency: string | null
  actualCents: bigint
  actualCommissions: number
}

/** The program's sales, referral by referral, each referral's in the order in which they were recorded. */
async function* readSales({ db, program }: ProgramCtx, campaignId: string | undefined, to: Date): AsyncGenerator<Row> {
  const ofCampaign = campaignId === undefined ? Prisma.empty : Prisma.sql`and s.campaign_id = ${campaignId}::uuid`
  let [referralId, id] = Array<string>(2).fill('00000000-0000-0000-0000-000000000000') as [string, string]
  for (;;) {
    const rows = await db.$queryRaw<Row[]>`
      select s.referral_id::text as "referralId", s.id::text, s.affiliate_id::text as "affiliateId",
        s.campaign_id::text as "campaignId", s.currency, s.amount_cents as "amountCents",
        s.refunded_cents as "refundedCents", s.occurred_at as "occurredAt", s.attributed_by::text as "attributedBy",
        r.created_at as "referredAt", c.currency as "actualCurrency", coalesce(c.amount, 0)::bigint as "actualCents",
        coalesce(c.commissions, 0)::int as "actualCommissions",
        coalesce(s.no_commission_reason = 'self_referral', false)
          or coalesce(c.is_void and s.refunded_cents < s.amount_cents, false) as "isDenied"
      from (
        select * from sales s where s.program_id = ${program.id}::uuid and (s.referral_id, s.id) > (${referralId}::uuid, ${id}::uuid)
          and s.occurred_at < ${to}::timestamptz ${ofCampaign}
        order by s.referral_id, s.id limit ${batchSize}
      ) s
        join referrals r on r.program_id = s.program_id and r.id = s.referral_id
        left join lateral (
          select currency, sum(amount_cents) filter (where voided_at is null) as amount,
            count(*) filter (where voided_at is null and refund_id is null) as commissions,
            bool_or(refund_id is null and voided_at is not null) as is_void
          from commissions c where c.program_id = s.program_id and c.sale_id = s.id group by currency
        ) c on true
      order by s.referral_id, s.id`
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    referralId = last.referralId
    id = last.id
  }
}
