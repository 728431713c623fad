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
import { commissionRuleCapInput, commissionRuleRewardInput } from './input.ts'
import { readTiers } from './read-tiers.ts'
import { type StoredCap, type StoredReward, type StoredRule, wholeSale } from './rule.ts'

type Read<T> = { value: T; problems: Problem[] }

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

/** Reads the reward of a rule: exactly one. */
export function readReward(raw: unknown, campaign: Pick<Campaign, 'commissionCurrency'>): Read<StoredReward> {
  const { readable, problems } = readFields(commissionRuleRewardInput, raw)
  const { percent, amountCents, none, tiers, leadAmountCents, allowAboveAll = false } = readable
  const read = tiers === undefined ? null : readTiers(tiers, campaign)
  problems.push(...(read?.problems ?? []))
  const given: StoredReward[] = [
    ...(percent === undefined ? [] : [{ kind: 'percent' as const, basisPoints: percent }]),
    ...(amountCents === undefined
      ? []
      : [{ kind: 'amount' as const, amountCents: String(amountCents), currency: campaign.commissionCurrency }]),
    ...(none === true ? [{ kind: 'none' as const }] : []),
    ...(leadAmountCents === undefined
      ? []
      : [{ kind: 'lead' as const, amountCents: String(leadAmountCents), currency: campaign.commissionCurrency }]),
    ...(read ? [read.value] : []),
  ]
  if (!allowAboveAll) problems.push(...given.flatMap(aboveAll))
  if (problems.length === 0 && given.length !== 1)
    problems.push({
      field: 'reward',
      message: 'Reward must be exactly one of percent, amount cents, none, tiers and lead amount cents.',
      path: [],
    })
  return { value: given[0] ?? { kind: 'none' }, problems: problems.map((one) => placedAt(['reward'], one)) }
}

/** The percentages above 100, which are mostly slips. */
function aboveAll(reward: StoredReward): Problem[] {
  const above = problem('percent', 'must be at most 100, unless the reward has `allowAboveAll: true`')
  if (reward.kind === 'percent') return reward.basisPoints > wholeSale ? [above] : []
  if (reward.kind !== 'tiers') return []
  return reward.steps.flatMap(({ basisPoints = 0 }, index) =>
    basisPoints > wholeSale ? [placedAt(['tiers', 'steps', index], above)] : [],
  )
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
  const { reward, cap } = rule
  if (reward.kind === 'lead') return leadProblems(rule)
  const isWhole = reward.kind === 'tiers' && reward.appliesTo === 'whole_period'
  return cap && isWhole ? [problem('cap', 'cannot be combined with tiers for the whole period')] : []
}
