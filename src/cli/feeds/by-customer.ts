import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StripeEvent } from './lists.ts'

/** What connects objects of one customer, the widest first. A refund has only its charge. */
const connecting = ['customer', 'invoice', 'subscription', 'payment_intent', 'charge']

/** Where an event is in the file. */
type Place = { at: number; length: number }

/**
 * Collects the events of each customer, so that a dry run sees them together. They are kept in a file, which only their
 * owner can read, and in memory only by their ids.
 */
export async function collectByCustomer() {
  const folder = await mkdtemp(join(tmpdir(), 'feed-backfill-'))
  const file = await open(join(folder, 'events'), 'wx+', 0o600)
  const groups: Place[][] = []
  const groupOf = new Map<string, number>()
  let size = 0
  return {
    async add(events: readonly StripeEvent[]): Promise<void> {
      const texts = events.map((event) => Buffer.from(JSON.stringify(event)))
      for (const [index, event] of events.entries()) {
        const ids = idsOf(event.data.object)
        const known = ids.map((id) => groupOf.get(id)).find((group) => group !== undefined)
        const group = known ?? groups.push([]) - 1
        for (const id of ids) if (!groupOf.has(id)) groupOf.set(id, group)
        const { length } = texts[index] as Buffer
        groups[group]?.push({ at: size, length })
        size += length
      }
      await file.appendFile(Buffer.concat(texts))
    },
    /** The events of one customer after the other, each event as JSON. */
    async *groups(): AsyncGenerator<string[]> {
      for (const places of groups) {
        const texts: string[] = []
        for (const { at, length } of places) {
          const { buffer } = await file.read(Buffer.alloc(length), 0, length, at)
          texts.push(buffer.toString())
        }
        yield texts
      }
    },
    async remove(): Promise<void> {
      await file.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function idsOf(object: Record<string, unknown>): string[] {
  const payment = (object.payment ?? {}) as Record<string, unknown>
  const values = [...connecting.map((name) => object[name] ?? payment[name]), object.id]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
