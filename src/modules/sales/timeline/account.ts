import { type Period, periodOf, periods } from '../../../kernel/periods.ts'
import { type CountedByRule, countsSales, currencyOf } from '../../rules/apply.ts'
import { needsUse } from '../../rules/cap.ts'
import { tiersOf } from '../../rules/rewards/all.ts'
import type { Tiers } from '../../rules/rewards/tiers.ts'
import type { StoredRule } from '../../rules/rule.ts'
import { earnedByStep, nothingSold, type SoldInPeriod, stepAt, wholePeriodTiers } from '../../rules/tiers.ts'
import type { SaleCampaign } from '../signals/sale-facts.ts'
import type { SaleFact } from './fact.ts'
import type { Outcome } from './outcome.ts'

/** What affiliates have sold and earned so far: sums by what is counted, and in which period. */
export type Account = {
  sums: Map<string, bigint>
  timeZone: string
  /** The periods of tiers. */
  tiered: readonly Period[]
  /** The rules whose cap counts earlier sales. */
  capped: ReadonlySet<string>
  /** The periods that were calculated: a time zone takes longer than anything else here. */
  spans: Map<Period, Span[]>
  /** Those of sales and of what they earned by tiers for the whole period. */
  currencies: Map<string, Currencies>
}

type Span = { from: number; to: number; key: string }
type Currencies = { sale: string; commission: string }

export const newAccount = (timeZone: string, rules: readonly StoredRule[]): Account => ({
  sums: new Map(),
  timeZone,
  tiered: [...new Set(rules.flatMap((rule) => tiersOf(rule)?.period ?? []))],
  capped: new Set(rules.filter(({ cap }) => needsUse(cap)).map(({ id }) => id)),
  spans: new Map(periods.map((period) => [period, []])),
  currencies: new Map(),
})

export type Entry = readonly [key: string, cents: bigint]
type Place = Pick<SaleFact, 'affiliateId' | 'campaignId' | 'occurredAt'>

const sumOf = ({ sums }: Account, key: string): bigint => sums.get(key) ?? 0n

function spanKey({ spans, timeZone }: Account, { occurredAt }: Place, period: Period): string {
  const at = occurredAt.getTime()
  const knownSpans = spans.get(period) as Span[]
  const found = knownSpans.findLast(({ from, to }) => from <= at && at < to)
  if (found) return found.key
  const span = periodOf(occurredAt, period, timeZone)
  const [from, to] = [span.from?.getTime() ?? -Infinity, span.to?.getTime() ?? Infinity]
  const key = `${period} ${from}`
  knownSpans.push({ from, to, key })
  return key
}

const capKey = (ruleId: string, { affiliateId }: Place, currency: string, span: string): string =>
  `cap ${ruleId} ${affiliateId} ${currency} ${span}`

const measureKey = ({ affiliateId, campaignId }: Place, span: string, measure: string): string =>
  `measure ${campaignId} ${affiliateId} ${span} ${measure}`

/** What the caps and the tiers of rules count before a sale. */
export function countedBefore(account: Account, rules: readonly StoredRule[], sale: SaleFact): CountedByRule {
  const used = (rule: StoredRule, period: 'month' | 'year'): bigint =>
    needsUse(rule.cap)
      ? sumOf(account, capKey(rule.id, sale, currencyOf(rule, sale), spanKey(account, sale, period)))
      : 0n
  return new Map(
    rules.filter(countsSales).map((rule) => {
      const use = { monthCents: used(rule, 'month'), yearCents: used(rule, 'year') }
      return [rule.id, { use, standing: standingBefore(account, rule, sale) }]
    }),
  )
}

function standingBefore(account: Account, rule: StoredRule, sale: SaleFact): SoldInPeriod {
  const tiers = tiersOf(rule)
  if (!tiers) return nothingSold
  return standingIn(account, sale, tiers.period, { sale: sale.currency, commission: currencyOf(rule, sale) })
}

function standingIn(account: Account, of: Place, period: Period, { sale, commission }: Currencies): SoldInPeriod {
  const span = spanKey(account, of, period)
  const measured = (measure: string) => sumOf(account, measureKey(of, span, measure))
  return {
    conversions: measured('conversions'),
    revenueCents: measured(`revenue ${sale}`),
    commissionsCents: measured(`commissions ${commission}`),
  }
}

