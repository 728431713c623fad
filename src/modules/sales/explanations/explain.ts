import type { Commission, MoneyEvent, Prisma, Refund, Sale } from '../../../generated/prisma/client.ts'
import type { AttributionSignal, MoneyEventKind } from '../../../generated/prisma/enums.ts'
import { earnedOutcomes } from '../../../resources/sales.ts'
import type { SignalMiss, WhyLine } from '../../../texts/en/why.ts'
import type { AnyWhyLine } from '../../../texts/why.ts'
import { calculateRemaining } from '../../commissions/calculate.ts'
import { earnedCommission, isCredit } from '../../commissions/earned.ts'
import { dueByRule } from '../../commissions/new-commission.ts'
import { type CapLimit, cappedCents, tightest } from '../../rules/cap.ts'
import { whyOfCap, whyOfRule, whyOfTier, whyOfUsedUpCap } from '../../rules/why.ts'
import { capOf, type Decision, type SignalOutcome } from '../decision.ts'
import { recalculatedLines, unpaidLines } from './after-earning.ts'
import { endsByItself, heldLines } from './held.ts'
import { type ExplainedLine, explainedLines, uncappedOf, whyOfLine } from './lines.ts'

type ExplainedFact = Pick<MoneyEvent, 'kind' | 'deltaCents' | 'at' | 'reason'>
type ExplainedCommission = Commission & { events: ExplainedFact[] }
export type ExplainedSale = Sale & { commissions: ExplainedCommission[]; refunds: Refund[] }

const explainedEvents: MoneyEventKind[] = ['unpaid', 'amended', 'recalculated']

/**
 * Of the facts of its commissions, payments that did not arrive or were undone, amounts that people have set, and new
 * calculations.
 */
export const explainedBy = {
  commissions: {
    orderBy: { id: 'asc' },
    include: {
      events: {
        where: { kind: { in: explainedEvents } },
        orderBy: { id: 'asc' },
        select: { kind: true, deltaCents: true, at: true, reason: true },
      },
    },
  },
  refunds: { orderBy: { id: 'asc' } },
} satisfies Prisma.SaleInclude

