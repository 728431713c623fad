import { withTransaction } from '../../database/client/transaction.ts'
import { type Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { invalid, notFound, refused } from '../../kernel/errors.ts'
import { isId, mintId } from '../../kernel/ids.ts'
import { parseInput, problem, readFields } from '../../kernel/input/parse.ts'
import { findCampaign } from '../campaigns/service.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordChange } from '../history/record.ts'
import { inOrder } from './choose.ts'
import { createCommissionRuleInput, endCommissionRuleInput, maxRules, updateCommissionRuleInput } from './input.ts'
import { readCap, readConditions, readReward, termProblems } from './read-input.ts'
import { isOpen, type StoredLimits, type StoredRule } from './rule.ts'
import { addVersion, lockRules } from './versions.ts'

/** A rule of the newest version, with its campaign. */
export type CommissionRule = StoredRule & { campaignId: string }

type Limits = {
  maxCommissions?: number | null | undefined
  maxCommissionPeriodInMonths?: number | null | undefined
  daysBeforeCommissionsAreDue?: number | null | undefined
}

/** Null takes a limit away, undefined leaves it. */
export function limitsOf(given: Limits, current: StoredLimits = {}): StoredLimits {
  const { maxCommissions, maxCommissionPeriodInMonths: maxPeriodInMonths, daysBeforeCommissionsAreDue } = given
  const merged = {
    maxCommissions: maxCommissions === undefined ? current.maxCommissions : maxCommissions,
    maxPeriodInMonths: maxPeriodInMonths === undefined ? current.maxPeriodInMonths : maxPeriodInMonths,
    daysBeforeDue: daysBeforeCommissionsAreDue === undefined ? current.daysBeforeDue : daysBeforeCommissionsAreDue,
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined))
}

/**
 * Adds a rule to a campaign. It applies to sales that occur from now on. @throws INVALID_INPUT with every problem;
 * NOT_FOUND
 */
export async function createCommissionRule(ctx: ProgramCtx, raw: unknown): Promise<CommissionRule> {
  const { readable, problems } = readFields(createCommissionRuleInput, raw)
  const campaign = readable.campaignId === undefined ? null : await findCampaign(ctx, readable.campaignId)
  const conditions = await readConditions(ctx, readable.conditions)
  const reward = readReward(readable, campaign ?? { commissionCurrency: ctx.program.currency })
  const cap = readCap(readable.cap)
  const now = ctx.now()
  const { startsAt = now, endsAt = null } = readable
  problems.push(...conditions.problems, ...(readable.reward === undefined ? [] : reward.problems), ...cap.problems)
  problems.push(
    ...termProblems({ conditions: conditions.value, reward: reward.value, limits: limitsOf(readable), ...cap.value }),
  )
  if (startsAt < now) problems.push(problem('startsAt', 'must not be before now: sales from before keep their rules'))
  if (endsAt && endsAt <= startsAt) problems.push(problem('endsAt', 'must be after the start'))
  if (problems.length > 0 || !campaign) throw invalid(problems)
  const rule: StoredRule = {
    id: mintId(now),
    name: readable.name as string,
    conditions: conditions.value,
    reward: reward.value,
    limits: limitsOf(readable),
    ...cap.value,
    appliesTo: readable.appliesTo as StoredRule['appliesTo'],
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    createdAt: now.toISOString(),
  }
  await changeRules(ctx, campaign, (rules) => {
    if (rules.length >= maxRules)
      throw refused(`A campaign can have at most ${maxRules} rules. End those that are over.`)
    return { rules: [...rules, rule], before: null, after: rule }
  })
  return { ...rule, campaignId: campaign.id }
}

/**
 * Changes the given fields of a rule, for sales that occur from now on. @throws INVALID_INPUT; NOT_FOUND; REFUSED if it
 * has ended
 */
