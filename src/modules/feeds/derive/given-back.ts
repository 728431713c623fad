import type { Fact } from '../facts.ts'
import { byWorth } from './fold.ts'
import { isVoidOf, returnedOf, targetOf } from './returned.ts'

/**
 * What the billing system says was given back of a sale by refunds, lost disputes and void invoices, in the minor units
 * of the sale: without the taxes and the shipping that the sale does not have.
 * @param facts of the events of the sale
 */
export function givenBackCents(facts: readonly Fact[], saleCents: bigint): bigint {
  const [payment] = facts.filter((fact) => fact.kind === 'payment').sort(byWorth)
  if (facts.some((fact) => fact.kind === 'void' && (!payment || isVoidOf(fact, payment)))) return saleCents
  const paidCents = payment ? BigInt(payment.totalCents) : saleCents
  const { refundedCents, lost } = targetOf(returnedOf(facts), paidCents, saleCents)
  const sum = lost.reduce((total, { cents }) => total + cents, refundedCents)
  return sum < saleCents ? sum : saleCents
}
