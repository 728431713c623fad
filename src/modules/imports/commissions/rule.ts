import type { Campaign, Commission } from '../../../generated/prisma/client.ts'
import { percentOf } from '../../../kernel/money/rounding.ts'

type Rule = Pick<
  Commission,
  'ruleRewardType' | 'ruleBasisPoints' | 'ruleAmountCents' | 'ruleMaxCommissions' | 'ruleMaxPeriodInMonths'
>

type Amounts = { amountCents: bigint; saleAmountCents: bigint; refundedCents: bigint }

/**
 * The rule from which refunds are calculated: the campaign's if it gives the commission's amount, else the percentage
 * or fixed amount that gives it. Limits are not copied: those of the time are unknown.
 */
export function ruleOf(campaign: Campaign, { amountCents, saleAmountCents, refundedCents }: Amounts): Rule {
  const limits = { ruleMaxCommissions: null, ruleMaxPeriodInMonths: null }
  if (campaign.rewardType === 'amount')
    return { ruleRewardType: 'amount', ruleBasisPoints: null, ruleAmountCents: amountCents, ...limits }
  const bases = [saleAmountCents, saleAmountCents - refundedCents].filter((base) => base > 0n)
  const givesAmount = (points: number) => bases.some((base) => percentOf(base, points) === amountCents)
  const own = campaign.commissionBasisPoints ?? 0
  const derived = bases.map((base) => Number((amountCents * 10_000n) / base)).flatMap((points) => [points, points + 1])
  const roundest = derived
    .sort((a, b) => roughness(a) - roughness(b))
    .find((points) => points <= 10_000 && givesAmount(points))
  const ruleBasisPoints = givesAmount(own) ? own : (roundest ?? own)
  return { ruleRewardType: 'percent', ruleBasisPoints, ruleAmountCents: null, ...limits }
}

/** Whole percentages are more likely than fractions. */
const roughness = (points: number) => (points % 100 === 0 ? 0 : points % 10 === 0 ? 1 : 2)

/** Estimates the amount of a sale that the source hides, from the campaign's percentage or fixed amount. */
export function estimateSaleAmount(campaign: Campaign, amountCents: bigint): bigint {
  const points = BigInt(campaign.commissionBasisPoints ?? 0)
  return campaign.rewardType === 'amount' || points === 0n
    ? amountCents
    : (amountCents * 10_000n + points / 2n) / points
}
