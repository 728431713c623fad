import type { Feed, FeedEvent } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import type { Postponed } from '../facts.ts'
import { kinds } from '../kinds/all.ts'
import type { Outcome } from './outcomes.ts'

/** How often the evaluation of an event is stopped before the event fails. */
const mostTries = 3
/** The pauses between these tries. */
const pausesMs = [5_000, 30_000]

type Mapped = Pick<Feed, 'kind' | 'mapping' | 'programId'>
const isMapped = ({ kind, mapping }: Mapped) => kinds[kind].isMapped && mapping !== null

/**
 * Stores that events are tried, before code that users wrote reads them: whatever ends the service meanwhile, the count
 * stays.
 */
export async function countTries(
  { db }: ProgramCtx,
  feed: Mapped,
  rows: readonly Pick<FeedEvent, 'id' | 'facts'>[],
): Promise<void> {
  const ids = isMapped(feed) ? rows.filter(({ facts }) => facts === null).map(({ id }) => id) : []
  if (ids.length === 0) return
  const where = { programId: feed.programId, id: { in: ids } }
  await db.feedEvent.updateMany({ where, data: { tries: { increment: 1 } } })
}

/** How long the events of a feed may be read. Only mappings take long. */
export function turnOf(feed: Mapped, readForMs = Number.POSITIVE_INFINITY): { isOver(): boolean } {
  const endsAt = isMapped(feed) ? performance.now() + readForMs : Number.POSITIVE_INFINITY
  return { isOver: () => performance.now() > endsAt }
}

export const notNow: Postponed = { postponed: 'Not derived yet.', waitMs: 0, isTry: false }

/** @param row as it was before the try */
export function outcomeOfPostponed(
  { postponed, waitMs, isTry }: Postponed,
  { tries }: Pick<FeedEvent, 'tries'>,
  now: Date,
): Outcome {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (!isTry) return { outcome: 'waiting', reason: postponed, again: after(waitMs), isNoTry: true }
  const pauseMs = pausesMs[tries]
  if (pauseMs === undefined || tries + 1 >= mostTries)
    return { outcome: 'failed', reason: `${postponed} It was tried ${tries + 1} times.` }
  return { outcome: 'waiting', reason: `${postponed} It is tried again.`, again: after(pauseMs) }
}
