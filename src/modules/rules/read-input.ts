import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import { placedAt } from '../../kernel/input/entries.ts'
import { problem, readFields } from '../../kernel/input/parse.ts'
import { areCouponTokensTaken } from '../affiliates/coupons/service.ts'
import { referredAffiliates } from '../affiliates/find.ts'
import { referredGroups } from '../affiliates/groups/service.ts'
import { commissionRuleConditionsInput, conditions, type StoredConditions, saleFieldsOf } from './conditions/all.ts'
import type { Lookups } from './conditions/condition.ts'
import { commissionRuleCapInput } from './input.ts'
import { commissionRuleRewardInput, isForLeads, rewardOf, rewards, type StoredReward } from './rewards/all.ts'
import type { Read } from './rewards/reward.ts'
import type { StoredCap, StoredRule } from './rule.ts'
import { wholePeriodTiers } from './tiers.ts'

/** Reads the conditions of a rule, with every problem. @param raw undefined: no conditions */
export async function readConditions(ctx: ProgramCtx, raw: unknown): Promise<Read<StoredConditions>> {
  const { readable, problems } = readFields(commissionRuleConditionsInput, raw ?? {})
  const given = readable as Readonly<Record<string, NonNullable<unknown>>>
  const find: Lookups = {
    affiliates: (ids) => referredAffiliates(ctx, ids),
    groups: (ids) => referredGroups(ctx, ids),
    coupons: (codes) =>
      areCouponTokensTaken(
        ctx,
        codes.map((token) => ({ token })),
      ),
  }
  for (const one of conditions) problems.push(...((await one.problems?.(given, find)) ?? []))
  const value: StoredConditions = Object.assign({}, ...conditions.map((one) => one.stored(given, ctx.program)))
  return { value, problems: problems.map((one) => placedAt(['conditions'], one)) }
}

type Rewarding = { reward?: unknown; confirmAboveAll?: boolean | undefined }

/** Reads the reward of a rule: exactly one. */
export function readReward(rule: Rewarding, campaign: Pick<Campaign, 'commissionCurrency'>): Read<StoredReward> {
  const { readable, problems } = readFields(commissionRuleRewardInput, rule.reward ?? {})
  const given = readable as Readonly<Record<string, NonNullable<unknown>>>
  const read = Object.values(rewards).flatMap((reward) => (reward.read(given, campaign) as Read<StoredReward>) ?? [])
  problems.push(...read.flatMap((one) => one.problems))
  if (!rule.confirmAboveAll) problems.push(...read.flatMap(({ value }) => rewardOf(value).aboveAll?.(value) ?? []))
  if (problems.length === 0 && read.length !== 1)
    problems.push({
      field: 'reward',
      message: 'Reward must be exactly one of percent, amount cents, none, tiers and lead amount cents.',
      path: [],
    })
  const value = read[0]?.value ?? { kind: 'none' as const }
  return { value, problems: problems.map((one) => placedAt(['reward'], one)) }
}

/** A lead has an affiliate and a day on which it is due, and nothing that only sales have. */
function leadProblems(rule: Pick<StoredRule, 'conditions' | 'limits'> & { cap?: StoredCap }) {
  const { cap, limits } = rule
  const message = 'is only for sales, and the reward is for leads'
  return [
    ...saleFieldsOf(rule.conditions).map((name) => placedAt(['conditions'], problem(name, message))),
    ...(cap ? [problem('cap', message)] : []),
    ...(limits.maxCommissions === undefined ? [] : [problem('maxCommissions', message)]),
    ...(limits.maxPeriodInMonths === undefined ? [] : [problem('maxCommissionPeriodInMonths', message)]),
  ]
}

/** Reads the cap of a rule. @param raw undefined or null: no cap */
export function readCap(raw: unknown): { value: { cap?: StoredCap }; problems: Problem[] } {
  const { readable, problems } = readFields(commissionRuleCapInput, raw ?? {})
  const given = Object.entries(readable).filter(([, cents]) => cents !== undefined)
  const cap: StoredCap = Object.fromEntries(given.map(([name, cents]) => [name, String(cents)]))
  return { value: given.length > 0 ? { cap } : {}, problems: problems.map((one) => placedAt(['cap'], one)) }
}

/** What cannot be combined: a correction that follows when a threshold is passed knows no cap. */
export function termProblems(rule: Pick<StoredRule, 'conditions' | 'reward' | 'cap' | 'limits'>): Problem[] {
  if (isForLeads(rule)) return leadProblems(rule)
  return rule.cap && wholePeriodTiers(rule)
    ? [problem('cap', 'cannot be combined with tiers for the whole period')]
    : []
}