export async function updateCommissionRule(ctx: ProgramCtx, id: string, raw: unknown): Promise<CommissionRule> {
  const { campaignId } = await findCommissionRule(ctx, id)
  const campaign = await findCampaign(ctx, campaignId)
  const { readable, problems } = readFields(updateCommissionRuleInput, raw)
  const conditions = readable.conditions === undefined ? null : await readConditions(ctx, readable.conditions)
  const reward = readable.reward === undefined ? null : readReward(readable, campaign)
  const cap = readCap(readable.cap)
  problems.push(...(conditions?.problems ?? []), ...(reward?.problems ?? []), ...cap.problems)
  const now = ctx.now().toISOString()
  const { name, appliesTo, endsAt } = readable
  if (endsAt && endsAt.toISOString() < now) problems.push(problem('endsAt', 'must not be before now'))
  if (problems.length > 0) throw invalid(problems)
  return changeRule(ctx, campaign, id, ({ cap: before, ...rule }) => {
    const changed: StoredRule = {
      ...rule,
      ...(readable.cap === undefined ? before && { cap: before } : cap.value),
      ...(name !== undefined && { name }),
      ...(appliesTo !== undefined && { appliesTo }),
      ...(conditions && { conditions: conditions.value }),
      ...(reward && { reward: reward.value }),
      ...(endsAt !== undefined && { endsAt: endsAt?.toISOString() ?? null }),
      limits: limitsOf(readable, rule.limits),
    }
    const conflicts = termProblems(changed)
    if (conflicts.length > 0) throw invalid(conflicts)
    return changed
  })
}

/**
 * Ends a rule, now or later. Sales that occurred before keep it. @throws INVALID_INPUT; NOT_FOUND; REFUSED if it has
 * ended
 */
export async function endCommissionRule(ctx: ProgramCtx, id: string, raw: unknown): Promise<CommissionRule> {
  const { campaignId } = await findCommissionRule(ctx, id)
  const now = ctx.now()
  const { at = now } = await parseInput(endCommissionRuleInput, raw, ({ at }) =>
    at && at < now ? [problem('at', 'must not be before now: sales from before keep their rules')] : [],
  )
  return changeRule(ctx, await findCampaign(ctx, campaignId), id, (rule) => ({ ...rule, endsAt: at.toISOString() }))
}

async function changeRule(
  ctx: ProgramCtx,
  campaign: Campaign,
  id: string,
  change: (rule: StoredRule) => StoredRule,
): Promise<CommissionRule> {
  let changed: StoredRule | undefined
  await changeRules(ctx, campaign, (rules) => {
    const before = rules.find((rule) => rule.id === id)
    if (!before) throw notFound('Commission rule', id)
    if (before.endsAt !== null && before.endsAt <= ctx.now().toISOString())
      throw refused('The rule has ended. Create another one.')
    const after = change(before)
    changed = after
    return { rules: rules.map((rule) => (rule === before ? after : rule)), before, after }
  })
  return { ...(changed as StoredRule), campaignId: campaign.id }
}

type RulesChange = { rules: StoredRule[]; before: StoredRule | null; after: StoredRule }

/** Makes the next version of the rules, in one transaction. A change without a difference makes none. */
async function changeRules(
  ctx: ProgramCtx,
  { programId, id: campaignId }: Campaign,
  change: (rules: StoredRule[]) => RulesChange,
): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    const current = await lockRules(tx, programId, campaignId)
    const { rules, before, after } = change(current.rules)
    if (JSON.stringify(before) === JSON.stringify(after)) return
    const now = ctx.now()
    await addVersion(tx, ctx, campaignId, current.number + 1, rules, now)
    const action = before ? 'updated' : 'created'
    const what = { subject: 'commission_rule', subjectId: after.id, action } as const
    await recordChange(tx, ctx, what, before && recorded(campaignId, before), recorded(campaignId, after), now)
    await recordEvents(tx, ctx, eventsOf(campaignId, ['tributary.campaign.updated']), now)
  })
}

/** As history keeps a rule. */
const recorded = (campaignId: string, { startsAt, endsAt, conditions, reward, limits, cap, ...rest }: StoredRule) => ({
  ...rest,
  campaignId,
  conditions: JSON.stringify(conditions),
  reward: JSON.stringify(reward),
  limits: JSON.stringify(limits),
  cap: cap ? JSON.stringify(cap) : null,
  startsAt: new Date(startsAt),
  endsAt: endsAt === null ? null : new Date(endsAt),
})

