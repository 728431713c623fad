import { readFields } from '../../../kernel/input/parse.ts'
import type { KnownSale } from '../signals/sale-facts.ts'
import { reportConversionInput } from './input.ts'

/** How a repeated report differs from the sale, in what decides about money. Unreadable values are ignored. */
export function differencesOf(sale: KnownSale, given: unknown): string[] {
  const { amountCents, currency } = readFields(reportConversionInput, given).readable
  return [
    ...(amountCents !== undefined && amountCents !== sale.amountCents
      ? [`The amount was ${sale.amountCents} and is ${amountCents} now.`]
      : []),
    ...(currency !== undefined && currency !== sale.currency
      ? [`The currency was ${sale.currency} and is ${currency} now.`]
      : []),
  ]
}
