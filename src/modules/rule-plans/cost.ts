import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { giveWay } from '../../kernel/slices.ts'
import type { AppliedRule } from '../rules/apply.ts'
import { leadRewardOf } from '../rules/lead.ts'
import type { StoredRule } from '../rules/rule.ts'
import { divided, type RuleVersion } from '../rules/versions.ts'
import { evaluateNext, newEvaluation } from '../sales/timeline/evaluate.ts'
import { addEarnings, type ComparedEarnings, type Comparison, earningsIn, inOrder } from './comparison.ts'
import { readPastLeads } from './past-leads.ts'
import { readPastSales } from './past-sales.ts'
import type { ReplayProgress } from './progress.ts'
import type { Proposal } from './proposal.ts'

type Money = { amountCents: bigint; currency: string }

/** A sale that earns something else. */
export type ChangedSale = {
  id: string
  affiliateId: string
  before: Money | null
  after: Money | null
  rules: { before: AppliedRule; after: AppliedRule }
}

export type PlannedCost = {
  sales: number
  changedSales: number
  currencies: ComparedEarnings[]
  /** Those that change most, the largest change first. */
  largest: ChangedSale[]
}

const listedSales = 10
/** How many sales are replayed before other requests are handled. With 500 rules they take about 30 ms. */
const turn = 200

/**
 * Evaluates all sales by the present rules and by the planned ones, as if each had held from the start of the range on.
 * Those of the range are counted. At most one batch of sales is in memory, with what is counted of each customer and
 * affiliate.
 * @param progress counts the sales
 */
export async function costOf(
  ctx: ProgramCtx,
  from: Date,
  proposals: readonly Proposal[],
  progress: ReplayProgress,
): Promise<PlannedCost> {
  const campaigns = new Map(proposals.map((proposal) => [proposal.campaign.id, replayOf(proposal, from)]))
  const cost = { sales: 0, changedSales: 0, largest: [] as ChangedSale[] }
  const totals: Comparison = new Map()
  const evaluations = { before: evaluationOf(ctx, campaigns, 'before'), after: evaluationOf(ctx, campaigns, 'after') }
  for await (const batch of readPastSales(ctx, undefined, new Date(ctx.now().getTime() + 1)))
    for (const sale of batch) {
      progress.replayed += 1
      if (progress.replayed % turn === 0) await giveWay(ctx)
      const versions = campaigns.get(sale.campaignId)
      if (!versions) continue
      const { campaign } = versions
      const before = evaluateNext(evaluations.before, { ...sale, campaign, version: versions.before })
      const after = evaluateNext(evaluations.after, { ...sale, campaign, version: versions.after })
      if (sale.occurredAt < from) continue
      cost.sales += 1
      earningsIn(totals, sale.currency).sales += 1
      add(totals, 'before', sale.affiliateId, before)
      add(totals, 'after', sale.affiliateId, after)
      if (isSame(before.paid, after.paid)) continue
      cost.changedSales += 1
      const changed = { id: sale.id, affiliateId: sale.affiliateId, before: before.paid, after: after.paid }
      const rules = { before: before.terms.applied as AppliedRule, after: after.terms.applied as AppliedRule }
      keepLargest(cost.largest, { ...changed, rules })
    }
  await addLeads(ctx, from, campaigns, totals)
  return { ...cost, currencies: inOrder(totals) }
}

const evaluationOf = ({ program }: ProgramCtx, campaigns: ReadonlyMap<string, Replay>, side: 'before' | 'after') =>
  newEvaluation(
    program.timeZone,
    [...campaigns.values()].flatMap((rules) => rules[side].rules),
  )

/** Adds what the leads of the range earn. */
async function addLeads(
  ctx: ProgramCtx,
  from: Date,
  campaigns: ReadonlyMap<string, Replay>,
  totals: Comparison,
): Promise<void> {
  const rewarding = [...campaigns].filter(
    ([, { before, after }]) => before.leadRules.length + after.leadRules.length > 0,
  )
  if (rewarding.length === 0) return
  const ids = rewarding.map(([id]) => id)
  for await (const batch of readPastLeads(ctx, from, ids)) {
    for (const lead of batch) {
      const { campaign, ...versions } = campaigns.get(lead.campaignId) as Replay
      for (const side of ['before', 'after'] as const) {
        const paid = leadRewardOf(campaign, versions[side], lead)
        add(totals, side, lead.affiliateId, { paid, corrections: [] })
      }
    }
    await giveWay(ctx)
  }
}

/** The rules of a campaign, by which each of its sales is evaluated twice. */
type Replay = { campaign: Campaign; before: RuleVersion; after: RuleVersion }

function replayOf({ campaign, version: number, current, planned }: Proposal, since: Date): Replay {
  const start = since.toISOString()
  const inRange = (rules: StoredRule[]): RuleVersion => ({
    number,
    holdsFrom: since,
    ...divided(
      rules.map((rule) => ({ ...rule, startsAt: rule.startsAt < start ? rule.startsAt : start, endsAt: null })),
    ),
  })
  const after = planned.map((rule): StoredRule => {
    const { id, createdAt, startsAt } = current.find(({ name }) => name === rule.name) ?? newRule(rule.name, start)
    return { ...rule, id, createdAt, startsAt: rule.startsAt ?? startsAt }
  })
  return { campaign, before: inRange(current), after: inRange(after) }
}

/** A rule that is not stored yet is newer than all others. */
const newRule = (name: string, startsAt: string) => ({ id: name, createdAt: '~', startsAt })

const isSame = (a: Money | null, b: Money | null) => a?.amountCents === b?.amountCents && a?.currency === b?.currency

function add(
  totals: Comparison,
  side: 'before' | 'after',
  affiliateId: string,
  { paid, corrections }: { paid: Money | null; corrections: readonly Money[] },
): void {
  for (const money of [...(paid ? [paid] : []), ...corrections]) addEarnings(totals, side, affiliateId, money)
}

/** In different currencies, the larger of the two amounts stands for the change. */
function sizeOf({ before, after }: ChangedSale): bigint {
  const [a, b] = [before?.amountCents ?? 0n, after?.amountCents ?? 0n]
  if (before && after && before.currency !== after.currency) return a > b ? a : b
  return a > b ? a - b : b - a
}

function keepLargest(largest: ChangedSale[], sale: ChangedSale): void {
  const at = largest.findIndex((other) => sizeOf(other) < sizeOf(sale))
  if (at === -1 && largest.length >= listedSales) return
  largest.splice(at === -1 ? largest.length : at, 0, sale)
  largest.length = Math.min(largest.length, listedSales)
}
