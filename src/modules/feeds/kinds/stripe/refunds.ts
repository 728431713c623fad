import type { Fact } from '../../facts.ts'
import { idAt, listOf, present, textAt } from '../json.ts'
import { moneyOf, releaseOf, type StripeRead } from './parts.ts'

const isFailed = (status: unknown) => status === 'failed' || status === 'canceled'

export const readRefund: StripeRead = (refund, at) => {
  if (refund.status === 'requires_action') return { ignored: 'The refund waits for an action of the customer.' }
  const { cents } = moneyOf(refund)
  const id = textAt(refund, 'id') as string
  const of = present([idAt(refund, 'charge'), idAt(refund, 'payment_intent')])
  const amountCents = String(cents('amount'))
  return { facts: [{ kind: 'refund', id, of, amountCents, state: isFailed(refund.status) ? 'failed' : 'done', at }] }
}

/** `amount_refunded` is the sum of all refunds of the charge, and of what was not captured. */
export const readRefundedCharge: StripeRead = (charge, at) => {
  const { cents, convert } = moneyOf(charge)
  const id = textAt(charge, 'id') as string
  const of = present([id, idAt(charge, 'payment_intent'), idAt(charge, 'invoice')])
  const refunds = listOf(charge.refunds).flatMap((refund): Fact[] => {
    const refundId = textAt(refund, 'id')
    if (!refundId || typeof refund.amount !== 'number') return []
    const amountCents = String(convert(BigInt(refund.amount)))
    return [{ kind: 'refund', id: refundId, of, amountCents, state: isFailed(refund.status) ? 'failed' : 'done', at }]
  })
  const released = releaseOf(charge, of, null)
  const sum = released.reduce((rest, one) => rest - BigInt(one.cents), cents('amount_refunded'))
  const total: Fact = { kind: 'refunded_total', id, of, totalCents: String(sum > 0n ? sum : 0n), at }
  return {
    facts: [
      ...released,
      ...(sum > 0n ? [total] : []),
      ...(of.length > 1 ? [{ kind: 'link', objects: of } as const] : []),
      ...refunds,
    ],
  }
}

/** A credit note after the payment. What it gives back by refunds is counted with their ids, so once. */
export const readCreditNote: StripeRead = (note, at, type) => {
  const { cents, convert, orZero } = moneyOf(note)
  const id = textAt(note, 'id') as string
  const of = present([idAt(note, 'invoice')])
  if (note.type === 'pre_payment')
    return { ignored: 'The credit note was made before the payment: the invoice says what was paid.' }
  const state = type === 'credit_note.voided' || note.status === 'void' ? 'failed' : 'done'
  const amount = note.post_payment_amount === undefined ? cents('total') : orZero('post_payment_amount')
  const single = idAt(note, 'refund')
  const listed = listOf(note.refunds).map((item) => ({
    id: idAt(item, 'refund'),
    cents: typeof item.amount_refunded === 'number' ? convert(BigInt(item.amount_refunded)) : amount,
  }))
  const named = listed.flatMap(({ id: refund, cents: amountCents }) =>
    refund ? [{ id: refund, cents: amountCents }] : [],
  )
  const refunds = named.length > 0 ? named : single ? [{ id: single, cents: amount }] : []
  // What is given back outside of Stripe. What adds to the balance of the customer makes later payments smaller.
  const outside = listed.reduce((sum, one) => (one.id ? sum : sum + one.cents), orZero('out_of_band_amount'))
  const isTold = outside > 0n || !!idAt(note, 'customer_balance_transaction')
  const rest = isTold ? outside : refunds.reduce((left, one) => left - one.cents, amount)
  const facts: Fact[] = refunds.map((one) => ({
    kind: 'refund',
    id: one.id,
    of,
    amountCents: String(one.cents),
    state: 'done',
    at,
  }))
  if (rest > 0n) facts.push({ kind: 'refund', id, of, amountCents: String(rest), state, at, isApart: isTold })
  return facts.length > 0
    ? { facts }
    : { ignored: 'The credit note gives nothing back. What it adds to a balance makes later payments smaller.' }
}

const disputeStates: Record<string, 'lost' | 'won'> = {
  lost: 'lost',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
}

export const readDispute: StripeRead = (dispute, at) => {
  const { cents } = moneyOf(dispute)
  const id = textAt(dispute, 'id') as string
  const of = present([idAt(dispute, 'charge'), idAt(dispute, 'payment_intent')])
  const state = disputeStates[textAt(dispute, 'status') ?? ''] ?? 'open'
  return { facts: [{ kind: 'dispute', id, of, amountCents: String(cents('amount')), state, at }] }
}
