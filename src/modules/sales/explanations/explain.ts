import type { Commission, MoneyEvent, Prisma, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { AttributionSignal, MoneyEventKind } from '../../../generated/prisma/enums.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { earnedOutcomes } from '../../../resources/sales.ts'
import { calculateRemaining } from '../../commissions/calculate.ts'
import { earnedCommission, isCredit } from '../../commissions/earned.ts'
import { dueByRule } from '../../commissions/new-commission.ts'
import { type CapLimit, cappedCents, tightest } from '../../rules/cap.ts'
import {
  cappedItemsSentences,
  cappedSentences,
  ruleSentences,
  tierSentence,
  usedUpSentence,
} from '../../rules/sentences.ts'
import { capOf, type Decision, type SignalOutcome } from '../report/decision.ts'
import { recalculatedSentences, unpaidSentences } from './after-earning.ts'
import { day } from './day.ts'
import { endsByItself, heldSentences } from './held.ts'
import { type ExplainedLine, explainedLines, lineSentence, uncappedOf } from './lines.ts'

type ExplainedFact = Pick<MoneyEvent, 'kind' | 'deltaCents' | 'at' | 'reason'>
type ExplainedCommission = Commission & { events: ExplainedFact[] }
export type ExplainedSale = Sale & { commissions: ExplainedCommission[]; refunds: Refund[] }

const told: MoneyEventKind[] = ['unpaid', 'amended', 'recalculated']

/**
 * Of the facts of its commissions, payments that did not arrive or were undone, amounts that people have set, and new
 * calculations.
 */
export const explainedBy = {
  commissions: {
    orderBy: { id: 'asc' },
    include: {
      events: {
        where: { kind: { in: told } },
        orderBy: { id: 'asc' },
        select: { kind: true, deltaCents: true, at: true, reason: true },
      },
    },
  },
  refunds: { orderBy: { id: 'asc' } },
} satisfies Prisma.SaleInclude

export type Explanation = {
  summary: string[]
  /** Null for a commission without a sale. */
  matchedBy: AttributionSignal | null
  /** Null for sales that were recorded before decisions were stored. */
  decision: Decision | null
  /** What the rule is applied to: the sale, less the refunds before the commission was paid. */
  base: { amountCents: bigint; currency: string }
  /** The commission before rounding, in minor units with all decimals. Null if a fixed amount is earned. */
  exactAmount: string | null
  /** The amount by the rule for the base. Null if the sale earned no commission. */
  calculatedCents: bigint | null
  /** What each item earns, if they earn by themselves. Empty if one reward is for the whole sale. */
  lines: ExplainedLine[]
  dueReason: string | null
}

/** Explains the attribution of a sale and a commission of it. @param commission by default, the one that it earned */
export function explainSale(
  sale: ExplainedSale,
  commission: Commission | null = earnedCommission(sale.commissions),
): Explanation {
  const decision = sale.decision as Decision | null
  const earned = earnedCommission(sale.commissions)
  const deducted = sale.refunds.filter(countsFor(sale, commission))
  const base = deducted.reduce((rest, { amountCents }) => rest - amountCents, sale.amountCents)
  const byRate = earned && calculateRemaining(earned, base, deducted)
  const calculatedCents = byRate === null ? null : cappedCents(byRate, capOf(decision?.rule))
  const lines = earned ? explainedLines(sale, earned, base, deducted) : []
  return {
    summary: [
      attributionSentence(sale, decision),
      ...droppedSentences(decision),
      ...(decision?.rule.applied ? ruleSentences(decision.rule.applied) : []),
      ...tierSentences(sale, decision),
      ...(commission?.refundId
        ? afterPaymentSentences(sale, commission, earned as Commission)
        : earned && sale.noCommissionReason === null
          ? earnedSentences(sale, earned, { base, byRate: byRate as bigint, lines })
          : [nothingSentence(sale, decision)]),
      ...unpaidSentences(sale, commission),
      ...recalculatedSentences(sale, commission),
    ],
    matchedBy: sale.attributedBy,
    decision,
    base: { amountCents: base, currency: sale.currency },
    exactAmount:
      earned?.ruleRewardType === 'percent' && lines.length === 0 ? exactShare(base, earned.ruleBasisPoints ?? 0) : null,
    calculatedCents,
    lines,
    dueReason: commission && dueReasonOf(commission),
  }
}

function tierSentences({ currency }: Sale, decision: Decision | null): string[] {
  const { tier, products = [] } = decision?.rule ?? {}
  return [{ name: undefined, tier }, ...products].flatMap(({ tier: own, name }) => {
    if (!own) return []
    const paid = own.measure === 'commissions' ? (own.currency ?? currency) : currency
    return [tierSentence(own, own.step, BigInt(own.before), paid, name)]
  })
}

/** Whether a refund counted when the commission got its amount: those after it was marked as paid do not. */
function countsFor(sale: ExplainedSale, commission: Commission | null): (refund: Refund) => boolean {
  const own = sale.refunds.find(({ id }) => id === commission?.refundId)
  if (own && commission) {
    const at = commission.createdAt
    const wasReversed = ({ reversedAt }: Refund) => reversedAt !== null && reversedAt <= at
    if (isCredit(commission)) return (refund) => refund.createdAt <= at && !wasReversed(refund)
    return (refund) => refund.id === own.id || (refund.createdAt < at && !wasReversed(refund))
  }
  if (!commission?.paidAt) return ({ reversedAt }) => reversedAt === null
  const refundsOf = (some: Commission[]) => new Set(some.map(({ refundId }) => refundId))
  const credited = refundsOf(sale.commissions.filter(isCredit))
  const indebted = refundsOf(sale.commissions.filter((one) => !isCredit(one)))
  // A refund before the payment has no debt. If it was reversed after it, it has a credit.
  return ({ id, createdAt, reversedAt }) =>
    createdAt <= commission.updatedAt && !indebted.has(id) && (reversedAt === null || credited.has(id))
}

const signalNames: Record<AttributionSignal, string> = {
  referral_id: 'the referral id',
  coupon: 'the coupon',
  email: "the customer's e-mail",
  manual: 'a person',
}
const misses: Partial<Record<SignalOutcome, string>> = {
  not_usable: 'could not be used',
  not_found: 'matched nothing',
  expired: 'led to a referral that had expired',
  affiliate_not_active: 'led to an affiliate who was not active',
  archived: 'was archived, or its campaign was',
}

function attributionSentence(sale: Sale, decision: Decision | null): string {
  const missed = (decision?.signals ?? []).flatMap(({ signal, outcome }) => {
    const miss = misses[outcome]
    return miss ? [`${signalNames[signal]} ${miss}`] : []
  })
  const skipped = missed.length > 0 ? ` Tried before: ${missed.join('; ')}.` : ''
  return `Attributed by ${signalNames[sale.attributedBy]}.${skipped}`
}

function droppedSentences(decision: Decision | null): string[] {
  const problems = (decision?.dropped ?? []).map(({ problem }) => problem)
  return problems.length > 0 ? [`Left out of the report: ${problems.join('; ')}.`] : []
}

type Calculated = { base: bigint; byRate: bigint; lines: readonly ExplainedLine[] }

function earnedSentences(sale: ExplainedSale, earned: Commission, { base, byRate, lines }: Calculated): string[] {
  const { rule } = (sale.decision as Decision | null) ?? {}
  const cap = capOf(rule)
  const calculated = cappedCents(byRate, cap)
  const { ruleBasisPoints, ruleRewardType, currency } = earned
  const refunded = base < sale.amountCents ? ` (${readableAmount(sale.amountCents, sale.currency)} before refunds)` : ''
  const byRule =
    lines.length > 0
      ? `${lines.some(({ productId }) => productId !== null) ? 'The items' : 'The parts of the sale'} earn by themselves, each rounded half up: ${readableAmount(byRate, currency)} in all.`
      : ruleRewardType === 'percent'
        ? `${(ruleBasisPoints ?? 0) / 100} percent of ${readableAmount(base, sale.currency)}${refunded} is ${readableAmount(byRate, currency)}, rounded half up.`
        : base === 0n && refunded
          ? 'The sale was refunded in full, so the fixed amount is not earned.'
          : `Each sale earns a fixed ${readableAmount(byRate, currency)}.`
  return [
    byRule,
    ...lines.map((line) => lineSentence(line, lines, sale.currency, currency)),
    ...(rule?.products ?? []).flatMap((product) =>
      cappedItemsSentences(product.name, uncappedOf(product.id, lines), capOf(product), currency),
    ),
    ...cappedSentences(byRate, cap, currency),
    ...sale.refunds.flatMap(({ amountCents, reversedAt }) =>
      reversedAt
        ? [
            `A refund of ${readableAmount(amountCents, sale.currency)} was reversed on ${day(reversedAt)}, and does not count.`,
          ]
        : [],
    ),
    ...(earned.voidedAt ? [`Void since ${day(earned.voidedAt)}.`] : []),
    ...(earned.voidedAt ? [] : byHandSentences(sale, earned, base, calculated)),
    ...heldSentences(earned),
  ]
}

/** About an amount that a person has set: a refund lowers it to what the rule gives for the rest of the sale. */
function byHandSentences(sale: ExplainedSale, earned: Commission, base: bigint, calculated: bigint): string[] {
  const amount = readableAmount(earned.amountCents, earned.currency)
  const rest = readableAmount(base, sale.currency)
  const isRefunded = base < sale.amountCents
  if (earned.amountCents !== calculated)
    return [
      isRefunded && earned.amountCents < calculated
        ? `The amount was changed to ${amount} by hand. A refund leaves it: the rule gives ${readableAmount(calculated, earned.currency)} for the remaining ${rest}, which is not less.`
        : `The amount was changed to ${amount} by hand.`,
    ]
  const facts = sale.commissions.find(({ id }) => id === earned.id)?.events ?? []
  return isRefunded && facts.some(({ kind }) => kind === 'amended')
    ? [`The amount had been changed by hand. A refund lowered it to what the rule gives for the remaining ${rest}.`]
    : []
}

/** About a debt or a credit. */
function afterPaymentSentences(sale: ExplainedSale, commission: Commission, earned: Commission): string[] {
  const refund = sale.refunds.find(({ id }) => id === commission.refundId)
  const given = readableAmount(refund?.amountCents ?? 0n, sale.currency)
  const reversed = refund?.reversedAt ? `on ${day(refund.reversedAt)}` : ''
  if (isCredit(commission)) {
    const amount = readableAmount(commission.amountCents, commission.currency)
    return [`Gives back ${amount}: a refund of ${given} was reversed ${reversed}, after the commission was paid.`]
  }
  const paid = readableAmount(earned.amountCents, earned.currency)
  const amount = readableAmount(-commission.amountCents, commission.currency)
  return [
    `Deducts ${amount}: ${given} of the sale was refunded after the commission of ${paid} was paid.`,
    ...(reversed ? [`The refund was reversed ${reversed}.`] : []),
    ...(commission.voidedAt ? [`Void since ${day(commission.voidedAt)}.`] : []),
  ]
}

function nothingSentence(sale: Sale, decision: Decision | null): string {
  switch (sale.noCommissionReason) {
    case 'max_commissions_reached':
      return decision
        ? `No commission: the referral already had ${decision.counted.commissions} of at most ${decision.rule.maxCommissions} commissions.`
        : 'No commission: the referral already had as many commissions as the campaign allows.'
    case 'commission_period_over':
      return decision
        ? `No commission: the commission period of ${decision.rule.maxPeriodInMonths} months ended on ${day(decision.counted.periodEndsAt ?? '')}.`
        : 'No commission: the commission period had ended.'
    case 'cap_reached':
      return usedUpSentence(usedUpCap(decision), currencyOfCap(sale, decision))
    case 'rule_earns_nothing':
      return 'No commission: the rule says that such sales earn nothing.'
    case 'attribution_undone':
      return 'No commission: a person took back that the sale belongs to this affiliate.'
    case 'self_referral':
      return 'No commission: the sale is a self-referral, which the campaign rejects.'
    default:
      return 'No commission: the amount rounds to 0.'
  }
}

/** The cap of the rule that applies, else that of the first rule for products that left nothing. */
function usedUpCap(decision: Decision | null): CapLimit[] {
  const [first, ...others] = [decision?.rule, ...(decision?.rule.products ?? [])]
    .map(capOf)
    .filter((cap) => cap.length > 0)
  return [first, ...others].find((cap) => cap && tightest(cap)?.leftCents === 0n) ?? first ?? []
}

const currencyOfCap = ({ currency }: Sale, decision: Decision | null): string =>
  decision?.rule.rewardType === 'amount' ? decision.rule.currency : currency

function dueReasonOf(commission: Commission): string {
  if (isCredit(commission)) return 'Due at once, because it gives back what a refund had deducted.'
  if (commission.refundId) return 'Due at once, because a refund after payment lowers the next payout.'
  const days = commission.ruleDaysBeforeDue
  const byRule = days === 0 ? 'at the time of the sale' : `${days} days after the sale`
  const isMoved = commission.dueAt.getTime() !== dueByRule(commission).getTime()
  const due = isMoved ? `on ${day(commission.dueAt)}, which was set by hand (by the rule: ${byRule})` : byRule
  if (commission.heldReason === null) return `Due ${due}.`
  return `Held. ${endsByItself(commission) ? 'Once nothing holds it' : 'Once approved'}, due ${due}.`
}

/** The share in minor units, with all decimals. */
function exactShare(cents: bigint, basisPoints: number): string {
  const scaled = cents * BigInt(basisPoints)
  const decimals = String(scaled % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return decimals ? `${scaled / 10_000n}.${decimals}` : String(scaled / 10_000n)
}

export function outcomeOf(
  sale: Pick<Sale, 'noCommissionReason'> & { commissions: Pick<Commission, 'refundId' | 'voidedAt' | 'heldReason'>[] },
) {
  const earned = earnedCommission(sale.commissions)
  if (!earned || sale.noCommissionReason) return sale.noCommissionReason ?? 'amount_rounds_to_zero'
  return earnedOutcomes.of(earned)
}