export type Explanation = {
  /** As data: words are chosen where they are shown. */
  summary: AnyWhyLine[]
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
  dueReason: WhyLine | null
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
      attributionLine(sale, decision),
      ...droppedLines(decision),
      ...(decision?.rule.applied ? whyOfRule(decision.rule.applied, decision.rule.applied.version) : []),
      ...tierLines(sale, decision),
      ...(commission?.refundId
        ? afterPaymentLines(sale, commission, earned as Commission)
        : earned && sale.noCommissionReason === null
          ? earnedLines(sale, earned, { base, byRate: byRate as bigint, lines })
          : [nothingLine(sale, decision)]),
      ...unpaidLines(sale, commission),
      ...recalculatedLines(sale, commission),
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

function tierLines({ currency }: Sale, decision: Decision | null): WhyLine[] {
  const { tier, products = [] } = decision?.rule ?? {}
  return [{ name: null, tier }, ...products].flatMap(({ tier: own, name }) => {
    if (!own) return []
    const paid = own.measure === 'commissions' ? (own.currency ?? currency) : currency
    return [whyOfTier(own, own.step, BigInt(own.before), paid, name)]
  })
}

/** Whether a refund counted when the commission got its amount: those after it was marked as paid do not. */
function countsFor(sale: ExplainedSale, commission: Commission | null): (refund: Refund) => boolean {
  const causingRefund = sale.refunds.find(({ id }) => id === commission?.refundId)
  if (causingRefund && commission) {
    const at = commission.createdAt
    const wasReversed = ({ reversedAt }: Refund) => reversedAt !== null && reversedAt <= at
    if (isCredit(commission)) return (refund) => refund.createdAt <= at && !wasReversed(refund)
    return (refund) => refund.id === causingRefund.id || (refund.createdAt < at && !wasReversed(refund))
  }
  if (!commission?.paidAt) return ({ reversedAt }) => reversedAt === null
  const refundsOf = (some: Commission[]) => new Set(some.map(({ refundId }) => refundId))
  const credited = refundsOf(sale.commissions.filter(isCredit))
  const indebted = refundsOf(sale.commissions.filter((one) => !isCredit(one)))
  // A refund before the payment has no debt. If it was reversed after it, it has a credit.
  return ({ id, createdAt, reversedAt }) =>
    createdAt <= commission.updatedAt && !indebted.has(id) && (reversedAt === null || credited.has(id))
}

const isMiss = (outcome: SignalOutcome): outcome is SignalMiss =>
  outcome !== 'matched' && outcome !== 'not_given' && outcome !== 'not_tried'

const attributionLine = (sale: Sale, decision: Decision | null): WhyLine => ({
  code: 'attributed',
  by: sale.attributedBy,
  missed: (decision?.signals ?? []).flatMap(({ signal, outcome }) =>
    isMiss(outcome) ? [{ signal, miss: outcome }] : [],
  ),
})

function droppedLines(decision: Decision | null): AnyWhyLine[] {
  const problems = (decision?.dropped ?? []).map(({ problem }) => problem)
  return problems.length > 0 ? [{ code: 'dropped', problems }] : []
}

type Calculated = { base: bigint; byRate: bigint; lines: readonly ExplainedLine[] }

function earnedLines(sale: ExplainedSale, earned: Commission, { base, byRate, lines }: Calculated): WhyLine[] {
  const { rule } = (sale.decision as Decision | null) ?? {}
  const cap = capOf(rule)
  const calculated = cappedCents(byRate, cap)
  const { currency } = earned
  return [
    rateLine(sale, earned, { base, byRate, lines }),
    ...lines.map((line) => whyOfLine(line, lines, sale.currency, currency)),
    ...(rule?.products ?? []).flatMap((product) =>
      whyOfCap(product.name, uncappedOf(product.id, lines), capOf(product), currency),
    ),
    ...whyOfCap(null, byRate, cap, currency),
    ...sale.refunds.flatMap(({ amountCents, reversedAt }) =>
      reversedAt
        ? [{ code: 'refundReversed', refund: { cents: amountCents, currency: sale.currency }, at: reversedAt } as const]
        : [],
    ),
    ...(earned.voidedAt
      ? [{ code: 'void', at: earned.voidedAt } as const]
      : byHandLines(sale, earned, base, calculated)),
    ...heldLines(earned),
  ]
}

/** What the rule gives, before its cap. */
function rateLine(sale: ExplainedSale, earned: Commission, { base, byRate, lines }: Calculated): WhyLine {
  const money = { cents: byRate, currency: earned.currency }
  if (lines.length > 0)
    return { code: 'byParts', areItems: lines.some(({ productId }) => productId !== null), earned: money }
  const isRefunded = base < sale.amountCents
  if (earned.ruleRewardType !== 'percent')
    return base === 0n && isRefunded ? { code: 'refundedInFull' } : { code: 'fixed', earned: money }
  const { currency } = sale
  return {
    code: 'percent',
    basisPoints: earned.ruleBasisPoints ?? 0,
    base: { cents: base, currency },
    beforeRefunds: isRefunded ? { cents: sale.amountCents, currency } : null,
    earned: money,
  }
}

/** About an amount that a person has set: a refund lowers it to what the rule gives for the rest of the sale. */
function byHandLines(sale: ExplainedSale, earned: Commission, base: bigint, calculated: bigint): WhyLine[] {
  const { amountCents, currency } = earned
  const amount = { cents: amountCents, currency }
  const rest = { cents: base, currency: sale.currency }
  const isRefunded = base < sale.amountCents
  if (amountCents !== calculated)
    return [
      isRefunded && amountCents < calculated
        ? { code: 'amendedKept', amount, byRule: { cents: calculated, currency }, rest }
        : { code: 'amended', amount },
    ]
  const facts = sale.commissions.find(({ id }) => id === earned.id)?.events ?? []
  return isRefunded && facts.some(({ kind }) => kind === 'amended') ? [{ code: 'amendedLowered', rest }] : []
}

/** About a debt or a credit. */
function afterPaymentLines(sale: ExplainedSale, commission: Commission, earned: Commission): WhyLine[] {
  const { amountCents, currency, voidedAt } = commission
  const { amountCents: refundCents = 0n, reversedAt } = sale.refunds.find(({ id }) => id === commission.refundId) ?? {}
  const refund = { cents: refundCents, currency: sale.currency }
  if (isCredit(commission))
    return [{ code: 'credit', amount: { cents: amountCents, currency }, refund, reversedAt: reversedAt ?? '' }]
  const paid = { cents: earned.amountCents, currency: earned.currency }
  return [
    { code: 'debt', amount: { cents: -amountCents, currency }, refund, paid },
    ...(reversedAt ? [{ code: 'debtReversed', at: reversedAt } as const] : []),
    ...(voidedAt ? [{ code: 'void', at: voidedAt } as const] : []),
  ]
}

function nothingLine(sale: Sale, decision: Decision | null): WhyLine {
  const { rule, counted } = decision ?? {}
  switch (sale.noCommissionReason) {
    case 'max_commissions_reached':
      return {
        code: 'mostCommissions',
        counted: counted && rule ? { had: counted.commissions, most: rule.maxCommissions } : null,
      }
    case 'commission_period_over':
      return {
        code: 'periodOver',
        period: counted && rule ? { months: rule.maxPeriodInMonths, endedAt: counted.periodEndsAt ?? '' } : null,
      }
    case 'cap_reached':
      return whyOfUsedUpCap(usedUpCap(decision), currencyOfCap(sale, decision))
    case 'rule_earns_nothing':
      return { code: 'earnsNothing' }
    case 'attribution_undone':
      return { code: 'attributionUndone' }
    case 'self_referral':
      return { code: 'selfReferral' }
    default:
      return { code: 'roundsToZero' }
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

function dueReasonOf(commission: Commission): WhyLine {
  if (isCredit(commission)) return { code: 'dueGivesBack' }
  if (commission.refundId) return { code: 'dueDeducts' }
  const { dueAt, heldReason, ruleDaysBeforeDue: days } = commission
  const movedTo = dueAt.getTime() === dueByRule(commission).getTime() ? null : dueAt
  const endsBy = heldReason === null ? null : endsByItself(commission) ? 'itself' : 'approval'
  return { code: 'due', days, movedTo, endsBy }
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
