import { decimalsOf } from '../../../../kernel/money/decimals.ts'
import { fromStripeUnits } from '../../../../kernel/money/stripe-units.ts'
import { stripeAddressOf } from '../../../payout-methods/stripe/address.ts'
import { type Json, listOf, objectOf, textOf, timeOf } from '../../call.ts'
import type { Heard, Money, Verified } from '../kind.ts'

// What Stripe's answers say, of financial accounts, payments and recipients.

/** The names of our ids in `metadata`. */
export const ourNames = { payment: 'tributary_payment', batch: 'tributary_batch', affiliate: 'tributary_affiliate' }

export function moneyOf(value: unknown): Money | null {
  const { value: amount, currency } = objectOf(value)
  const code = textOf(currency)?.toLowerCase()
  if (code === undefined || !Number.isSafeInteger(amount)) return null
  return { cents: fromStripeUnits(BigInt(amount as number), code), currency: code }
}

export const balancesOf = (account: Json): Money[] =>
  Object.values(objectOf(objectOf(account.balance).available)).flatMap((one) => moneyOf(one) ?? [])

/** What the states of a payment mean, and when each of them began. */
const states: Readonly<Record<string, { state: Heard['state']; at: string | null }>> = {
  processing: { state: 'sent', at: null },
  posted: { state: 'paid', at: 'posted_at' },
  failed: { state: 'failed', at: 'failed_at' },
  canceled: { state: 'failed', at: 'canceled_at' },
  returned: { state: 'returned', at: 'returned_at' },
}

export const batchIdOf = (payment: Json): string | null => textOf(objectOf(payment.metadata)[ourNames.batch])

export function paymentOf(payment: Json): Heard {
  const word = textOf(payment.status) ?? 'processing'
  const known = states[word]
  const amount = moneyOf(payment.amount)
  const received = moneyOf(objectOf(payment.to).credited)
  const details = objectOf(payment.status_details)
  const ofState = objectOf(details[word])
  const isChanged = received !== null && amount !== null && received.currency !== amount.currency
  return {
    ourId: textOf(objectOf(payment.metadata)[ourNames.payment]),
    serviceId: textOf(payment.id),
    word,
    state: known?.state ?? null,
    at: known?.at ? timeOf(objectOf(payment.status_transitions)[known.at]) : timeOf(payment.created),
    amount,
    reference: textOf(objectOf(payment.trace_id).value) ?? textOf(payment.id),
    reason: known?.state === 'failed' || known?.state === 'returned' ? (textOf(ofState.reason) ?? word) : null,
    fee: null,
    exchangeRate: isChanged ? rateOf(received, amount) : null,
    received: isChanged ? received : null,
  }
}

/** Stripe says both amounts, and no rate of a payment that was made. Units of the one for a unit of the other. */
function rateOf(received: Money, amount: Money): string | null {
  if (amount.cents === 0n) return null
  const unitOf = ({ currency }: Money) => 10n ** BigInt(decimalsOf(currency))
  const millionths = (received.cents * unitOf(amount) * 1_000_000n) / (amount.cents * unitOf(received))
  return (Number(millionths) / 1_000_000).toString()
}

/** Whether a recipient can be paid, where, and what Stripe still asks for. */
export function recipientOf(account: Json, id: string): Verified {
  const { capabilities, default_outbound_destination: destination } = objectOf(
    objectOf(account.configuration).recipient,
  )
  const address = stripeAddressOf(id, textOf(objectOf(destination).id))
  const { bank_accounts: banks, cards } = objectOf(capabilities)
  const all = [...Object.values(objectOf(banks)), cards].map(objectOf)
  const isReady = all.some(({ status }) => status === 'active')
  if (isReady) return { isReady, missing: null, address }
  const entries = listOf(objectOf(account.requirements).entries)
  const asked = entries.flatMap(({ description }) => textOf(description) ?? [])
  const missing = asked.length > 0 ? [...new Set(asked)].slice(0, 5).join(', ') : 'payout details'
  return { isReady, missing, address }
}
