import type { LoggedEvent } from '../../modules/event-log/read-after.ts'
import type { Feed, FeedItem } from './feed.ts'

const pageSize = 500
/** How many ids of sent events are remembered, so that most duplicates are left out. */
const maxRemembered = 10_000

/** Reads up to `limit` events of the log that a subscription selects, from an event on, in the order of the log. */
export type ReadLog = (from: LogPosition, limit: number) => Promise<LoggedEvent[]>

/** `after`: the events after this one. `around`: also those that may have been committed after it. */
export type LogPosition = { after: string } | { around: string }

/** The items after an event: from the log, then from the feed, which started before. One can come twice. */
export async function* resume(
  feed: Feed,
  readLog: ReadLog,
  after: string,
  itemOf: (event: LoggedEvent) => FeedItem,
): AsyncGenerator<FeedItem> {
  const sent = new Set<string>([after])
  const remember = (id: string) => {
    sent.add(id)
    if (sent.size > maxRemembered) for (const oldest of sent) return void sent.delete(oldest)
  }
  feed.catchUp(true)
  let last = after
  let position: LogPosition = { around: after }
  for (;;) {
    const page = await readLog(position, pageSize)
    for (const event of page) {
      last = event.id
      if (sent.has(event.id)) continue
      remember(event.id)
      yield itemOf(event)
    }
    position = { after: last }
    if (page.length === pageSize) continue
    if (!feed.catchUp(false)) break
    position = { around: last }
  }
  for (let item = await feed.next(); item; item = await feed.next()) if (!sent.has(item.eventId)) yield item
}

export async function* live(feed: Feed): AsyncGenerator<FeedItem> {
  for (let item = await feed.next(); item; item = await feed.next()) yield item
}
