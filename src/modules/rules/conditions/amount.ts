import { currency, described, optional, positiveCents } from '../../../kernel/input/fields.ts'
import { problem } from '../../../kernel/input/parse.ts'
import { defineCondition } from './condition.ts'

/** Minor units as text. Both amounts are inclusive. */
export type AmountCondition = {
  minimumAmountCents?: string
  maximumAmountCents?: string
  /** Lower-case ISO 4217. Always there with an amount. */
  currency?: string
}

const moneyOf = (cents: string | undefined, code = '') =>
  cents === undefined ? null : { cents: BigInt(cents), currency: code }

export const amount = defineCondition({
  miss: { other_amount: 'The amount or the currency of the sale is another.' },
  input: {
    minimumAmountCents: optional(
      described(positiveCents(), 'Only sales of at least this amount, in minor units of `currency`.', {
        example: 10_000,
      }),
    ),
    maximumAmountCents: optional(
      described(positiveCents(), 'Only sales of at most this amount, in minor units of `currency`.', {
        example: 99_999,
      }),
    ),
    currency: optional(
      described(
        currency(),
        "Only sales in this currency, as an ISO 4217 code. With an amount it defaults to the program's currency.",
      ),
    ),
  },
  stored(given, program): AmountCondition {
    const { minimumAmountCents: least, maximumAmountCents: most } = given
    const hasAmount = least !== undefined || most !== undefined
    return {
      ...(least !== undefined && { minimumAmountCents: String(least) }),
      ...(most !== undefined && { maximumAmountCents: String(most) }),
      ...((given.currency || hasAmount) && { currency: given.currency ?? program.currency }),
    }
  },
  problems: ({ minimumAmountCents: least, maximumAmountCents: most }) =>
    least !== undefined && most !== undefined && least > most
      ? [problem('maximumAmountCents', 'must not be below the minimum amount')]
      : [],
  holds(stored, sale) {
    const { minimumAmountCents: least, maximumAmountCents: most } = stored
    if (stored.currency !== undefined && stored.currency !== sale.currency) return false
    if (least !== undefined && sale.amountCents < BigInt(least)) return false
    return most === undefined || sale.amountCents <= BigInt(most)
  },
  said({ minimumAmountCents: least, maximumAmountCents: most, currency: code }) {
    const isAlone = code !== undefined && least === undefined && most === undefined
    return { atLeast: moneyOf(least, code), atMost: moneyOf(most, code), currency: isAlone ? code.toUpperCase() : null }
  },
})
