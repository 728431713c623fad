import type { Campaign, Commission } from '../../generated/prisma/client.ts'
import { percentOf } from '../../kernel/money/amounts.ts'

type RuleCopy = Pick<
  Commission,
  'ruleRewardType' | 'ruleBasisPoints' | 'ruleAmountCents' | 'ruleMaxCommissions' | 'ruleMaxPeriodInMonths'
>

type Earned = { amountCents: bigint; saleAmountCents: bigint; refundedCents: bigint }

/**
 * The rule of a commission that was earned elsewhere: its campaign's, where that gives its amount; else the percentage,
 * or the fixed amount, that does, as the campaign paid another one then. A refund is worked out with it. Which limits
 * were in force is not known, so none are copied.
 */
export function ruleOf(campaign: Campaign, { amountCents, saleAmountCents, refundedCents }: Earned): RuleCopy {
  const limits = { ruleMaxCommissions: null, ruleMaxPeriodInMonths: null }
  if (campaign.rewardType === 'amount')
    return { ruleRewardType: 'amount', ruleBasisPoints: null, ruleAmountCents: amountCents, ...limits }
  const bases = [saleAmountCents, saleAmountCents - refundedCents].filter((base) => base > 0n)
  const gives = (points: number) => bases.some((base) => percentOf(base, points) === amountCents)
  const own = campaign.commissionBasisPoints ?? 0
  const derived = bases.map((base) => Number((amountCents * 10_000n) / base)).flatMap((points) => [points, points + 1])
  const round = derived.sort((a, b) => roughness(a) - roughness(b)).find((points) => points <= 10_000 && gives(points))
  const ruleBasisPoints = gives(own) ? own : (round ?? own)
  return { ruleRewardType: 'percent', ruleBasisPoints, ruleAmountCents: null, ...limits }
}

/** Whole percentages are likelier than odd ones. */
const roughness = (points: number) => (points % 100 === 0 ? 0 : points % 10 === 0 ? 1 : 2)

/** What a sale that the source does not show came to, by the campaign's percentage; for a fixed amount, that amount. */
export function likelySaleAmount(campaign: Campaign, amountCents: bigint): bigint {
  const points = BigInt(campaign.commissionBasisPoints ?? 0)
  return campaign.rewardType === 'amount' || points === 0n
    ? amountCents
    : (amountCents * 10_000n + points / 2n) / points
}
