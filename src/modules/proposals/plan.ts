import type { RulePlan } from '../rule-plans/service.ts'
import { sumsOf } from './changes.ts'
import { counted, type Effect, sumsInWords } from './kind.ts'

/** What other rules would have cost for the sales of the range of their plan. */
export async function effectOfPlan({ proposals, since, cost }: RulePlan): Promise<Effect> {
  const changes = proposals.flatMap((one) => one.changes)
  const { sales, changedSales, currencies } = await cost()
  const sum = (side: 'before' | 'after') =>
    sumsOf(currencies.map((one) => [one.currency, one[side].amountCents] as const))
  const money = sumsOf(
    currencies.map(({ currency, before, after }) => [currency, after.amountCents - before.amountCents] as const),
  )
  const kinds = (['created', 'changed', 'ended'] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [`${counted(count, 'rule')} ${kind}`]
  })
  return {
    text: `Commission rules: ${kinds.join(', ') || 'nothing changes'}. Since ${since.toISOString().slice(0, 10)}, ${changedSales} of ${counted(sales, 'sale')} would have earned something else: ${sumsInWords(sum('after'))} instead of ${sumsInWords(sum('before'))}.`,
    money,
  }
}
