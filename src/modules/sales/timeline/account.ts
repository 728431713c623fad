import { type Period, periodOf, periods } from '../../../kernel/periods.ts'
import { type CountedByRule, countsSales, currencyOf } from '../../rules/apply.ts'
import { needsUse } from '../../rules/cap.ts'
import type { StoredRule } from '../../rules/rule.ts'
import type { Standing } from '../../rules/tiers.ts'
import type { SaleFact } from './fact.ts'
import type { Outcome } from './outcome.ts'

/** What affiliates have sold and earned so far: sums by what is counted, and in which period. */
export type Account = {
  sums: Map<string, bigint>
  timeZone: string
  hasTiers: boolean
  /** The rules whose cap counts earlier sales. */
  capped: ReadonlySet<string>
  /** The keys of periods that were calculated: a time zone takes longer than anything else here. */
  spans: Map<string, string>
}

export const newAccount = (timeZone: string, rules: readonly StoredRule[]): Account => ({
  sums: new Map(),
  timeZone,
  hasTiers: rules.some(({ reward }) => reward.kind === 'tiers'),
  capped: new Set(rules.filter(({ cap }) => needsUse(cap)).map(({ id }) => id)),
  spans: new Map(),
})

type Entry = readonly [key: string, cents: bigint]
type Place = Pick<SaleFact, 'affiliateId' | 'campaignId' | 'occurredAt'>

const sumOf = ({ sums }: Account, key: string): bigint => sums.get(key) ?? 0n

function spanKey({ spans, timeZone }: Account, { occurredAt }: Place, period: Period): string {
  const key = `${period} ${occurredAt.getTime()}`
  const span = spans.get(key) ?? `${period} ${periodOf(occurredAt, period, timeZone).from?.getTime() ?? ''}`
  spans.set(key, span)
  return span
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

function standingBefore(account: Account, rule: StoredRule, sale: SaleFact): Standing {
  if (rule.reward.kind !== 'tiers') return { conversions: 0n, revenueCents: 0n, commissionsCents: 0n }
  const span = spanKey(account, sale, rule.reward.period)
  const measured = (measure: string) => sumOf(account, measureKey(sale, span, measure))
  return {
    conversions: measured('conversions'),
    revenueCents: measured(`revenue ${sale.currency}`),
    commissionsCents: measured(`commissions ${currencyOf(rule, sale)}`),
  }
}

/** What a sale adds to the sums. @param ruleId that of the rule for the whole sale @param currency of the commission */
export function entriesOf(
  account: Account,
  sale: SaleFact,
  outcome: Outcome,
  ruleId: string | null,
  currency: string,
): Entry[] {
  const capped = [...(ruleId === null ? [] : [[ruleId, outcome.cents] as const]), ...outcome.byProductRule]
  const counted = capped.filter(([id]) => account.capped.has(id))
  const caps = counted.flatMap(([id, cents]) =>
    (['month', 'year'] as const).map((period): Entry => {
      return [capKey(id, sale, currency, spanKey(account, sale, period)), cents]
    }),
  )
  if (!account.hasTiers || sale.isRejected) return caps
  const conversions = sale.refunds.length > 0 && outcome.saleCents <= 0n ? 0n : 1n
  return [
    ...caps,
    ...periods.flatMap((period): Entry[] => {
      const span = spanKey(account, sale, period)
      return [
        [measureKey(sale, span, 'conversions'), conversions],
        [measureKey(sale, span, `revenue ${sale.currency}`), outcome.saleCents],
        [measureKey(sale, span, `commissions ${currency}`), outcome.cents],
      ]
    }),
  ]
}

export function add({ sums }: Account, entries: readonly Entry[], sign: 1n | -1n): void {
  for (const [key, cents] of entries) sums.set(key, (sums.get(key) ?? 0n) + cents * sign)
}
