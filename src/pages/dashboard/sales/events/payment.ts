import { formatMoney } from '../../../parts/format.tsx'

/** What an event says of a payment, as far as it does. */
export type EventPayment = { invoice: string | undefined; customer: string | undefined; amount: string | undefined }

type Who = { email?: string; name?: string; customer?: string }
type Fact = {
  kind: string
  id?: string
  objects?: string[]
  totalCents?: string
  amountCents?: string
  currency?: string
  who?: Who
}

/** @param derived what the service reads in the body, as JSON: the service of another version may write it otherwise */
export function paymentOf(derived: string | null): EventPayment {
  const facts = readFacts(derived)
  const payment = facts.find(({ kind }) => kind === 'payment') ?? facts.find(({ kind }) => kind === 'refund')
  const who = facts.map((fact) => fact.who).find(Boolean)
  const cents = payment?.totalCents ?? payment?.amountCents
  return {
    invoice: payment?.id,
    customer: who?.email ?? who?.name ?? who?.customer,
    amount: cents && payment?.currency ? formatMoney(BigInt(cents), payment.currency) : undefined,
  }
}

/** The ids of the payments that the event describes. A sale has one of them. */
export const paymentIdsOf = (derived: string | null): string[] =>
  readFacts(derived).flatMap(({ kind, id, objects = [] }) => (kind === 'payment' && id ? [id, ...objects] : []))

function readFacts(derived: string | null): Fact[] {
  const facts: unknown = derived === null ? [] : JSON.parse(derived)
  return Array.isArray(facts) ? (facts as Fact[]) : []
}
