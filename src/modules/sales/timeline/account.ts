import { type Period, periodOf, periods } from '../../../kernel/periods.ts'
import { type CountedByRule, countsSales, currencyOf } from '../../rules/apply.ts'
import { needsUse } from '../../rules/cap.ts'
import type { StoredRule } from '../../rules/rule.ts'
import type { Standing } from '../../rules/tiers.ts'
import type { SaleFact } from './fact.ts'
import type { Outcome } from './outcome.ts'

/** What affiliates have sold and earned so far: sums by what is counted, and in which period. */
export type Account = { sums: Map<string, bigint>; timeZone: string; hasTiers: boolean }

export const newAccount = (timeZone: string, rules: Iterable<StoredRule>): Account => ({
  sums: new Map(),
  timeZone,
  hasTiers: [...rules].some(({ reward }) => reward.kind === 'tiers'),
})

type Entry = readonly [key: string, cents: bigint]
type Place = Pick<SaleFact, 'affiliateId' | 'campaignId' | 'occurredAt'>

const sumOf = ({ sums }: Account, key: string): bigint => sums.get(key) ?? 0n

const spanKey = ({ occurredAt }: Place, period: Period, timeZone: string): string =>
  `${period} ${periodOf(occurredAt, period, timeZone).from?.getTime() ?? ''}`

const capKey = (ruleId: string, { affiliateId }: Place, currency: string, span: string): string =>
  `cap ${ruleId} ${affiliateId} ${currency} ${span}`

const measureKey = ({ affiliateId, campaignId }: Place, span: string, measure: string): string =>
  `measure ${campaignId} ${affiliateId} ${span} ${measure}`

/** What the caps and the tiers of rules count before a sale. */
export function countedBefore(account: Account, rules: readonly StoredRule[], sale: SaleFact): CountedByRule {
  const { timeZone } = account
  const used = (rule: StoredRule, period: 'month' | 'year'): bigint =>
    needsUse(rule.cap)
      ? sumOf(account, capKey(rule.id, sale, currencyOf(rule, sale), spanKey(sale, period, timeZone)))
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
  const span = spanKey(sale, rule.reward.period, account.timeZone)
  const measured = (measure: string) => sumOf(account, measureKey(sale, span, measure))
  return {
    conversions: measured('conversions'),
    revenueCents: measured(`revenue ${sale.currency}`),
    commissionsCents: measured(`commissions ${currencyOf(rule, sale)}`),
  }
}

/** What a sale adds to the sums. @param ruleId that of the rule for the whole sale @param currency of the commission */
export function entriesOf(
  { timeZone, hasTiers }: Account,
  sale: SaleFact,
  outcome: Outcome,
  ruleId: string | null,
  currency: string,
): Entry[] {
  const capped = [...(ruleId === null ? [] : [[ruleId, outcome.cents] as const]), ...outcome.byProductRule]
  const caps = capped.flatMap(([id, cents]) =>
    (['month', 'year'] as const).map((period): Entry => {
      return [capKey(id, sale, currency, spanKey(sale, period, timeZone)), cents]
    }),
  )
  if (!hasTiers || sale.isRejected) return caps
  const conversions = sale.refunds.length > 0 && outcome.saleCents <= 0n ? 0n : 1n
  return [
    ...caps,
    ...periods.flatMap((period): Entry[] => {
      const span = spanKey(sale, period, timeZone)
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
