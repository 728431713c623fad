import { byCurrency } from '../../../kernel/money/currency-order.ts'
import { formatMoney } from '../../parts/format.tsx'

type Amount = { currency: string; amountCents: number }

/** The sums by currency, in words: "€12.00 and $3.50". Amounts in different currencies are never added. */
export function totalsOf(amounts: readonly Amount[], program: { currency: string }): string {
  const sums = new Map<string, bigint>()
  for (const { currency, amountCents } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amountCents))
  const words = [...sums]
    .map(([currency, sum]) => ({ currency, sum }))
    .sort(byCurrency(program.currency))
    .map(({ currency, sum }) => formatMoney(sum, currency))
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}