/** What a sale adds to the sums. @param ruleId that of the rule for the whole sale @param currency of the commission */
export function entriesOf(
  account: Account,
  sale: SaleFact,
  terms: SaleCampaign,
  outcome: Outcome,
  ruleId: string | null,
  currency: string,
): Entry[] {
  const ofLines = outcome.lines.flatMap((line) => (line.ruleId === null ? [] : [[line.ruleId, line.cents] as const]))
  const capped = [...(ruleId === null ? [] : [[ruleId, outcome.cents] as const]), ...ofLines]
  const counted = capped.filter(([id]) => account.capped.has(id))
  const caps = counted.flatMap(([id, cents]) =>
    (['month', 'year'] as const).map((period): Entry => {
      return [capKey(id, sale, currency, spanKey(account, sale, period)), cents]
    }),
  )
  if (account.tiered.length === 0 || sale.isRejected) return caps
  const conversions = sale.refunds.length > 0 && outcome.saleCents <= 0n ? 0n : 1n
  return [
    ...caps,
    ...account.tiered.flatMap((period): Entry[] => {
      const span = spanKey(account, sale, period)
      return [
        [measureKey(sale, span, 'conversions'), conversions],
        [measureKey(sale, span, `revenue ${sale.currency}`), outcome.saleCents],
        [measureKey(sale, span, `commissions ${currency}`), outcome.cents],
      ]
    }),
    ...wholeEntries(account, sale, terms, outcome, currency),
  ]
}

export function add({ sums }: Account, entries: readonly Entry[], sign: 1n | -1n): void {
  for (const [key, cents] of entries) sums.set(key, (sums.get(key) ?? 0n) + cents * sign)
}

const wholeKey = (account: Account, id: string, of: Place, { period }: Tiers, currencies: Currencies): string =>
  `${measureKey(of, spanKey(account, of, period), 'whole')} ${id} ${currencies.sale} ${currencies.commission}`

/** What the parts of a sale under tiers for the whole period earn by each step, and have earned. */
function wholeEntries(
  account: Account,
  sale: SaleFact,
  { tier, itemTerms = [], applied }: SaleCampaign,
  { lines }: Outcome,
  commission: string,
): Entry[] {
  const ofItems = itemTerms.flatMap((terms) =>
    terms?.tier ? [{ id: terms.rule.id, ruleId: terms.rule.id, ...terms.tier }] : [],
  )
  const all = [...(tier && applied?.id ? [{ id: applied.id, ruleId: null, ...tier }] : []), ...ofItems]
  const whole = new Map(all.filter(({ tiers }) => tiers.appliesTo === 'whole_period').map((one) => [one.id, one]))
  const currencies = { sale: sale.currency, commission }
  return [...whole.values()].flatMap(({ id, ruleId, tiers }): Entry[] => {
    account.currencies.set(`${sale.currency} ${commission}`, currencies)
    const key = wholeKey(account, id, sale, tiers, currencies)
    const parts = lines.filter((line) => line.ruleId === ruleId)
    return [
      [key, parts.reduce((sum, { cents }) => sum + cents, 0n)],
      ...tiers.steps.map((_, step): Entry => {
        const cents = parts.map((part) => earnedByStep(tiers, step, part.saleCents, part.quantity))
        return [`${key} ${step}`, cents.reduce((sum, one) => sum + one, 0n)]
      }),
    ]
  })
}

/**
 * The corrections that follow from a sale, so that all sales of the period earn by the step that its affiliate has
 * reached. They are counted as earned.
 */
export function correctionsAfter(account: Account, sale: SaleFact): { currency: string; amountCents: bigint }[] {
  return (sale.version?.rules ?? []).flatMap((rule) => {
    const tiers = wholePeriodTiers(rule)
    if (!tiers) return []
    return [...account.currencies.values()].flatMap((currencies) => {
      const key = wholeKey(account, rule.id, sale, tiers, currencies)
      const step = stepAt(tiers, standingIn(account, sale, tiers.period, currencies))
      const amountCents = sumOf(account, `${key} ${step}`) - sumOf(account, key)
      add(account, [[key, amountCents]], 1n)
      return amountCents === 0n ? [] : [{ currency: currencies.commission, amountCents }]
    })
  })
}
