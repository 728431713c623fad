import { described, oneOf, optional } from '../../../kernel/input/fields.ts'
import type { SaleToReward } from '../sale.ts'
import { defineCondition } from './condition.ts'

/** A customer's first payment in the program, a later one, or what the billing system calls a subscription's first. */
export const payments = ['first', 'renewal', 'first_of_subscription'] as const

export type PaymentCondition = { payment?: (typeof payments)[number] }

/** The facts decide what is the first payment of a customer; the number in a report is about a subscription. */
const isPayment: Record<(typeof payments)[number], (sale: SaleToReward) => boolean> = {
  first: ({ customerSince }) => customerSince === null,
  renewal: ({ customerSince }) => customerSince !== null,
  first_of_subscription: ({ paymentNumber }) => paymentNumber === 1,
}

export const payment = defineCondition({
  miss: { other_payment: 'The sale is not that payment of the customer.' },
  input: {
    payment: optional(
      described(
        oneOf('CustomerPayment', payments),
        "Only the customer's first payment in the program, only later ones, or only the first of a subscription.",
      ),
    ),
  },
  stored: (given): PaymentCondition => ({ ...(given.payment && { payment: given.payment }) }),
  holds: (stored, sale) => !stored.payment || isPayment[stored.payment](sale),
  said: (stored) => ({ payment: stored.payment ?? null }),
})
