import type { Logger } from 'pino'
import type { Listen } from '../../database/events.ts'
import type { EventKind } from '../../graphql/context.ts'
import { refused, unavailable } from '../../kernel/errors.ts'
import { createFeed, type Feed } from './feed.ts'

export type SubscriptionLimits = {
  /** Subscriptions of one program at a time, on one instance. */
  mostPerProgram: number
  /** Of all programs. */
  most: number
  /** Events that may wait for a reader. */
  mostWaiting: number
  /** How often it is looked whether the key of a subscription is still good; each event looks too. */
  checkEveryMs: number
}

export const defaultLimits: SubscriptionLimits = {
  mostPerProgram: 100,
  most: 1_000,
  mostWaiting: 1_000,
  checkEveryMs: 60_000,
}

export type Wanted = { programId: string; kind: EventKind; affiliateId: string | null }

export type Hub = {
  /** @throws REFUSED where the program has too many; UNAVAILABLE where nothing can be heard */
  subscribe(wanted: Wanted): Promise<Feed>
  /** Ends all of them, and takes no more: their readers begin anew on another instance. */
  stop(): void
}

/** Hears what the database tells, once for all subscribers, and only while there are some. */
export function createHub(listen: Listen | undefined, limits: SubscriptionLimits, log: Logger): Hub {
  const feeds = new Map<Feed, Wanted>()
  let listening: Promise<() => Promise<void>> | undefined
  let stopped = false

  const onMessage = (message: string) => {
    const [kind, programId, affiliateId, ids = ''] = message.split(' ')
    for (const [feed, wanted] of feeds) {
      if (wanted.kind !== kind || wanted.programId !== programId) continue
      if (wanted.affiliateId === null || wanted.affiliateId === affiliateId) feed.add(ids.split(','))
    }
  }
  const leave = (feed: Feed) => {
    feeds.delete(feed)
    if (feeds.size > 0) return
    const last = listening
    listening = undefined
    last
      ?.then((unlisten) => unlisten())
      .catch((error: unknown) => log.debug({ err: error }, 'what was not heard needs no end'))
  }
  return {
    async subscribe(wanted) {
      if (stopped || !listen || feeds.size >= limits.most) throw unavailable()
      const own = [...feeds.values()].filter(({ programId }) => programId === wanted.programId)
      if (own.length >= limits.mostPerProgram) {
        throw refused(`A program may have ${limits.mostPerProgram} subscriptions at a time. End one of them.`)
      }
      const feed: Feed = createFeed(limits.mostWaiting, () => leave(feed))
      feeds.set(feed, wanted)
      listening ??= listen(onMessage)
      try {
        await listening
        return feed
      } catch (error) {
        feed.end()
        log.warn({ err: error }, 'Events can not be heard.')
        throw unavailable()
      }
    },
    stop() {
      stopped = true
      for (const feed of [...feeds.keys()]) feed.end()
    },
  }
}
