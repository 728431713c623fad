import type { Commission, MoneyEvent } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { sentencesOfUnpaid } from './after-earning.ts'
import { day } from './day.ts'
import type { Explanation } from './explain.ts'
import { heldSentences } from './held.ts'

/** Explains a bonus or correction: who gave it, and why. @param facts of the commission, oldest first */
export function explainGiven(commission: Commission, facts: readonly MoneyEvent[], giver: string): Explanation {
  const { currency, amountCents, ruleAmountCents, voidedAt, dueAt, occurredAt } = commission
  const given = ruleAmountCents ?? amountCents
  const isMoved = dueAt.getTime() !== occurredAt.getTime()
  return {
    summary: [
      `${whatIs(commission.kind, given, currency)}, ${by(commission, giver)}: ${commission.reason}.`,
      ...(amountCents === given ? [] : [`The amount was changed to ${readableAmount(amountCents, currency)} by hand.`]),
      ...(voidedAt ? [`Void since ${day(voidedAt)}.`] : []),
      ...sentencesOfUnpaid(facts.filter(({ kind }) => kind === 'unpaid')),
    ],
    matchedBy: null,
    decision: null,
    base: { amountCents: given, currency },
    exactAmount: null,
    calculatedCents: given,
    lines: [],
    dueReason: commission.ruleId
      ? `Due on ${day(dueAt)}: with the last of the commissions that it is about, or as set by hand.`
      : isMoved
        ? `Due on ${day(dueAt)}, which was set by hand.`
        : 'Due at once, because it waits for no return of a sale.',
  }
}

/** Explains the reward for a lead. @param facts of the commission, oldest first @param rule its name */
export function explainLead(commission: Commission, facts: readonly MoneyEvent[], rule: string): Explanation {
  const { currency, amountCents, ruleAmountCents, ruleDaysBeforeDue, voidedAt, dueAt, occurredAt } = commission
  const reward = ruleAmountCents ?? amountCents
  const isMoved = dueAt.getTime() !== addDays(occurredAt, ruleDaysBeforeDue).getTime()
  const days = `${ruleDaysBeforeDue} day${ruleDaysBeforeDue === 1 ? '' : 's'}`
  return {
    summary: [
      `A reward of ${readableAmount(reward, currency)} for a lead on ${day(occurredAt)}, by the rule "${rule}". It is earned once per customer.`,
      ...heldSentences(commission),
      ...(amountCents === reward
        ? []
        : [`The amount was changed to ${readableAmount(amountCents, currency)} by hand.`]),
      ...(voidedAt ? [`Void since ${day(voidedAt)}.`] : []),
      ...sentencesOfUnpaid(facts.filter(({ kind }) => kind === 'unpaid')),
    ],
    matchedBy: null,
    decision: null,
    base: { amountCents: reward, currency },
    exactAmount: null,
    calculatedCents: reward,
    lines: [],
    dueReason: isMoved
      ? `Due on ${day(dueAt)}, which was set by hand.`
      : `Due on ${day(dueAt)}: ${days} after the lead.`,
  }
}

const by = ({ ruleId, correctsSaleId, createdAt, occurredAt }: Commission, giver: string): string => {
  if (correctsSaleId) return `by the rules on ${day(createdAt)}`
  return ruleId ? `by tiers on ${day(createdAt)}` : `by ${giver} on ${day(occurredAt)}`
}

function whatIs(kind: Commission['kind'], cents: bigint, currency: string): string {
  if (kind === 'bonus') return `A bonus of ${readableAmount(cents, currency)}`
  return cents < 0n
    ? `A correction that deducts ${readableAmount(-cents, currency)}`
    : `A correction that adds ${readableAmount(cents, currency)}`
}
