import type { Feed, FeedEvent } from '../../generated/prisma/client.ts'
import { storableText } from '../../kernel/text.ts'
import type { Reading } from './facts.ts'
import { foreignReason } from './foreign.ts'
import { kinds } from './kinds/all.ts'
import { BudgetUsed, Stopped } from './kinds/generic/stopped.ts'
import { objectOf, Unusable } from './kinds/json.ts'

/** Characters that texts of the database cannot have are replaced: an id with one would block the feed. */
const parse = (raw: string): unknown =>
  JSON.parse(
    raw,
    /\\u(0000|d[89a-f])/i.test(raw)
      ? (_name, value) => (typeof value === 'string' ? storableText(value) : value)
      : undefined,
  )

/**
 * Reads a stored event. One of another mode or account says nothing. What cannot be read fails with its reason, and
 * nothing of it is used.
 */
export async function readStored(feed: Feed, { raw, type }: Pick<FeedEvent, 'raw' | 'type'>): Promise<Reading> {
  if (raw === null) return { ignored: 'The event is not kept any more.' }
  try {
    const kind = kinds[feed.kind]
    const body = objectOf(parse(raw))
    // The id of the event is known: only its mode and account are read from the envelope.
    const foreign = foreignReason(feed, kind.envelopeOf(body, { body: Buffer.from(raw), header: () => 'stored' }, feed))
    return foreign === null ? await kind.read(body, type ?? '', feed) : { ignored: foreign }
  } catch (error) {
    if (error instanceof Stopped) return { postponed: error.message, waitMs: 0, isTry: true }
    if (error instanceof BudgetUsed) return { postponed: error.message, waitMs: error.waitMs, isTry: false }
    if (error instanceof Unusable) return { failed: error.message }
    throw error
  }
}
