import { calculateCommission, type Earned, type History } from '../../commissions/calculate.ts'
import { noHistory } from '../../commissions/new-commission.ts'
import { chosenFor, rulesChosen, termsOf } from '../../rules/apply.ts'
import type { SaleToReward } from '../../rules/rule.ts'
import type { SaleCampaign } from '../report/facts.ts'
import { type Account, add, countedBefore, entriesOf, newAccount } from './account.ts'
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
}

type State = {
  account: Account
  /** When each customer bought first. */
  customers: Map<string, Date>
  referrals: Map<string, History>
  /** What the sale has added to the sums. */
  entries: Map<string, ReturnType<typeof entriesOf>>
}

/**
 * What each sale should have earned: a function of the facts, in the order in which they occurred. It knows nothing of
 * the order in which they were heard of. First payments, new customers and limits follow from the sales of a customer;
 * caps and tiers from those of an affiliate. A refund or a void counts from its own time on: sales that occurred before
 * keep what they earned.
 * @param sales complete for each customer, and for each affiliate whose caps or tiers count, in any order
 */
export function evaluate(sales: readonly SaleFact[], timeZone: string): Map<string, Evaluated> {
  const rules = [...new Set(sales.map(({ version }) => version))].flatMap((version) => version?.rules ?? [])
  const state: State = {
    account: newAccount(timeZone, rules),
    customers: new Map(),
    referrals: new Map(),
    entries: new Map(),
  }
  const results = new Map<string, Evaluated>()
  for (const { sale, change } of stepsOf(sales)) {
    const before = results.get(sale.id)
    const evaluated = before ?? evaluateSale(state, sale)
    const outcome = outcomeAt(sale, evaluated, change)
    count(state, sale, evaluated, outcome, before?.outcome ?? null)
    results.set(sale.id, { ...evaluated, outcome })
  }
  return results
}

/** A moment at which a sale occurs, or changes: a refund, its reversal or a void. */
type Moment = { at: Date; id: string; isTimed?: boolean }
type Step = { sale: SaleFact; change: Moment | null; place: number }

/** At one instant, a change comes after the sales that were recorded before it, and always after its own sale. */
function stepsOf(sales: readonly SaleFact[]): Step[] {
  const ordered = sales.toSorted(bySale)
  const steps = ordered.map((sale, place): Step => ({ sale, change: null, place }))
  for (const [own, sale] of ordered.entries())
    for (const change of changesOf(sale)) {
      const isBefore = (other: SaleFact) =>
        other.occurredAt < change.at ||
        (other.occurredAt.getTime() === change.at.getTime() && (change.isTimed || other.id < change.id))
      steps.push({ sale, change, place: Math.max(own, ordered.findLastIndex(isBefore)) + 0.5 })
    }
  const timeOf = ({ change, sale }: Step) => (change?.at ?? sale.occurredAt).getTime()
  return steps.sort((a, b) => a.place - b.place || timeOf(a) - timeOf(b))
}

const changesOf = ({ refunds, voided }: SaleFact): Moment[] => [
  ...refunds.flatMap(({ id, at, isTimed, reversedAt }) => [
    { id, at, isTimed },
    ...(reversedAt ? [{ id, at: reversedAt }] : []),
  ]),
  ...(voided ? [voided] : []),
]

function evaluateSale(state: State, sale: SaleFact): Omit<Evaluated, 'outcome'> {
  const history = state.referrals.get(sale.referralId) ?? noHistory
  const { convertedAt, occurredAt, campaign, version } = sale
  const imported = convertedAt && convertedAt < occurredAt ? convertedAt : null
  const customerSince = earliest(state.customers.get(sale.customerKey) ?? null, imported)
  state.customers.set(sale.customerKey, customerSince ?? occurredAt)
  const terms = version ? termsAt(state, { ...sale, customerSince }, version) : campaign
  return { terms, history, earned: earnedOf(sale, terms, history) }
}

function termsAt(state: State, sale: SaleFact & SaleToReward, version: NonNullable<SaleFact['version']>): SaleCampaign {
  const chosen = chosenFor(sale.campaign, version, sale)
  return termsOf(sale.campaign, chosen, sale, countedBefore(state.account, rulesChosen(chosen), sale))
}

function earnedOf(sale: SaleFact, terms: SaleCampaign, history: History): Earned {
  const { stored } = sale
  if (stored) return stored.outcome ?? { reason: sale.isRejected || 'amount_rounds_to_zero' }
  return sale.isRejected ? { reason: sale.isRejected } : calculateCommission(terms, sale, history)
}

/** What a sale has earned when it occurs, or when a change of it does. */
function outcomeAt(sale: SaleFact, { terms, earned }: Omit<Evaluated, 'outcome'>, change: Moment | null): Outcome {
  const hasCome = (at: Date) => change !== null && at <= change.at
  const refunds = sale.refunds.filter(({ at, reversedAt }) => hasCome(at) && !(reversedAt && hasCome(reversedAt)))
  return outcomeOf(sale, terms, earned, refunds, sale.voided !== null && hasCome(sale.voided.at))
}

/** Counts a sale, in place of what it was before. */
function count(
  state: State,
  sale: SaleFact,
  { earned, terms }: Omit<Evaluated, 'outcome'>,
  outcome: Outcome,
  before: Outcome | null,
): void {
  const currency = 'reason' in earned ? sale.currency : earned.currency
  const ruleId = sale.stored ? (sale.stored.outcome?.ruleId ?? null) : (terms.applied?.id ?? null)
  const entries = entriesOf(state.account, sale, outcome, ruleId, currency)
  add(state.account, state.entries.get(sale.id) ?? [], -1n)
  add(state.account, entries, 1n)
  state.entries.set(sale.id, entries)
  if ('reason' in earned) return
  const { commissions, firstOccurredAt } = state.referrals.get(sale.referralId) ?? noHistory
  state.referrals.set(sale.referralId, {
    commissions: commissions + Number(outcome.isCounted) - Number(before?.isCounted ?? false),
    firstOccurredAt: firstOccurredAt ?? sale.occurredAt,
  })
}

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
