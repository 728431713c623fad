import { calculateCommission, type Earned, type History } from '../../commissions/calculate.ts'
import { noHistory } from '../../commissions/new-commission.ts'
import { chosenFor, rulesChosen, termsOf } from '../../rules/apply.ts'
import type { StoredRule } from '../../rules/rule.ts'
import type { SaleToReward } from '../../rules/sale.ts'
import type { SaleCampaign } from '../signals/sale-facts.ts'
import { type Account, add, correctionsAfter, countedBefore, type Entry, entriesOf, newAccount } from './account.ts'
import { bySale, type SaleFact } from './fact.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** What a sale should have earned. */
export type Evaluated = {
  /** The campaign's terms with those of the rule that applies. */
  terms: SaleCampaign
  /** What its referral had earned before it. */
  history: History
  earned: Earned
  /** After all refunds. */
  outcome: Outcome
  /** What it adds to the sums of its affiliate. */
  entries: readonly Entry[]
}

type Own = Pick<Evaluated, 'terms' | 'history' | 'earned'>

/** What was sold and earned by the sales that are evaluated, in the order in which they occurred. */
export type Evaluation = {
  account: Account
  /** When each customer bought first. */
  customers: Map<string, Date>
  referrals: Map<string, History>
}

/** @param rules all that the sales can have */
export const newEvaluation = (timeZone: string, rules: readonly StoredRule[]): Evaluation => ({
  account: newAccount(timeZone, rules),
  customers: new Map(),
  referrals: new Map(),
})

/**
 * What each sale should have earned: a function of the facts, in the order in which they occurred. It knows nothing of
 * the order in which they were heard of. First payments, new customers and limits follow from the sales of a customer;
 * caps and tiers from those of an affiliate. A refund or a void counts from its own time on: sales that occurred before
 * keep what they earned.
 * @param sales complete for each customer, and for each affiliate whose caps or tiers count, in any order
 */
export function evaluate(sales: readonly SaleFact[], timeZone: string): Map<string, Evaluated> {
  const rules = [...new Set(sales.map(({ version }) => version))].flatMap((version) => version?.rules ?? [])
  const evaluation = newEvaluation(timeZone, rules)
  const results = new Map<string, Evaluated>()
  for (const { sale, change } of stepsOf(sales)) {
    const before = results.get(sale.id)
    const isChange = before && change
    results.set(sale.id, isChange ? changeSale(evaluation, sale, before, change.at) : addSale(evaluation, sale))
  }
  return results
}

type Money = { amountCents: bigint; currency: string }

/** What a sale pays, and the corrections that follow from it by tiers for the whole period. */
export type Paid = { terms: SaleCampaign; paid: Money | null; corrections: Money[] }

/** Evaluates the next sale in the order of time, with its refunds and its void as if they were made at its time. */
export function evaluateNext(evaluation: Evaluation, sale: SaleFact): Paid {
  const added = addSale(evaluation, sale)
  const isChanged = sale.refunds.length > 0 || sale.voided !== null
  const { terms, earned, outcome } = isChanged ? changeSale(evaluation, sale, added, sale.occurredAt) : added
  const isPaid = outcome.isCounted && !('reason' in earned)
  const paid = isPaid ? { amountCents: outcome.cents, currency: earned.currency } : null
  return { terms, paid, corrections: correctionsAfter(evaluation.account, sale) }
}

/** A sale as it occurs. */
function addSale(evaluation: Evaluation, sale: SaleFact): Evaluated {
  const evaluated = evaluateSale(evaluation, sale)
  return count(evaluation, sale, evaluated, outcomeAt(sale, evaluated, null), null)
}

/** A sale after its changes until a time: refunds, reversals and a void. */
const changeSale = (evaluation: Evaluation, sale: SaleFact, before: Evaluated, at: Date): Evaluated =>
  count(evaluation, sale, before, outcomeAt(sale, before, at), before)

/** A moment at which a sale occurs, or changes: a refund, its reversal or a void. */
type Moment = { at: Date; id: string; isTimed?: boolean }
type Step = { sale: SaleFact; change: Moment | null; place: number }

