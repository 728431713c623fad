import type { Commission, MoneyEvent } from '../../../generated/prisma/client.ts'
import { addDays } from '../../../kernel/dates.ts'
import type { WhyLine } from '../../../texts/en/why.ts'
import { whyUnpaid } from './after-earning.ts'
import type { Explanation } from './explain.ts'
import { heldLines } from './held.ts'

/** Explains a bonus or correction: who gave it, and why. @param facts of the commission, oldest first */
export function explainGiven(commission: Commission, facts: readonly MoneyEvent[], giver: string): Explanation {
  const { currency, amountCents, ruleAmountCents, dueAt, occurredAt } = commission
  const given = ruleAmountCents ?? amountCents
  const isMoved = dueAt.getTime() !== occurredAt.getTime()
  return {
    summary: [
      whyGiven(commission, given, giver),
      ...changedLines(commission, given),
      ...whyUnpaid(facts.filter(({ kind }) => kind === 'unpaid')),
    ],
    matchedBy: null,
    decision: null,
    base: { amountCents: given, currency },
    exactAmount: null,
    calculatedCents: given,
    lines: [],
    dueReason: commission.ruleId
      ? { code: 'dueWithTiers', at: dueAt }
      : isMoved
        ? { code: 'dueMoved', at: dueAt }
        : { code: 'dueAtOnce' },
  }
}

/** Explains the reward for a lead. @param facts of the commission, oldest first @param rule its name */
export function explainLead(commission: Commission, facts: readonly MoneyEvent[], rule: string): Explanation {
  const { currency, amountCents, ruleAmountCents, ruleDaysBeforeDue, dueAt, occurredAt } = commission
  const reward = ruleAmountCents ?? amountCents
  const isMoved = dueAt.getTime() !== addDays(occurredAt, ruleDaysBeforeDue).getTime()
  return {
    summary: [
      { code: 'lead', reward: { cents: reward, currency }, at: occurredAt, rule },
      ...heldLines(commission),
      ...changedLines(commission, reward),
      ...whyUnpaid(facts.filter(({ kind }) => kind === 'unpaid')),
    ],
    matchedBy: null,
    decision: null,
    base: { amountCents: reward, currency },
    exactAmount: null,
    calculatedCents: reward,
    lines: [],
    dueReason: isMoved ? { code: 'dueMoved', at: dueAt } : { code: 'dueAfterLead', at: dueAt, days: ruleDaysBeforeDue },
  }
}

/** A new amount, and since when it is void. */
const changedLines = ({ amountCents, currency, voidedAt }: Commission, before: bigint): WhyLine[] => [
  ...(amountCents === before ? [] : [{ code: 'amended', amount: { cents: amountCents, currency } } as const]),
  ...(voidedAt ? [{ code: 'void', at: voidedAt } as const] : []),
]

function whyGiven(commission: Commission, cents: bigint, giver: string): WhyLine {
  const { kind, currency, ruleId, correctsSaleId, createdAt, occurredAt, reason } = commission
  const by = correctsSaleId ? 'rules' : ruleId ? 'tiers' : 'person'
  const isDeducted = kind !== 'bonus' && cents < 0n
  return {
    code: 'given',
    what: kind === 'bonus' ? 'bonus' : isDeducted ? 'deducts' : 'adds',
    amount: { cents: isDeducted ? -cents : cents, currency },
    by,
    giver,
    at: by === 'person' ? occurredAt : createdAt,
    reason,
  }
}
