import type { Feed, FeedEvent } from '../../generated/prisma/client.ts'
import type { Reading } from './facts.ts'
import { kinds } from './kinds/all.ts'
import { objectOf, Unusable } from './kinds/json.ts'

/** Reads a stored event. What cannot be read fails with its reason, and nothing of it is used. */
export async function readStored(
  feed: Pick<Feed, 'kind' | 'mapping'>,
  { raw, type }: Pick<FeedEvent, 'raw' | 'type'>,
): Promise<Reading> {
  if (raw === null) return { ignored: 'The event is not kept any more.' }
  try {
    return await kinds[feed.kind].read(objectOf(JSON.parse(raw)), type ?? '', { mapping: feed.mapping })
  } catch (error) {
    if (error instanceof Unusable) return { failed: error.message }
    throw error
  }
}
