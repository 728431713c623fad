import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { giveWay } from '../../kernel/slices.ts'
import { type AppliedRule, chosenFor, countsSales, currencyOf, rulesChosen, termsOf } from '../rules/apply.ts'
import { leadRewardOf } from '../rules/lead.ts'
import type { SaleToReward, StoredRule } from '../rules/rule.ts'
import { divided, type RuleVersion } from '../rules/versions.ts'
import { type Change, changeOf, getOrInsert } from '../simulations/changes.ts'
import { type RecordedSale, readPastSales } from '../simulations/past-sales.ts'
import { noProgress, type Progress, type Replayed, replaySale } from '../simulations/replay.ts'
import { type Account, count, countedBefore, newAccount } from './counted.ts'
import { readPastLeads } from './past-leads.ts'
import type { ReplayProgress } from './progress.ts'
import type { Proposal } from './proposal.ts'

/** What sales earn, in minor units of the currency, and how many of them do. */
export type Earnings = { amountCents: bigint; commissions: number }

export type PlannedCurrency = {
  currency: string
  before: Earnings
  after: Earnings
  /** By the id of the affiliate. */
  affiliates: Map<string, Change>
}

/** A sale that earns something else. */
export type ChangedSale = {
  id: string
  affiliateId: string
  before: Replayed['earned']
  after: Replayed['earned']
  rules: { before: AppliedRule; after: AppliedRule }
}

export type PlannedCost = {
  sales: number
  changedSales: number
  currencies: PlannedCurrency[]
  /** Those that change most, the largest change first. */
  largest: ChangedSale[]
}

const listedSales = 10
/** How many sales are replayed before other requests are handled. With 500 rules they take about 30 ms. */
const turn = 200

/**
 * Replays all sales by the present rules and by the planned ones, as if each had held from the start of the range on.
 * Those of the range are counted. At most one batch of sales is in memory. If a rule counts what affiliates have
 * earned, or asks when the customer bought first, the sales are replayed in the order in which they occurred, and the
 * progress of each customer and referral is in memory.
 * @param progress counts the replayed sales
 */
export async function costOf(
  ctx: ProgramCtx,
  from: Date,
  proposals: readonly Proposal[],
  progress: ReplayProgress,
): Promise<PlannedCost> {
  const campaigns = new Map(proposals.map((proposal) => [proposal.campaign.id, replayOf(proposal, from)]))
  const cost = { sales: 0, changedSales: 0, largest: [] as ChangedSale[] }
  const totals = new Map<string, PlannedCurrency>()
  const order = [...campaigns.values()].some(({ before, after }) => counts(before) || counts(after))
    ? 'time'
    : 'referral'
  const accounts = { before: newAccount(), after: newAccount() }
  const { timeZone } = ctx.program
  let referralId = ''
  /** When each customer bought first, through any affiliate. */
  const since = new Map<string, Date>()
  const customers = new Map<string, ReturnType<typeof newCustomer>>()
  for await (const batch of readPastSales(ctx, undefined, new Date(ctx.now().getTime() + 1), order))
    for (const sale of batch) {
      progress.replayed += 1
      if (progress.replayed % turn === 0) await giveWay(ctx)
      if (order === 'referral' && sale.referralId !== referralId) customers.clear()
      referralId = sale.referralId
      const customerSince = since.get(sale.customerKey) ?? convertedBefore(sale)
      if (order === 'time' && !customerSince) since.set(sale.customerKey, sale.occurredAt)
      const rules = campaigns.get(sale.campaignId)
      if (!rules) continue
      const customer = customers.get(referralId) ?? newCustomer()
      const facts = { ...sale, customerSince, timeZone }
      const before = replay(rules.campaign, rules.before, facts, customer.before, accounts.before)
      const after = replay(rules.campaign, rules.after, facts, customer.after, accounts.after)
      customers.set(referralId, { before: before.progress, after: after.progress })
      if (sale.occurredAt < from) continue
      cost.sales += 1
      add(totals, 'before', sale.affiliateId, before)
      add(totals, 'after', sale.affiliateId, after)
      if (isSame(before.earned, after.earned)) continue
      cost.changedSales += 1
      const changed = { id: sale.id, affiliateId: sale.affiliateId, before: before.earned, after: after.earned }
      keepLargest(cost.largest, { ...changed, rules: { before: before.applied, after: after.applied } })
    }
  await addLeads(ctx, from, campaigns, totals)
  return { ...cost, currencies: [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1)) }
}

/** An import can say that a customer had bought before any known sale. */
const convertedBefore = ({ convertedAt, occurredAt }: RecordedSale): Date | null =>
  convertedAt && convertedAt < occurredAt ? convertedAt : null

/** Adds what the leads of the range earn. */
async function addLeads(
  ctx: ProgramCtx,
  from: Date,
  campaigns: ReadonlyMap<string, Replay>,
  totals: Map<string, PlannedCurrency>,
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
        const earned = leadRewardOf(campaign, versions[side], lead)
        add(totals, side, lead.affiliateId, { earned, corrections: [] })
      }
    }
    await giveWay(ctx)
  }
}

const newCustomer = () => ({ before: noProgress, after: noProgress })

/** The rules of a campaign, by which each of its sales is replayed twice. */
type Replay = { campaign: Campaign; before: RuleVersion; after: RuleVersion }

/** Whether the order of sales matters for a rule: it counts what was sold before, or asks when the customer came. */
const counts = ({ rules }: RuleVersion): boolean =>
  rules.some((rule) => countsSales(rule) || rule.appliesTo === 'new_customers' || rule.conditions.payment !== undefined)

function replay(
  campaign: Campaign,
  version: RuleVersion,
  facts: RecordedSale & SaleToReward & { timeZone: string },
  progress: Progress,
  account: Account,
) {
  const chosen = chosenFor(campaign, version, facts)
  const rules = rulesChosen(chosen)
  const currency = chosen.rule ? currencyOf(chosen.rule, facts) : facts.currency
  const remainingCents = facts.amountCents - facts.refundedCents
  const sale = { ...facts, currency, saleCurrency: facts.currency, remainingCents }
  const counted = countedBefore(account, rules, sale)
  const { applied, ...terms } = termsOf(campaign, chosen, { ...facts, amountCents: remainingCents }, counted)
  const replayed = replaySale({ ...terms, daysBeforeReferralsExpire: null }, facts, progress)
  const corrections = count(account, version.rules, rules, sale, replayed.earned)
  return { applied, corrections, ...replayed }
}

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

const isSame = (a: Replayed['earned'], b: Replayed['earned']) =>
  a?.amountCents === b?.amountCents && a?.currency === b?.currency

type Money = { amountCents: bigint; currency: string }

function add(
  totals: Map<string, PlannedCurrency>,
  side: 'before' | 'after',
  affiliateId: string,
  { earned, corrections }: { earned: Money | null; corrections: readonly Money[] },
): void {
  const none = () => ({ amountCents: 0n, commissions: 0 })
  for (const { currency, amountCents } of [...(earned ? [earned] : []), ...corrections]) {
    const total = getOrInsert(totals, currency, () => {
      return { currency, before: none(), after: none(), affiliates: new Map() }
    })
    total[side].amountCents += amountCents
    total[side].commissions += 1
    changeOf(total.affiliates, affiliateId)[`${side}Cents`] += amountCents
  }
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
