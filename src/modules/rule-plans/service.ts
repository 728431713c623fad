import { withTransaction } from '../../database/client/transaction.ts'
import type { Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addMonths } from '../../kernel/dates.ts'
import { refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findCampaign } from '../campaigns/service.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { ChangeAction } from '../history/actions.ts'
import { recordAction } from '../history/record.ts'
import { isOpen, type StoredRule } from '../rules/rule.ts'
import { addVersion, lockRules } from '../rules/versions.ts'
import { costOf, type PlannedCost } from './cost.ts'
import { applyRulesInput, planRulesInput, revertRulesInput } from './input.ts'
import { progressOf, type ReplayProgress, withProgress } from './progress.ts'
import { type PlannedRule, type Proposal, planIdOf, type RuleChange, readProposals } from './proposal.ts'

export type RulePlan = {
  id: string
  /** The start of the range, inclusive; it ends when the plan is made. */
  since: Date
  to: Date
  proposals: Proposal[]
  /** Replays the sales, once. */
  cost(): Promise<PlannedCost>
  /** Of a replay of the same plan that another request has started. */
  progress(): ReplayProgress | null
}

const monthsOfPlan = 12

/** What other rules would change, and what they would cost for past sales. Nothing is written. @throws INVALID_INPUT */
export async function planRules(ctx: ProgramCtx, raw: unknown): Promise<RulePlan> {
  const to = ctx.now()
  const input = await parseInput(planRulesInput, raw, ({ since }) =>
    since && since > to ? [problem('since', 'must not be after now')] : [],
  )
  const since = input.since ?? addMonths(to, -monthsOfPlan)
  const proposals = await readProposals(ctx, input)
  let cost: Promise<PlannedCost> | undefined
  const id = planIdOf(proposals)
  return {
    id,
    since,
    to,
    proposals,
    cost() {
      cost ??= withProgress(ctx, id, (progress) => costOf(ctx, since, proposals, progress))
      return cost
    },
    progress: () => progressOf(ctx, id),
  }
}

const outOfDate = () =>
  refused('The plan is out of date, or it is of other rules: the rules have changed since. Plan again.')

/**
 * Makes the planned rules those of the program, from a moment on. All versions are made in one transaction, which is
 * one entry of the history. @returns the campaigns whose rules have changed @throws INVALID_INPUT; REFUSED if the plan
 * is out of date
 */
export async function applyPlannedRules(ctx: ProgramCtx, raw: unknown): Promise<Campaign[]> {
  const now = ctx.now()
  const input = await parseInput(applyRulesInput, raw, ({ from }) =>
    from && from < now ? [problem('from', 'must not be before now: sales from before keep their rules')] : [],
  )
  const proposals = await readProposals(ctx, input)
  if (planIdOf(proposals) !== input.planId) throw outOfDate()
  const from = input.from ?? now
  const changed = proposals.filter(({ changes }) => changes.length > 0)
  if (from > now) for (const { changes } of changed) for (const change of changes) refuseOldDeal(change)
  await withTransaction(ctx.db, async (tx) => {
    const versions: Version[] = []
    for (const { campaign, version, changes } of changed) {
      const { number, rules } = await lockRules(tx, ctx.program.id, campaign.id)
      if (number !== version) throw outOfDate()
      const after = changes.reduce((all, change) => changedBy(all, change, from, now), rules)
      versions.push({ campaignId: campaign.id, campaign: campaign.name, number: number + 1, before: rules, after })
    }
    await addVersions(tx, ctx, versions, 'rules_applied', now)
  })
  return changed.map(({ campaign }) => campaign)
}

/** A rule for new customers that changes later would become two, and the customers of the first would lose it. */
function refuseOldDeal({ kind, name, before }: RuleChange): void {
  if (kind === 'changed' && before.appliesTo === 'new_customers')
    throw refused(
      `The rule "${name}" is for new customers, so its change cannot wait: its customers would lose it. Apply it now, or give the other rule another name.`,
    )
}

