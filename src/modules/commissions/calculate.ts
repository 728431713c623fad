import type { Commission, Refund } from '../../generated/prisma/client.ts'
import type { NoCommissionReason } from '../../generated/prisma/enums.ts'
import { addMonths } from '../../kernel/dates.ts'
import {
  capTaker,
  type EarningRule,
  type Part,
  type Rate,
  remainingCommission,
} from '../../kernel/money/refund-effect.ts'
import { percentOf } from '../../kernel/money/rounding.ts'
import { cappedCents, tightest } from '../rules/cap.ts'
import type { SoldItem } from '../rules/sale.ts'
import { type CommissionLine, linesOf, linesWithout } from './lines.ts'
import type { ItemRule, Rule, SaleRule } from './rule.ts'

type OwnRule = Pick<Commission, 'ruleRewardType' | 'ruleBasisPoints' | 'ruleAmountCents' | 'ruleLines'>

/**
 * A commission's own copy of what its sale earns.
 * @param refunds those that count. The items that they name are taken from the lines of these products
 */
export function earningRule(rule: OwnRule, refunds: readonly Pick<Refund, 'items'>[]): EarningRule {
  if (rule.ruleLines !== null) {
    const lines = rule.ruleLines as CommissionLine[]
    const rests = linesWithout(lines, refunds)
    return {
      parts: lines.map((line, index) => ({ saleCents: 0n, ...rests[index], rate: rateOf(line), ...capOf(line) })),
    }
  }
  return rule.ruleRewardType === 'percent'
    ? { basisPoints: rule.ruleBasisPoints ?? 0 }
    : { amountCents: rule.ruleAmountCents ?? 0n }
}

const rateOf = ({ basisPoints, fixedCents }: CommissionLine): Rate =>
  fixedCents === null ? { basisPoints: basisPoints ?? 0 } : { amountCents: BigInt(fixedCents) }

const capOf = ({ rule, capLeftCents }: CommissionLine): Pick<Part, 'cap'> =>
  rule && capLeftCents !== undefined ? { cap: { of: rule.id, leftCents: BigInt(capLeftCents) } } : {}

/**
 * The commission for the part of a sale that remains after refunds, by the commission's own copy of the rule.
 * @param refunds those that are deducted
 */
export const calculateRemaining = (
  rule: OwnRule,
  remainingCents: bigint,
  refunds: readonly Pick<Refund, 'items'>[],
): bigint => remainingCommission(earningRule(rule, refunds), remainingCents)

/** What the referral has earned before a sale. */
export type History = {
  /** The number of its commissions that are not void. */
  commissions: number
  /** When the sale of its first commission occurred, even if that commission is void now. */
  firstOccurredAt: Date | null
}

export type Earned =
  | {
      amountCents: bigint
      currency: string
      /** Absent if it is one reward for the whole sale. */
      lines?: CommissionLine[]
      /** Absent: as the rule for the sale says. */
      daysBeforeDue?: number
    }
  | { reason: NoCommissionReason }

type SaleToEarn = { amountCents: bigint; currency: string; occurredAt: Date; items?: readonly SoldItem[] }

/**
 * What a sale earns: a percentage in its currency, rounded half up, or the campaign's fixed amount in the campaign's
 * currency, as far as the cap of its rule allows; or why it earns nothing. A sale with items earns line by line. A
 * period of n months ends n calendar months later, exclusive. Source: the contract's decisions on commissions.
 */
export function calculateCommission(rule: SaleRule, sale: SaleToEarn, history: History): Earned {
  const earned = uncapped(rule, sale, history)
  if ('reason' in earned) return earned
  const amountCents = cappedCents(earned.amountCents, rule.cap)
  return amountCents === 0n ? { reason: 'cap_reached' } : { ...earned, amountCents }
}

function uncapped(rule: SaleRule, sale: SaleToEarn, history: History): Earned {
  const lines = linesOf(rule, sale)
  const [first] = lines
  if (!first || (lines.length === 1 && first.rule === rule)) return earnedBy(rule, sale, history)
  const takeFrom = capTaker()
  const earned = lines.map(({ rule: own, quantity, productId, cents }) => {
    const result = earnedBy(own, { ...sale, amountCents: cents }, history, quantity)
    const reason = 'reason' in result ? result.reason : null
    const rate = rateOfLine(own, quantity, reason)
    const { rule: by, cap } = 'rule' in own ? (own as ItemRule) : { rule: null, cap: [] }
    const capLeftCents = tightest(cap ?? [])?.leftCents.toString()
    const capped = by && capLeftCents !== undefined ? { of: by.id, leftCents: BigInt(capLeftCents) } : undefined
    const amountCents = 'reason' in result ? 0n : takeFrom(capped, result.amountCents)
    const line: CommissionLine = {
      productId,
      quantity,
      saleCents: String(cents),
      ...rate,
      ...(capLeftCents !== undefined && { capLeftCents }),
      earnedCents: String(amountCents),
      rule: by,
      ...(reason && { reason }),
    }
    return { line, own, amountCents, isCapped: reason === null && amountCents === 0n }
  })
  const amountCents = earned.reduce((sum, one) => sum + one.amountCents, 0n)
  if (amountCents <= 0n && earned.some(({ isCapped }) => isCapped)) return { reason: 'cap_reached' }
  if (amountCents <= 0n) return { reason: earned[0]?.line.reason ?? 'amount_rounds_to_zero' }
  const paying = earned.filter((one) => one.amountCents > 0n)
  const days = paying.map(({ own }) => own.daysBeforeCommissionsAreDue ?? 0)
  const currency = rule.rewardType === 'amount' ? rule.commissionCurrency : sale.currency
  const ofLines = { lines: earned.map(({ line }) => line), daysBeforeDue: Math.max(...days) }
  return { amountCents, currency, ...ofLines }
}

/** A line that earns nothing for a reason also earns nothing after refunds. */
function rateOfLine(rule: Rule, quantity: number, reason: NoCommissionReason | null) {
  if (reason !== null) return { basisPoints: 0, fixedCents: null }
  return rule.rewardType === 'percent'
    ? { basisPoints: rule.commissionBasisPoints ?? 0, fixedCents: null }
    : { basisPoints: null, fixedCents: String((rule.commissionAmountCents ?? 0n) * BigInt(quantity)) }
}

function earnedBy(
  rule: Rule,
  sale: Omit<SaleToEarn, 'items'>,
  history: History,
  quantity = 1,
): { amountCents: bigint; currency: string } | { reason: NoCommissionReason } {
  if (rule.earnsNothing) return { reason: 'rule_earns_nothing' }
  if (rule.maxCommissions !== null && history.commissions >= rule.maxCommissions)
    return { reason: 'max_commissions_reached' }
  if (rule.maxCommissionPeriodInMonths !== null && history.firstOccurredAt !== null) {
    const end = addMonths(history.firstOccurredAt, rule.maxCommissionPeriodInMonths)
    if (sale.occurredAt >= end) return { reason: 'commission_period_over' }
  }
  const earned =
    rule.rewardType === 'percent'
      ? { amountCents: percentOf(sale.amountCents, rule.commissionBasisPoints ?? 0), currency: sale.currency }
      : {
          // A credit line takes away nothing of a fixed amount.
          amountCents: sale.amountCents < 0n ? 0n : (rule.commissionAmountCents ?? 0n) * BigInt(quantity),
          currency: rule.commissionCurrency,
        }
  return earned.amountCents === 0n ? { reason: 'amount_rounds_to_zero' } : earned
}
