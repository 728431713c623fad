import type { Logger } from 'pino'
import type { Listen } from '../../database/events.ts'
import type { EventSelection } from '../../graphql/context.ts'
import { refused, unavailable } from '../../kernel/errors.ts'
import { createFeed, type Feed } from './feed.ts'

export type SubscriptionLimits = {
  /** Open subscriptions of one program, on one instance. */
  maxPerProgram: number
  /** Open subscriptions of all programs, on one instance. */
  max: number
  /** Events that may be pending for one reader. */
  maxPending: number
  /** How often the credentials of an open subscription are checked. They are also checked before each event. */
  checkEveryMs: number
}

export const defaultLimits: SubscriptionLimits = {
  maxPerProgram: 100,
  max: 1_000,
  maxPending: 1_000,
  checkEveryMs: 60_000,
}

export type Subscription = EventSelection & { programId: string }

export type Hub = {
  /** @throws REFUSED when the program has too many subscriptions; UNAVAILABLE when events cannot be received */
  subscribe(subscription: Subscription): Promise<Feed>
  /** Ends all subscriptions and accepts no new ones. Clients subscribe again on another instance. */
  stop(): void
}

/** Distributes the database's notifications. All subscribers share one connection, which is open only while there are any. */
export function createHub(listen: Listen | undefined, limits: SubscriptionLimits, log: Logger): Hub {
  const feeds = new Map<Feed, Subscription>()
  let listening: Promise<() => Promise<void>> | undefined
  let stopped = false

  /** The form of a message is described where the database sends it: see the migrations. */
  const onMessage = (message: string) => {
    const [kind, programId, type = '', affiliateId = '', subjectId = '', eventId = ''] = message.split(' ')
    if (kind !== 'events') return
    for (const [feed, subscription] of feeds) {
      if (subscription.programId !== programId || !isSelected(subscription, type, affiliateId)) continue
      feed.add({ id: subscription.yields === 'event' ? eventId : subjectId, eventId })
    }
  }
  const leave = (feed: Feed) => {
    feeds.delete(feed)
    if (feeds.size > 0) return
    const last = listening
    listening = undefined
    last
      ?.then((unlisten) => unlisten())
      .catch((error: unknown) => log.debug({ err: error }, 'could not stop listening for events'))
  }
  return {
    async subscribe(subscription) {
      if (stopped || !listen || feeds.size >= limits.max) throw unavailable()
      const own = [...feeds.values()].filter(({ programId }) => programId === subscription.programId)
      if (own.length >= limits.maxPerProgram) {
        throw refused(`A program may have ${limits.maxPerProgram} subscriptions at a time. End one of them.`)
      }
      const feed: Feed = createFeed(limits.maxPending, () => leave(feed))
      feeds.set(feed, subscription)
      listening ??= listen(onMessage)
      try {
        await listening
        return feed
      } catch (error) {
        feed.end()
        log.warn({ err: error }, 'could not listen for events')
        throw unavailable()
      }
    },
    stop() {
      stopped = true
      for (const feed of [...feeds.keys()]) feed.end()
    },
  }
}

const isSelected = (subscription: Subscription, type: string, affiliateId: string): boolean =>
  (!subscription.types || subscription.types.includes(type)) &&
  (!subscription.affiliateId || subscription.affiliateId === affiliateId)
