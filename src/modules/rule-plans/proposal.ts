import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { placedAt } from '../../kernel/input/entries.ts'
import { problem, readFields } from '../../kernel/input/parse.ts'
import { createCommissionRuleInput, maxRules } from '../rules/input.ts'
import { readCap, readConditions, readReward, termProblems } from '../rules/read-input.ts'
import { isFollowed, isOpen, type StoredRule } from '../rules/rule.ts'
import { limitsOf, newestRules } from '../rules/service.ts'
import { SoldProducts } from './sold-products.ts'

/** A rule as a plan has it: what the service adds is missing. */
export type PlannedRule = Omit<StoredRule, 'id' | 'createdAt' | 'startsAt'> & {
  /** Null: as it is, or from when the plan is applied. */
  startsAt: string | null
}

export type RuleChange =
  | { kind: 'created'; name: string; before: null; after: PlannedRule }
  | { kind: 'changed'; name: string; before: StoredRule; after: PlannedRule }
  | { kind: 'ended'; name: string; before: StoredRule; after: null }

/** The rules of a campaign as they are, and as they would be. */
export type Proposal = {
  campaign: Campaign
  /** The version that the plan was made for. */
  version: number
  /** Those that have not ended. */
  current: StoredRule[]
  planned: PlannedRule[]
  changes: RuleChange[]
}

/**
 * Reads the rules of all campaigns, and what they would change. @param keepOthers whether missing rules stay
 * @throws INVALID_INPUT with every problem
 */
export async function readProposals(
  ctx: ProgramCtx,
  { rules: given, keepOthers = false }: { rules: readonly unknown[]; keepOthers?: boolean | undefined },
): Promise<Proposal[]> {
  const now = ctx.now().toISOString()
  const campaigns = await ctx.db.campaign.findMany({ where: { programId: ctx.program.id }, orderBy: { id: 'asc' } })
  const known = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const newest = await newestRules(ctx, [...known.keys()])
  const planned = new Map<string, PlannedRule[]>()
  const problems: Problem[] = []
  // A rule that is added to the others can be for a product that is not sold yet. A file is checked for slips.
  const sold = keepOthers ? null : new SoldProducts(ctx)
  for (const [index, raw] of given.entries()) {
    const read = await readPlanned(ctx, raw, known, now)
    read.problems.push(...((await sold?.problemsOf(read.rule?.conditions)) ?? []))
    const start = read.rule?.startsAt ?? null
    const present = newest
      .get(read.campaignId)
      ?.some(({ name, startsAt }) => name === read.rule?.name && startsAt === start)
    if (start !== null && start < now && !present)
      read.problems.push(problem('startsAt', 'must not be before now: sales from before keep their rules'))
    const ofCampaign = planned.get(read.campaignId) ?? []
    if (read.rule && ofCampaign.some(({ name }) => name === read.rule?.name))
      read.problems.push(problem('name', 'is that of another rule of the campaign'))
    if (read.rule) planned.set(read.campaignId, [...ofCampaign, read.rule])
    problems.push(...read.problems.map((one) => placedAt(['rules', index], one)))
  }
  const proposals = campaigns.map((campaign) => {
    const rules = newest.get(campaign.id) ?? []
    const current = currentRules(rules, now)
    const twice = current.find((rule, at) => current.findIndex(({ name }) => name === rule.name) < at)
    if (twice)
      problems.push({
        field: 'rules',
        message: `Two rules of the campaign ${campaign.name} are called "${twice.name}". Give one another name by \`updateCommissionRule\`.`,
      })
    const named = planned.get(campaign.id) ?? []
    const others = keepOthers ? current.filter(({ name }) => !named.some((rule) => rule.name === name)) : []
    const ofCampaign = [...named, ...others.map(({ id: _, createdAt, ...rule }): PlannedRule => rule)]
    if (ofCampaign.length > maxRules)
      problems.push({ field: 'rules', message: `A campaign can have at most ${maxRules} rules.` })
    const changes = changesOf(current, ofCampaign)
    return { campaign, version: campaign.rulesVersion, current, planned: ofCampaign, changes }
  })
  if (problems.length > 0) throw invalid(problems)
  return proposals
}

/** Identifies the rules that a plan was made of, and the versions that it was made for. */
export const planIdOf = (proposals: readonly Proposal[]): string =>
  createHash('sha256')
    .update(JSON.stringify(proposals.map(({ campaign, version, planned }) => [campaign.id, version, planned])))
    .digest('base64url')

/** Those that have not ended, and that no other one replaces at a moment to come. */
function currentRules(rules: readonly StoredRule[], now: string): StoredRule[] {
  const open = rules.filter((rule) => isOpen(rule, now))
  return open.filter((rule) => !isFollowed(rule, open))
}

function changesOf(current: readonly StoredRule[], planned: readonly PlannedRule[]): RuleChange[] {
  const names = new Set(planned.map(({ name }) => name))
  return [
    ...planned.flatMap((after): RuleChange[] => {
      const { name } = after
      const before = current.find((rule) => rule.name === name)
      if (!before) return [{ kind: 'created', name, before: null, after }]
      return isSame(before, after) ? [] : [{ kind: 'changed', name, before, after }]
    }),
    ...current
      .filter(({ name }) => !names.has(name))
      .map((before): RuleChange => ({ kind: 'ended', name: before.name, before, after: null })),
  ]
}

const isSame = ({ id: _, createdAt, startsAt, ...before }: StoredRule, { startsAt: planned, ...after }: PlannedRule) =>
  (planned === null || planned === startsAt) && isDeepStrictEqual(before, after)

type Read = { campaignId: string; rule: PlannedRule | null; problems: Problem[] }

async function readPlanned(
  ctx: ProgramCtx,
  raw: unknown,
  campaigns: ReadonlyMap<string, Campaign>,
  now: string,
): Promise<Read> {
  const { readable, problems } = readFields(createCommissionRuleInput, raw)
  const { campaignId = '', name = '', appliesTo = 'all_sales' } = readable
  const campaign = campaigns.get(campaignId)
  if (readable.campaignId !== undefined && !campaign)
    problems.push({ field: 'campaignId', message: 'Campaign not found.' })
  const conditions = await readConditions(ctx, readable.conditions)
  const reward = readReward(readable, campaign ?? { commissionCurrency: ctx.program.currency })
  const cap = readCap(readable.cap)
  problems.push(...conditions.problems, ...(readable.reward === undefined ? [] : reward.problems), ...cap.problems)
  const startsAt = readable.startsAt?.toISOString() ?? null
  const endsAt = readable.endsAt?.toISOString() ?? null
  if (endsAt !== null && endsAt <= (startsAt ?? now)) problems.push(problem('endsAt', 'must be after the start'))
  const limits = limitsOf(readable)
  const terms = { conditions: conditions.value, reward: reward.value, limits, ...cap.value }
  problems.push(...termProblems(terms))
  const rule = { name, ...terms, appliesTo, startsAt, endsAt }
  return { campaignId, rule: problems.length > 0 ? null : rule, problems }
}