/** The rules after a change. A rule that changes later ends then, and another one of its name begins. */
function changedBy(rules: StoredRule[], { before, after }: RuleChange, from: Date, now: Date): StoredRule[] {
  const at = from.toISOString()
  const isLater = before !== null && from > now && before.startsAt < at
  if (after && before && !isLater)
    return rules.map((rule) => (rule.id === before.id ? { ...rule, ...withStart(after, before.startsAt) } : rule))
  const ended = rules.map((rule) =>
    rule.id === before?.id && (rule.endsAt === null || rule.endsAt > at) ? { ...rule, endsAt: at } : rule,
  )
  if (!after) return ended
  return [...ended, { ...withStart(after, at), id: mintId(now), createdAt: now.toISOString() }]
}

const withStart = (rule: PlannedRule, startsAt: string) => ({ ...rule, startsAt: rule.startsAt ?? startsAt })

/**
 * Makes the rules from before the last change valid again, from now on: those of each campaign that it changed. A
 * second call takes back the first. @returns these campaigns @throws NOT_FOUND; REFUSED if no
 * rule was ever changed
 */
export async function revertRules(ctx: ProgramCtx, raw: unknown): Promise<Campaign[]> {
  const { campaignId } = await parseInput(revertRulesInput, raw)
  const now = ctx.now()
  const programId = ctx.program.id
  const only = campaignId === undefined ? null : (await findCampaign(ctx, campaignId)).id
  const ids = await withTransaction(ctx.db, async (tx) => {
    const last = await tx.$queryRaw<
      { campaignId: string; campaign: string; number: number; rules: Prisma.JsonValue }[]
    >`
      select v.campaign_id::text as "campaignId", c.name as campaign, v.number, p.rules
      from commission_rule_versions v
        join campaigns c on c.program_id = v.program_id and c.id = v.campaign_id and c.rules_version = v.number
        left join commission_rule_versions p
          on p.program_id = v.program_id and p.campaign_id = v.campaign_id and p.number = v.number - 1
      where v.program_id = ${programId}::uuid and v.created_at = (
        select max(created_at) from commission_rule_versions
        where program_id = ${programId}::uuid and campaign_id = coalesce(${only}::uuid, campaign_id))
        and v.campaign_id = coalesce(${only}::uuid, v.campaign_id)
      order by v.campaign_id`
    if (last.length === 0) throw refused('No rule was ever changed, so there is nothing to revert.')
    const versions: Version[] = []
    for (const { campaignId, campaign, number, rules } of last) {
      const locked = await lockRules(tx, programId, campaignId)
      if (locked.number !== number) throw refused('The rules are being changed. Look at them, and revert again.')
      const before = locked.rules
      versions.push({ campaignId, campaign, number: number + 1, before, after: (rules as StoredRule[] | null) ?? [] })
    }
    await addVersions(tx, ctx, versions, 'rules_reverted', now)
    return versions.map(({ campaignId }) => campaignId)
  })
  return ctx.db.campaign.findMany({ where: { programId, id: { in: ids } }, orderBy: { id: 'asc' } })
}

type Version = { campaignId: string; campaign: string; number: number; before: StoredRule[]; after: StoredRule[] }

async function addVersions(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  versions: readonly Version[],
  action: ChangeAction,
  now: Date,
): Promise<void> {
  if (versions.length === 0) return
  for (const { campaignId, number, after } of versions) await addVersion(tx, ctx, campaignId, number, after, now)
  const what = { subject: 'program', subjectId: ctx.program.id, action } as const
  const [before, after] = [namesOf(versions, 'before', now), namesOf(versions, 'after', now)]
  await recordAction(tx, ctx, what, { commissionRules: before }, { commissionRules: after }, now)
  const events = versions.flatMap(({ campaignId }) => eventsOf(campaignId, ['tributary.campaign.updated']))
  await recordEvents(tx, ctx, events, now)
}

/** The rules that have not ended, as the history shows them: "Launch: Partners, Large sales". */
const namesOf = (versions: readonly Version[], side: 'before' | 'after', now: Date): string =>
  versions
    .map(({ campaign, [side]: rules }) => {
      const open = rules.filter((rule) => isOpen(rule, now.toISOString()))
      return `${campaign}: ${open.map(({ name }) => name).join(', ') || 'no rules'}`
    })
    .join('; ')
