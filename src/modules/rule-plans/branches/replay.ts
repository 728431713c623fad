import type { Campaign } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { giveWay } from '../../../kernel/slices.ts'
import type { StoredRule } from '../../rules/rule.ts'
import { divided, type RuleVersion } from '../../rules/versions.ts'
import { evaluateNext, newEvaluation, type Paid } from '../../sales/timeline/evaluate.ts'
import { monthAt } from '../../statements/months.ts'
import { type PastSale, readPastSales } from '../past-sales.ts'
import type { ReplayProgress } from '../progress.ts'
import { type Owner, readCouponOwners } from './coupon-owners.ts'
import { holds, type Overlay, overlaid } from './overlay.ts'

export type Difference = {
  affiliateId: string
  month: string
  currency: string
  beforeCents: bigint
  afterCents: bigint
}

export type Replayed = { sales: number; changedSales: number; differences: Difference[] }

/** How many sales are replayed before other requests are handled. */
const turn = 200

/**
 * What the sales of a range earn by the rules that they had, with the branches that were accepted before, and what they
 * earn if one more branch is added. Refunds are deducted at the time of the sale; leads are not calculated. At most one
 * batch of sales is in memory, with the sums of affiliates and months.
 */
export async function replayBranch(
  ctx: ProgramCtx,
  accepted: readonly Overlay[],
  added: Overlay,
  progress: ReplayProgress,
): Promise<Replayed> {
  const { program } = ctx
  const campaigns = await readCampaigns(ctx)
  const before = sideOf(ctx, campaigns, accepted)
  const after = sideOf(ctx, campaigns, [...accepted, added])
  const sums = new Map<string, Difference>()
  const found = { sales: 0, changedSales: 0 }
  const add = (side: 'beforeCents' | 'afterCents', month: string, { affiliateId, paid }: Replay) => {
    for (const { amountCents, currency } of [...(paid.paid ? [paid.paid] : []), ...paid.corrections]) {
      const key = `${affiliateId} ${month} ${currency}`
      const sum = sums.get(key) ?? { affiliateId, month, currency, beforeCents: 0n, afterCents: 0n }
      sum[side] += amountCents
      sums.set(key, sum)
    }
  }
  for await (const batch of readPastSales(ctx, undefined, added.until)) {
    const owners = [...accepted, added].some(({ attribution }) => attribution !== null)
      ? await readCouponOwners(ctx, batch)
      : new Map<string, Owner>()
    for (const sale of batch) {
      progress.replayed += 1
      if (progress.replayed % turn === 0) await giveWay(ctx)
      const [was, is] = [before(sale, owners.get(sale.id)), after(sale, owners.get(sale.id))]
      if (!was || !is || !holds(added, sale.occurredAt)) continue
      const month = monthAt(sale.occurredAt, program.timeZone)
      found.sales += 1
      if (!isSame(was, is)) found.changedSales += 1
      add('beforeCents', month, was)
      add('afterCents', month, is)
    }
  }
  const differences = [...sums.values()].filter(({ beforeCents, afterCents }) => beforeCents !== afterCents)
  return { ...found, differences }
}

type Replay = { affiliateId: string; paid: Paid }
type Versions = { campaign: Campaign; versions: RuleVersion[] }

const isSame = (a: Replay, b: Replay) =>
  a.affiliateId === b.affiliateId &&
  a.paid.paid?.amountCents === b.paid.paid?.amountCents &&
  a.paid.paid?.currency === b.paid.paid?.currency

/** Evaluates sales in their order, by the rules of a past. */
function sideOf({ program }: ProgramCtx, campaigns: ReadonlyMap<string, Versions>, overlays: readonly Overlay[]) {
  const known = new Map<string, RuleVersion | null>()
  const versionOf = ({ campaign: { id }, versions }: Versions, at: Date) => {
    const version = versions.findLast(({ holdsFrom }) => holdsFrom <= at) ?? null
    const own = overlays.filter((overlay) => holds(overlay, at))
    const key = `${id} ${version?.number} ${own.map((overlay) => overlay.id).join(' ')}`
    if (!known.has(key)) known.set(key, overlaid(version, id, own))
    return known.get(key) ?? null
  }
  const evaluation = newEvaluation(program.timeZone, rulesOf(campaigns, overlays))
  return (sale: PastSale, owner: Owner | undefined): Replay | null => {
    const isMoved = owner && overlays.some((one) => one.attribution !== null && holds(one, sale.occurredAt))
    const fact = isMoved ? { ...sale, ...owner } : sale
    const of = campaigns.get(fact.campaignId)
    if (!of) return null
    const { campaign } = of
    const paid = evaluateNext(evaluation, { ...fact, campaign, version: versionOf(of, fact.occurredAt) })
    return { affiliateId: fact.affiliateId, paid }
  }
}

/** All that sales can have: an evaluation counts what their caps and tiers need. */
function rulesOf(campaigns: ReadonlyMap<string, Versions>, overlays: readonly Overlay[]): StoredRule[] {
  const all = [...campaigns.values()].flatMap(({ campaign, versions }) =>
    [null, ...versions].flatMap((version) => overlaid(version, campaign.id, overlays)?.rules ?? []),
  )
  return [...all, ...[...campaigns.values()].flatMap(({ versions }) => versions.flatMap(({ rules }) => rules))]
}

async function readCampaigns({ db, program }: ProgramCtx): Promise<Map<string, Versions>> {
  const where = { programId: program.id }
  const campaigns = await db.campaign.findMany({ where })
  const versions = await db.commissionRuleVersion.findMany({ where, orderBy: { number: 'asc' } })
  return new Map(
    campaigns.map((campaign) => {
      const own = versions.filter(({ campaignId }) => campaignId === campaign.id)
      const read = own.map(({ number, holdsFrom, rules }) => {
        return { number, holdsFrom, ...divided(rules as unknown as StoredRule[]) }
      })
      return [campaign.id, { campaign, versions: read }]
    }),
  )
}
