import type { Example } from './kind.ts'

const address = 'a***@example.com'

/** The values of mails about a payment. */
export const paymentExamples = ({ name, link, amount, day }: Example) => ({
  name,
  link,
  amount,
  payment: `PayPal · ${address} · ${day} · batch-2026-03`,
})

export const serviceExample = 'PayPal'
export const addressExample = address
