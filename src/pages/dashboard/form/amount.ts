import { type AmountProblem, exampleAmount, readAmount } from '../../parts/amount.ts'
import { texts } from '../texts.ts'

const problems: Record<AmountProblem, (currency: string, example: string) => string> = {
  notAmount: texts.money.notAmount,
  ambiguous: texts.money.ambiguousAmount,
}

/** What is wrong with an amount that was typed, or undefined. */
export function amountProblem(typed: string, currency: string): string | undefined {
  const read = readAmount(typed, currency)
  return typeof read === 'string' ? problems[read](currency.toUpperCase(), exampleAmount(currency)) : undefined
}

/** An amount in minor units, or null for other text. */
export function centsOf(typed: string, currency: string): bigint | null {
  const read = readAmount(typed, currency)
  return typeof read === 'string' ? null : read
}
