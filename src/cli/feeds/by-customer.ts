import type { StripeEvent } from './lists.ts'

/** What connects objects of one customer, the widest first. A refund has only its charge. */
const connecting = ['customer', 'invoice', 'subscription', 'payment_intent', 'charge']

/** Collects the events of each customer, so that a dry run sees them together. Keeps them as JSON. */
export function collectByCustomer() {
  const groups = new Map<string, string[]>()
  const groupOf = new Map<string, string[]>()
  return {
    add(event: StripeEvent): void {
      const ids = idsOf(event.data.object)
      const group = ids.map((id) => groupOf.get(id)).find((known) => known !== undefined) ?? []
      if (group.length === 0) groups.set(ids[0] as string, group)
      for (const id of ids) if (!groupOf.has(id)) groupOf.set(id, group)
      group.push(JSON.stringify(event))
    },
    /** The events in the order of their customers, each event as JSON. */
    groups: (): Iterable<string[]> => groups.values(),
  }
}

function idsOf(object: Record<string, unknown>): string[] {
  const payment = (object.payment ?? {}) as Record<string, unknown>
  const values = [...connecting.map((name) => object[name] ?? payment[name]), object.id]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