/** At one instant, a change comes after the sales that were recorded before it, and always after its own sale. */
function stepsOf(sales: readonly SaleFact[]): Step[] {
  const ordered = sales.toSorted(bySale)
  const steps = ordered.map((sale, place): Step => ({ sale, change: null, place }))
  for (const [own, sale] of ordered.entries())
    for (const change of changesOf(sale))
      steps.push({ sale, change, place: Math.max(own, placeOf(ordered, change)) + 0.5 })
  const timeOf = ({ change, sale }: Step) => (change?.at ?? sale.occurredAt).getTime()
  return steps.sort((a, b) => a.place - b.place || timeOf(a) - timeOf(b))
}

/** The number of the last sale before a change. */
function placeOf(ordered: readonly SaleFact[], { at, id, isTimed }: Moment): number {
  let [place, end] = [-1, ordered.length]
  while (end - place > 1) {
    const middle = (place + end) >> 1
    if ((ordered[middle] as SaleFact).occurredAt <= at) place = middle
    else end = middle
  }
  const isAfter = (other: SaleFact | undefined) =>
    other !== undefined && other.occurredAt.getTime() === at.getTime() && !isTimed && other.id >= id
  while (isAfter(ordered[place])) place -= 1
  return place
}

const changesOf = ({ refunds, voided }: SaleFact): Moment[] => [
  ...refunds.flatMap(({ id, at, isTimed, reversedAt }) => [
    { id, at, isTimed },
    ...(reversedAt ? [{ id, at: reversedAt }] : []),
  ]),
  ...(voided ? [voided] : []),
]

function evaluateSale(state: Evaluation, sale: SaleFact): Own {
  const history = state.referrals.get(sale.referralId) ?? noHistory
  const { convertedAt, occurredAt, campaign, version } = sale
  const imported = convertedAt && convertedAt < occurredAt ? convertedAt : null
  const customerSince = earliest(state.customers.get(sale.customerKey) ?? null, imported)
  state.customers.set(sale.customerKey, customerSince ?? occurredAt)
  const terms = version ? termsAt(state, { ...sale, customerSince }, version) : campaign
  return { terms, history, earned: earnedOf(sale, terms, history) }
}

function termsAt(
  state: Evaluation,
  sale: SaleFact & SaleToReward,
  version: NonNullable<SaleFact['version']>,
): SaleCampaign {
  const chosen = chosenFor(sale.campaign, version, sale)
  return termsOf(sale.campaign, chosen, sale, countedBefore(state.account, rulesChosen(chosen), sale))
}

function earnedOf(sale: SaleFact, terms: SaleCampaign, history: History): Earned {
  const { stored } = sale
  if (stored) return stored.outcome ?? { reason: sale.isRejected || 'amount_rounds_to_zero' }
  return sale.isRejected ? { reason: sale.isRejected } : calculateCommission(terms, sale, history)
}

/** What a sale has earned when it occurs, or when a change of it does. */
function outcomeAt(sale: SaleFact, { terms, earned }: Own, now: Date | null): Outcome {
  const hasCome = (at: Date) => now !== null && at <= now
  const refunds = sale.refunds.filter(({ at, reversedAt }) => hasCome(at) && !(reversedAt && hasCome(reversedAt)))
  return outcomeOf(sale, terms, earned, refunds, sale.voided !== null && hasCome(sale.voided.at))
}

/** Counts a sale, in place of what it was before. */
function count(
  { account, referrals }: Evaluation,
  sale: SaleFact,
  { terms, history, earned }: Own,
  outcome: Outcome,
  before: Evaluated | null,
): Evaluated {
  const currency = 'reason' in earned ? sale.currency : earned.currency
  const ruleId = sale.stored ? (sale.stored.outcome?.ruleId ?? null) : (terms.applied?.id ?? null)
  const entries = entriesOf(account, sale, terms, outcome, ruleId, currency)
  if (before) add(account, before.entries, -1n)
  add(account, entries, 1n)
  if (!('reason' in earned)) {
    const { commissions, firstOccurredAt } = referrals.get(sale.referralId) ?? noHistory
    referrals.set(sale.referralId, {
      commissions: commissions + Number(outcome.isCounted) - Number(before?.outcome.isCounted ?? false),
      firstOccurredAt: firstOccurredAt ?? sale.occurredAt,
    })
  }
  return { terms, history, earned, outcome, entries }
}

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
