import { periodOf } from '../../kernel/periods.ts'
import { type CountedByRule, countsSales } from '../rules/apply.ts'
import { capPeriods, needsUse } from '../rules/cap.ts'
import type { StoredRule } from '../rules/rule.ts'
import { earnedByStep, type Standing, stepAt, type Tiers, wholePeriodTiers } from '../rules/tiers.ts'
import type { Replayed, ReplayedLine } from '../simulations/replay.ts'

/** What affiliates have sold and earned, as far as a replay has come: sums by what is counted, and in which period. */
export type Account = {
  sums: Map<string, bigint>
  /** By rule, affiliate, period and currency: what the sales of the period earn by each step, and have earned. */
  whole: Map<string, { bySteps: bigint[]; earnedCents: bigint }>
}

export const newAccount = (): Account => ({ sums: new Map(), whole: new Map() })

/** A sale that is replayed. `currency` is that of its commission. */
export type ReplayedSale = {
  affiliateId: string
  campaignId: string
  currency: string
  saleCurrency: string
  occurredAt: Date
  timeZone: string
  /** After refunds. */
  remainingCents: bigint
  isDenied: boolean
}

const sumOf = ({ sums }: Account, key: string): bigint => sums.get(key) ?? 0n
const add = ({ sums }: Account, key: string, cents: bigint) => sums.set(key, (sums.get(key) ?? 0n) + cents)

function capKeys({ id }: StoredRule, { affiliateId, currency, occurredAt, timeZone }: ReplayedSale) {
  const { month, year } = capPeriods(occurredAt, timeZone)
  const key = `${id} ${affiliateId} ${currency}`
  return { month: `${key} month ${month.from?.getTime()}`, year: `${key} year ${year.from?.getTime()}` }
}

const placeOf = ({ period }: Tiers, { affiliateId, campaignId, occurredAt, timeZone }: ReplayedSale): string =>
  `${campaignId} ${affiliateId} ${period} ${periodOf(occurredAt, period, timeZone).from?.getTime()}`

function standingAt(account: Account, place: string, sale: Pick<ReplayedSale, 'currency' | 'saleCurrency'>): Standing {
  return {
    conversions: sumOf(account, `${place} conversions`),
    revenueCents: sumOf(account, `${place} revenue ${sale.saleCurrency}`),
    commissionsCents: sumOf(account, `${place} commissions ${sale.currency}`),
  }
}

/** What the caps and the tiers of rules count before a sale. */
export function countedBefore(account: Account, rules: readonly StoredRule[], sale: ReplayedSale): CountedByRule {
  const counting = rules.filter(countsSales)
  return new Map(
    counting.map((rule) => {
      const keys = needsUse(rule.cap) ? capKeys(rule, sale) : null
      const use = {
        monthCents: keys ? sumOf(account, keys.month) : 0n,
        yearCents: keys ? sumOf(account, keys.year) : 0n,
      }
      const place = rule.reward.kind === 'tiers' ? placeOf(rule.reward, sale) : ''
      return [rule.id, { use, standing: standingAt(account, place, sale) }]
    }),
  )
}

type Earned = NonNullable<Replayed['earned']>

/** The parts of a sale that earn by a rule. A sale without lines is one. */
function partsUnder(rule: StoredRule, sale: ReplayedSale, { lines, amountCents }: Earned): readonly ReplayedLine[] {
  if (!lines) return [{ ruleId: null, saleCents: sale.remainingCents, cents: amountCents, quantity: 1 }]
  return lines.filter(({ ruleId }) => ruleId === (rule.conditions.productIds ? rule.id : null))
}

/**
 * Counts a sale and what it has earned. Returns the corrections that follow, because it takes the affiliate over a
 * threshold of tiers for the whole period.
 * @param all rules of the campaign @param rules those that apply to the sale or to items of it
 */
export function count(
  account: Account,
  all: readonly StoredRule[],
  rules: readonly StoredRule[],
  sale: ReplayedSale,
  earned: Earned | null,
): { currency: string; amountCents: bigint }[] {
  for (const rule of rules) {
    if (!earned || !needsUse(rule.cap)) continue
    const cents = rule.conditions.productIds ? sumBy(partsUnder(rule, sale, earned)) : earned.amountCents
    for (const key of Object.values(capKeys(rule, sale))) add(account, key, cents)
  }
  if (sale.isDenied) return []
  const tiered = all.flatMap(({ reward }) => (reward.kind === 'tiers' ? [reward] : []))
  for (const place of new Set(tiered.map((tiers) => placeOf(tiers, sale)))) {
    if (sale.remainingCents > 0n) add(account, `${place} conversions`, 1n)
    add(account, `${place} revenue ${sale.saleCurrency}`, sale.remainingCents)
    add(account, `${place} commissions ${sale.currency}`, earned?.amountCents ?? 0n)
  }
  return all.flatMap((other) => {
    const tiers = wholePeriodTiers(other)
    if (!tiers) return []
    const place = placeOf(tiers, sale)
    const key = `${other.id} ${place} ${sale.currency}`
    const whole = account.whole.get(key) ?? { bySteps: tiers.steps.map(() => 0n), earnedCents: 0n }
    if (earned && rules.includes(other)) {
      const parts = partsUnder(other, sale, earned)
      whole.bySteps = whole.bySteps.map((cents, step) =>
        parts.reduce((sum, part) => sum + earnedByStep(tiers, step, part.saleCents, part.quantity), cents),
      )
      whole.earnedCents += sumBy(parts)
      account.whole.set(key, whole)
    }
    const standing = standingAt(account, place, sale)
    const amountCents = (whole.bySteps[stepAt(tiers, standing)] ?? 0n) - whole.earnedCents
    whole.earnedCents += amountCents
    return amountCents === 0n ? [] : [{ currency: sale.currency, amountCents }]
  })
}

const sumBy = (parts: readonly ReplayedLine[]): bigint => parts.reduce((sum, { cents }) => sum + cents, 0n)