/** Rules of a campaign, in the order in which they are tried. */
const rulesOf = (campaignId: string, rules: readonly StoredRule[]): CommissionRule[] =>
  inOrder(rules).map((rule) => ({ ...rule, campaignId }))

/** The rules of the newest version of each campaign that has any, by the id of the campaign. */
export async function newestRules(ctx: ProgramCtx, ids: readonly string[]): Promise<Map<string, StoredRule[]>> {
  const newest = await ctx.db.$queryRaw<{ campaignId: string; rules: Prisma.JsonValue }[]>`
    select v.campaign_id as "campaignId", v.rules ${newestVersions(ctx.program.id)}
      and c.id = any(${[...ids]}::uuid[])`
  return new Map(newest.map(({ campaignId, rules }) => [campaignId, rules as StoredRule[]]))
}

/** The rules of campaigns that have not ended, in the order in which they are tried. @param ids of campaigns */
export async function readRules(ctx: ProgramCtx, ids: readonly string[]): Promise<CommissionRule[][]> {
  const byCampaign = await newestRules(ctx, ids)
  const now = ctx.now().toISOString()
  return ids.map((campaignId) => {
    const rules = (byCampaign.get(campaignId) ?? []).filter((rule) => isOpen(rule, now))
    return rulesOf(campaignId, rules)
  })
}

/** A version, and the rules of it. */
export type RulesOfVersion = { number: number; holdsFrom: Date; rules: CommissionRule[] }

const listedVersions = 100

/** The newest versions of the rules of campaigns, newest first. @param ids of campaigns */
export async function listRuleVersions(
  { db, program }: ProgramCtx,
  ids: readonly string[],
): Promise<RulesOfVersion[][]> {
  const versions = await db.$queryRaw<
    { campaignId: string; number: number; holdsFrom: Date; rules: Prisma.JsonValue }[]
  >`
    select v.campaign_id as "campaignId", v.number, v.holds_from as "holdsFrom", v.rules
    from commission_rule_versions v
      join campaigns c on c.program_id = v.program_id and c.id = v.campaign_id
    where v.program_id = ${program.id}::uuid and v.campaign_id = any(${[...ids]}::uuid[])
      and v.number > c.rules_version - ${listedVersions}
    order by v.number desc`
  return ids.map((campaignId) =>
    versions
      .filter((version) => version.campaignId === campaignId)
      .map(({ number, holdsFrom, rules }) => ({
        number,
        holdsFrom: new Date(holdsFrom),
        rules: rulesOf(campaignId, rules as StoredRule[]),
      })),
  )
}

/** The newest version `v` of the rules of each campaign `c` that has any. */
const newestVersions = (programId: string): Prisma.Sql => Prisma.sql`from campaigns c
  join commission_rule_versions v
    on v.program_id = c.program_id and v.campaign_id = c.id and v.number = c.rules_version
  where c.program_id = ${programId}::uuid`

/** Selects the rule of an id, if the newest version of a campaign has it. */
export const ruleSql = (programId: string, id: string): Prisma.Sql =>
  Prisma.sql`${newestVersions(programId)} and v.rules @> jsonb_build_array(jsonb_build_object('id', ${id}::text))`

/** A rule of the newest version of its campaign, also one that has ended. @throws NOT_FOUND */
export async function findCommissionRule(ctx: ProgramCtx, id: string): Promise<CommissionRule> {
  if (!isId(id)) throw notFound('Commission rule', id)
  const [found] = await ctx.db.$queryRaw<{ campaignId: string; rules: Prisma.JsonValue }[]>`
    select v.campaign_id as "campaignId", v.rules ${ruleSql(ctx.program.id, id)}`
  const rule = (found?.rules as StoredRule[] | undefined)?.find((one) => one.id === id)
  if (!found || !rule) throw notFound('Commission rule', id)
  return { ...rule, campaignId: found.campaignId }
}
