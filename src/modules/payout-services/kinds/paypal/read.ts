import { type Json, listOf, objectOf, textOf, timeOf } from '../../call.ts'
import type { RefusedPayment } from '../../problem.ts'
import { decimalMoney } from '../amounts.ts'
import type { BatchToSend, Heard, HeardBatch, Money } from '../kind.ts'

// What PayPal's answers say, of a batch and of its items.

export function moneyOf(value: unknown): Money | null {
  const { currency, value: amount } = objectOf(value)
  return decimalMoney(amount, currency)
}

/** What the states of an item mean. What is not known yet changes nothing. */
const states: Readonly<Record<string, Heard['state']>> = {
  NEW: 'sent',
  PENDING: 'sent',
  ONHOLD: 'sent',
  SUCCESS: 'paid',
  FAILED: 'failed',
  BLOCKED: 'failed',
  DENIED: 'failed',
  CANCELED: 'failed',
  UNCLAIMED: 'unclaimed',
  RETURNED: 'returned',
  REFUNDED: 'returned',
  REVERSED: 'reversed',
}

export function itemOf(item: Json, at: Date | null = null): Heard {
  const { errors: given, currency_conversion: conversion, payout_item: asked } = item
  const errors = Array.isArray(given) ? objectOf(given[0]) : objectOf(given)
  const word = textOf(item.transaction_status) ?? 'PENDING'
  const rate = textOf(objectOf(conversion).exchange_rate)
  const received = moneyOf(objectOf(conversion).to_amount)
  return {
    ourId: textOf(objectOf(asked).sender_item_id),
    serviceId: textOf(item.payout_item_id),
    word,
    state: states[word.toUpperCase()] ?? null,
    at: timeOf(item.time_processed) ?? at,
    amount: moneyOf(objectOf(asked).amount),
    reference: textOf(item.transaction_id),
    reason: textOf(errors.message) ?? textOf(errors.name),
    fee: moneyOf(item.payout_item_fee),
    exchangeRate: rate,
    received,
  }
}

export function batchOf(body: Json): HeardBatch | null {
  const header = objectOf(body.batch_header)
  const serviceId = textOf(header.payout_batch_id)
  const ourId = textOf(objectOf(header.sender_batch_header).sender_batch_id)
  return serviceId === null ? null : { ourId, serviceId, word: textOf(header.batch_status) ?? 'PENDING' }
}

/** The batch that PayPal has under our id already: it names it in a link of its refusal. */
export function linkOfDuplicate(body: Json): string | null {
  const links = [...listOf(body.links), ...listOf(body.details).flatMap(({ links: ofDetail }) => listOf(ofDetail))]
  const hrefs = links.flatMap(({ href }) => textOf(href) ?? [])
  return hrefs.map((href) => /\/payments\/payouts\/([^/?#]+)/.exec(href)?.[1]).find((id) => id !== undefined) ?? null
}

export const isDuplicate = (body: Json) =>
  /sender_?batch_?id/i.test(JSON.stringify(body)) && /already|duplicate/i.test(JSON.stringify(body))

/** Which payments a refusal is about: "items[2].receiver", "/items/2/receiver". */
export function paymentsOf(body: Json, { payments }: BatchToSend): RefusedPayment[] {
  const refused = listOf(body.details).flatMap(({ field, issue, description }) => {
    const at = /items[[/](\d+)/i.exec(textOf(field) ?? '')?.[1]
    const payment = at === undefined ? undefined : payments[Number(at)]
    return payment
      ? [{ ourId: payment.ourId, reason: textOf(issue) ?? textOf(description) ?? 'PayPal refuses it.' }]
      : []
  })
  return [...new Map(refused.map((one) => [one.ourId, one])).values()]
}
