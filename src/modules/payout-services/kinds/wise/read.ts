import { type Json, listOf, objectOf, textOf, timeOf } from '../../call.ts'
import { ourIdOf } from '../../our-ids.ts'
import { decimalMoney } from '../amounts.ts'
import type { Heard, Money } from '../kind.ts'

// What Wise's answers say, of a batch group, its transfers and their quotes.

/** What the states of a transfer mean. What is not known yet changes nothing. */
const states: Readonly<Record<string, Heard['state']>> = {
  incoming_payment_waiting: 'sent',
  incoming_payment_initiated: 'sent',
  processing: 'sent',
  funds_converted: 'sent',
  waiting_recipient_input_to_proceed: 'unclaimed',
  outgoing_payment_sent: 'paid',
  bounced_back: 'returned',
  funds_refunded: 'returned',
  charged_back: 'returned',
  cancelled: 'failed',
}

/** The state in which a transfer waits for the money. */
export const waiting = 'incoming_payment_waiting'

export type Transfer = { id: string; ourId: string | null; word: string; quoteId: string | null; body: Json }

export const transferOf = (body: Json): Transfer => ({
  id: textOf(body.id) ?? '',
  ourId: ourIdOf(textOf(body.customerTransactionId)?.toLowerCase() ?? '') || null,
  word: textOf(body.status) ?? waiting,
  quoteId: textOf(body.quoteUuid),
  body,
})

export type Group = { id: string; version: string; name: string; word: string; transferIds: ReadonlySet<string> }

export function groupOf(body: Json): Group | null {
  const id = textOf(body.id)
  const transferIds = Array.isArray(body.transferIds) ? body.transferIds.flatMap((one) => textOf(one) ?? []) : []
  return id === null
    ? null
    : {
        id,
        version: textOf(body.version) ?? '0',
        name: textOf(body.name) ?? id,
        word: textOf(body.status) ?? 'NEW',
        transferIds: new Set(transferIds),
      }
}

/** What a transfer costs. `asked` is the amount that was given: what leaves, or what arrives. */
export type Price = {
  id: string
  asked: Money | null
  source: Money | null
  target: Money | null
  fee: Money | null
  rate: string | null
  expiresAt: Date | null
}

export function priceOf(body: Json): Price {
  const options = listOf(body.paymentOptions)
  const [payIn, payOut] = ['BALANCE', textOf(body.payOut)]
  // The fee depends on how the money comes and goes.
  const option =
    options.find((one) => textOf(one.payIn) === payIn && (payOut === null || textOf(one.payOut) === payOut)) ??
    options.find((one) => textOf(one.payIn) === payIn) ??
    options[0] ??
    {}
  const source = decimalMoney(option.sourceAmount ?? body.sourceAmount, body.sourceCurrency)
  const target = decimalMoney(option.targetAmount ?? body.targetAmount, body.targetCurrency)
  const isOfSource = textOf(body.providedAmountType) === 'SOURCE'
  return {
    id: textOf(body.id) ?? '',
    asked: isOfSource ? source : target,
    source,
    target,
    fee: decimalMoney(objectOf(option.fee).total, body.sourceCurrency),
    rate: textOf(body.rate),
    expiresAt: timeOf(option.expirationTime ?? body.expirationTime) ?? timeOf(body.rateExpirationTime),
  }
}

/** What a transfer says. Its amounts are those of its quote: without it, they are not known. */
export function heardOf({ id, ourId, word, body }: Transfer, price: Price | null): Heard {
  const { asked = null, target = null, fee = null } = price ?? {}
  const isSame = asked !== null && asked.cents === target?.cents && asked.currency === target.currency
  const isExchanged = textOf(body.sourceCurrency) !== textOf(body.targetCurrency)
  return {
    ourId,
    serviceId: id,
    word,
    state: states[word] ?? null,
    at: null,
    amount: asked,
    reference: id,
    reason: word === 'cancelled' ? 'Wise has cancelled the transfer.' : null,
    fee,
    exchangeRate: isExchanged ? (textOf(body.rate) ?? price?.rate ?? null) : null,
    received: asked === null || isSame ? null : target,
    isFunded: word !== waiting && word !== 'cancelled',
  }
}
