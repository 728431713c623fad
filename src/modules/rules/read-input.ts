import type { z } from 'zod'
import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import { placedAt } from '../../kernel/input/entries.ts'
import { problem, readFields } from '../../kernel/input/parse.ts'
import { couponKey } from '../affiliates/coupons/code.ts'
import { areCouponTokensTaken } from '../affiliates/coupons/service.ts'
import { referredAffiliates } from '../affiliates/find.ts'
import { referredGroups } from '../affiliates/groups/service.ts'
import { commissionRuleCapInput, commissionRuleConditionsInput, commissionRuleRewardInput } from './input.ts'
import { readTiers } from './read-tiers.ts'
import { type StoredCap, type StoredConditions, type StoredReward, type StoredRule, wholeSale } from './rule.ts'

type Read<T> = { value: T; problems: Problem[] }

type Conditions = Partial<z.output<typeof commissionRuleConditionsInput>>

/** Reads the conditions of a rule, with every problem. @param raw undefined: no conditions */
export async function readConditions(ctx: ProgramCtx, raw: unknown): Promise<Read<StoredConditions>> {
  const { readable, problems } = readFields(commissionRuleConditionsInput, raw ?? {})
  problems.push(
    ...(await affiliateProblems(ctx, readable)),
    ...(await groupProblems(ctx, readable)),
    ...(await couponProblems(ctx, readable)),
    ...amountProblems(readable),
  )
  const { affiliateIds, groupIds, couponTokens, productIds, billingIntervals, payment, currency } = readable
  const { minimumAmountCents, maximumAmountCents } = readable
  const hasAmount = minimumAmountCents !== undefined || maximumAmountCents !== undefined
  const value: StoredConditions = {
    ...(affiliateIds && { affiliateIds: [...new Set(affiliateIds)].sort() }),
    ...(groupIds && { groupIds: [...new Set(groupIds)].sort() }),
    ...(couponTokens && { couponTokens: [...new Set(couponTokens.map(couponKey))].sort() }),
    ...(productIds && { productIds: [...new Set(productIds)].sort() }),
    ...(billingIntervals?.length && { billingIntervals: [...new Set(billingIntervals)].sort() }),
    ...(payment && { payment }),
    ...(minimumAmountCents !== undefined && { minimumAmountCents: String(minimumAmountCents) }),
    ...(maximumAmountCents !== undefined && { maximumAmountCents: String(maximumAmountCents) }),
    ...((currency || hasAmount) && { currency: currency ?? ctx.program.currency }),
  }
  return { value, problems: problems.map((one) => placedAt(['conditions'], one)) }
}

async function affiliateProblems(ctx: ProgramCtx, { affiliateIds = [] }: Conditions): Promise<Problem[]> {
  return unknownIds('affiliateIds', 'Affiliate', affiliateIds, await referredAffiliates(ctx, affiliateIds))
}

async function groupProblems(ctx: ProgramCtx, { groupIds = [] }: Conditions): Promise<Problem[]> {
  return unknownIds('groupIds', 'Affiliate group', groupIds, await referredGroups(ctx, groupIds))
}

const unknownIds = (field: string, noun: string, ids: readonly string[], known: { has(id: string): boolean }) =>
  ids.flatMap((id, index): Problem[] =>
    known.has(id) ? [] : [{ field, path: [field, index], message: `${noun} not found: ${id.slice(0, 100)}` }],
  )

async function couponProblems(ctx: ProgramCtx, { couponTokens = [] }: Conditions): Promise<Problem[]> {
  const exist = await areCouponTokensTaken(
    ctx,
    couponTokens.map((token) => ({ token })),
  )
  return couponTokens.flatMap((token, index) =>
    exist[index]
      ? []
      : [{ field: 'couponTokens', path: ['couponTokens', index], message: `Coupon not found: ${token}` }],
  )
}

function amountProblems({ minimumAmountCents: least, maximumAmountCents: most }: Conditions): Problem[] {
  if (least === undefined || most === undefined || least <= most) return []
  return [problem('maximumAmountCents', 'must not be below the minimum amount')]
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
function leadProblems({ conditions, cap, limits }: Pick<StoredRule, 'conditions' | 'limits'> & { cap?: StoredCap }) {
  const ofSales = Object.keys(conditions).filter((name) => name !== 'affiliateIds' && name !== 'groupIds')
  const message = 'is only for sales, and the reward is for leads'
  return [
    ...ofSales.map((name) => placedAt(['conditions'], problem(name, message))),
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
export function termProblems({
  conditions,
  reward,
  cap,
  limits,
}: Pick<StoredRule, 'conditions' | 'reward' | 'cap' | 'limits'>): Problem[] {
  if (reward.kind === 'lead') return leadProblems({ conditions, cap, limits })
  const isWhole = reward.kind === 'tiers' && reward.appliesTo === 'whole_period'
  return cap && isWhole ? [problem('cap', 'cannot be combined with tiers for the whole period')] : []
}
