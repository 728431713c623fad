import type { WhyLine } from '../../texts/en/why.ts'
import type { AnyWhyLine } from '../../texts/why.ts'
import type { Money } from '../../texts/writer.ts'
import type { AppliedRule } from './apply.ts'
import { type CapLimit, tightest } from './cap.ts'
import type { Tiers } from './rewards/tiers.ts'

/** Which rule applied, and why the nearest other one did not. @param version null: it is about a plan */
export function whyOfRule({ id, name, runnerUp }: AppliedRule, version: number | null): AnyWhyLine[] {
  return [
    id === null ? { code: 'ownReward', version } : { code: 'rule', rule: name, version },
    ...(runnerUp ? [{ code: 'ruleMissed', name: runnerUp.name, miss: runnerUp.miss } as const] : []),
  ]
}

/**
 * What a cap takes away from an amount. None if it is not above the cap.
 * @param rule the name of a rule for products, null for that of the whole sale
 */
export function whyOfCap(rule: string | null, cents: bigint, limits: readonly CapLimit[], currency: string): WhyLine[] {
  const limit = tightest(limits)
  if (!limit || limit.leftCents >= cents) return []
  const money = (some: bigint) => ({ cents: some, currency })
  const used = limit.per === 'sale' ? null : money(limit.usedCents)
  const { per, atMostCents, leftCents } = limit
  return [
    {
      code: 'cap',
      rule,
      per,
      most: money(atMostCents),
      used,
      left: money(leftCents),
      unpaid: money(cents - leftCents),
    },
  ]
}

export function whyOfUsedUpCap(limits: readonly CapLimit[], currency: string): WhyLine {
  const limit = tightest(limits)
  const money = (cents: bigint) => ({ cents, currency })
  return {
    code: 'capUsedUp',
    cap: limit ? { per: limit.per, most: money(limit.atMostCents), used: money(limit.usedCents) } : null,
  }
}

/**
 * By which step of tiers a sale earns, or its items under a rule for products.
 * @param currency of revenue, or of commissions @param rule the name of the rule for products, null for the whole sale
 */
export function whyOfTier(tiers: Tiers, step: number, before: bigint, currency: string, rule: string | null): WhyLine {
  const { measure, period, appliesTo } = tiers
  return {
    code: 'tier',
    rule,
    items: rule !== null,
    period,
    wholePeriod: appliesTo === 'whole_period',
    from: { measure, value: BigInt(tiers.steps[step]?.from ?? 0), currency },
    before: { measure, value: before, currency },
    earns: earnedBy(tiers, step),
  }
}

/** What a step of tiers gives: a percentage, or an amount. */
export function earnedBy({ steps, currency }: Tiers, step: number): { basisPoints: number } | Money {
  const { basisPoints, amountCents } = steps[step] ?? {}
  return basisPoints === undefined ? { cents: BigInt(amountCents ?? 0), currency: currency ?? '' } : { basisPoints }
}
