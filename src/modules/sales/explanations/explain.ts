import type { Commission, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { AttributionSignal } from '../../../generated/prisma/enums.ts'
import { readableAmount as say } from '../../../kernel/money/decimals.ts'
import { calculateRemaining } from '../../commissions/calculate.ts'
import { earnedCommission } from '../../commissions/earned.ts'
import { dueByRule } from '../../commissions/row.ts'
import type { Decision, SignalOutcome } from '../report/decision.ts'

/** A sale with all that an explanation of it looks at. */
export type SaleWithMoney = Sale & { commissions: Commission[]; refunds: Refund[] }

/** What of a sale has to be read to explain it; the same as its own fields read, so that one query serves all. */
export const explainedBy = { commissions: { orderBy: { id: 'asc' } }, refunds: { orderBy: { id: 'asc' } } } as const

export type Explanation = {
  /** In sentences, for a person. */
  summary: string[]
  matchedBy: AttributionSignal
  /** Null for what was decided before such facts were kept. */
  decision: Decision | null
  /** What the rule is applied to: the sale without what was given back before the commission was paid. */
  base: { amountCents: bigint; currency: string }
  /** The commission before it is rounded, in minor units, exactly; null where a fixed amount is paid. */
  exactAmount: string | null
  /** What the rule gives for the base; null where the sale earned nothing. */
  calculatedCents: bigint | null
  dueReason: string | null
}

const day = (at: string | Date) => (typeof at === 'string' ? at : at.toISOString()).slice(0, 10)

/** Why a sale earned what it did, or nothing; told of `commission`, which is one of the sale's: the one it earned, unless given. */
export function explainSale(sale: SaleWithMoney, commission = earnedCommission(sale.commissions)): Explanation {
  const decision = sale.decision as Decision | null
  const earned = earnedCommission(sale.commissions)
  const base = baseOf(sale, commission)
  const calculatedCents = earned && calculateRemaining(earned, base)
  return {
    summary: [
      attributionSentence(sale, decision),
      ...(commission?.refundId
        ? [debtSentence(sale, commission, earned as Commission)]
        : earned
          ? earnedSentences(sale, earned, base, calculatedCents as bigint)
          : [nothingSentence(sale, decision)]),
    ],
    matchedBy: sale.attributedBy,
    decision,
    base: { amountCents: base, currency: sale.currency },
    exactAmount: earned?.ruleRewardType === 'percent' ? exactShare(base, earned.ruleBasisPoints ?? 0) : null,
    calculatedCents,
    dueReason: commission && dueReasonOf(commission),
  }
}

/**
 * What remains of the sale, as the commission knows it: what is given back after it was marked as paid no longer reaches
 * it. That was its last change, while the payment itself may be told to be older.
 */
function baseOf(sale: SaleWithMoney, commission: Commission | null): bigint {
  const own = sale.refunds.find(({ id }) => id === commission?.refundId)
  const tookBack = new Set(sale.commissions.map(({ refundId }) => refundId))
  const isKnown = ({ createdAt, id }: Refund) =>
    own
      ? createdAt < own.createdAt || id === own.id
      : !commission?.paidAt || (createdAt <= commission.updatedAt && !tookBack.has(id))
  return sale.refunds.filter(isKnown).reduce((rest, { amountCents }) => rest - amountCents, sale.amountCents)
}

const signalNames: Record<AttributionSignal, string> = {
  referral_id: 'the referral id',
  coupon: 'the coupon',
  email: "the customer's e-mail",
  manual: 'a person',
}
const misses: Partial<Record<SignalOutcome, string>> = {
  not_found: 'found nothing',
  expired: 'led to a referral that had expired',
  affiliate_not_active: 'led to an affiliate who was not active',
}

function attributionSentence(sale: Sale, decision: Decision | null): string {
  const missed = (decision?.signals ?? []).flatMap(({ signal, outcome }) => {
    const miss = misses[outcome]
    return miss ? [`${signalNames[signal]} ${miss}`] : []
  })
  const before = missed.length > 0 ? ` (before: ${missed.join('; ')})` : ''
  return `Attributed by ${signalNames[sale.attributedBy]}${before}.`
}

function earnedSentences(sale: Sale, earned: Commission, base: bigint, calculated: bigint): string[] {
  const { ruleBasisPoints, ruleRewardType, currency } = earned
  const refunded = base < sale.amountCents ? `, of ${say(sale.amountCents, sale.currency)} before refunds` : ''
  const rule =
    ruleRewardType === 'percent'
      ? `${(ruleBasisPoints ?? 0) / 100} percent of ${say(base, sale.currency)}${refunded}, rounded half up, is ${say(calculated, currency)}.`
      : base === 0n && refunded
        ? 'Nothing of the sale remains, so nothing of the fixed amount does.'
        : `A fixed ${say(calculated, currency)} for each sale.`
  return [
    rule,
    ...(earned.voidedAt ? [`Void since ${day(earned.voidedAt)}.`] : []),
    ...(!earned.voidedAt && earned.amountCents !== calculated
      ? [`It was set to ${say(earned.amountCents, currency)} by hand.`]
      : []),
    ...(earned.heldReason ? ['Held until a person decides: the customer looks like the affiliate.'] : []),
  ]
}

function debtSentence(sale: SaleWithMoney, debt: Commission, earned: Commission): string {
  const refund = sale.refunds.find(({ id }) => id === debt.refundId)
  const given = say(refund?.amountCents ?? 0n, sale.currency)
  return `Takes back ${say(-debt.amountCents, debt.currency)}: ${given} of the sale was refunded after its commission of ${say(earned.amountCents, earned.currency)} was paid.`
}

function nothingSentence(sale: Sale, decision: Decision | null): string {
  switch (sale.noCommissionReason) {
    case 'max_commissions_reached':
      return decision
        ? `No commission: ${decision.counted.commissions} of at most ${decision.rule.maxCommissions} were earned before.`
        : 'No commission: the most that the campaign allows were earned before.'
    case 'commission_period_over':
      return decision
        ? `No commission: the period of ${decision.rule.maxPeriodInMonths} months ended on ${day(decision.counted.periodEndsAt ?? '')}.`
        : 'No commission: the commission period was over.'
    case 'self_referral':
      return 'No commission: the customer looks like the affiliate, which the campaign rejects.'
    default:
      return 'No commission: it comes to nothing.'
  }
}

function dueReasonOf(commission: Commission): string {
  if (commission.refundId) return 'Due at once: a refund lowers the next payout.'
  const days = commission.ruleDaysBeforeDue
  const byRule = days === 0 ? 'at once when the sale occurred' : `${days} days after the sale occurred`
  const isMoved = commission.dueAt.getTime() !== dueByRule(commission).getTime()
  const rule = isMoved ? `on ${day(commission.dueAt)}, as it was set by hand; by the rule ${byRule}` : byRule
  return commission.heldReason ? `Held; once approved, due ${rule}.` : `Due ${rule}.`
}

/** Minor units with all their decimals: 1234.5 is the half that is rounded up. */
function exactShare(cents: bigint, basisPoints: number): string {
  const scaled = cents * BigInt(basisPoints)
  const decimals = String(scaled % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return decimals ? `${scaled / 10_000n}.${decimals}` : String(scaled / 10_000n)
}

/** In one word: what came of a sale. */
export function outcomeOf(
  sale: Pick<Sale, 'noCommissionReason'> & { commissions: Pick<Commission, 'refundId' | 'voidedAt' | 'heldReason'>[] },
) {
  const earned = earnedCommission(sale.commissions)
  if (!earned) return sale.noCommissionReason ?? 'amount_rounds_to_zero'
  if (earned.voidedAt) return 'void' as const
  return earned.heldReason ? ('held' as const) : ('earned' as const)
}
