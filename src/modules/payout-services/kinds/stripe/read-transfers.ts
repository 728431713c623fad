import { fromStripeUnits } from '../../../../kernel/money/stripe-units.ts'
import { type Json, listOf, objectOf, textOf } from '../../call.ts'
import { type Heard, type Money, nothingSaid } from '../kind.ts'
import { ourNames } from './read.ts'

// What API v1 says of transfers.

/** An amount of API v1: a whole number, and the currency beside it. */
export function unitsOf({ amount, currency }: Json): Money | [] {
  const code = textOf(currency)?.toLowerCase()
  if (code === undefined || !Number.isSafeInteger(amount)) return []
  return { cents: fromStripeUnits(BigInt(amount as number), code), currency: code }
}

const secondsOf = (value: unknown): Date | null =>
  Number.isSafeInteger(value) ? new Date(Number(value) * 1_000) : null

/** A transfer arrives at once. It can be reversed, as a whole or in parts. Empty if it has no id. */
export function transferOf(body: Json): Heard[] {
  const serviceId = textOf(body.id)
  if (serviceId === null) return []
  const ourId = textOf(objectOf(body.metadata)[ourNames.payment])
  const word = body.reversed === true ? 'reversed' : 'paid'
  const said = (state: Heard['state'], given: Json, reason: string | null): Heard => {
    const amount = unitsOf(given)
    return {
      ...nothingSaid,
      ourId,
      serviceId,
      word,
      state,
      reason,
      amount: Array.isArray(amount) ? null : amount,
      at: secondsOf(given.created),
      reference: textOf(given.id),
    }
  }
  const reversals = listOf(objectOf(body.reversals).data)
  return [
    said('paid', body, null),
    ...reversals.map((one) => said('reversed', one, 'The transfer was reversed at Stripe.')),
  ]
}
