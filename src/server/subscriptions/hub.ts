import type { Logger } from 'pino'
import type { EventSelection } from '../../graphql/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { refused, unavailable } from '../../kernel/errors.ts'
import { createFeed, type Feed } from './feed.ts'
import { followLog } from './follow.ts'

export type SubscriptionLimits = {
  maxPerProgram: number
  /** Those of one affiliate token's affiliate. All affiliates together have at most half of those of the program. */
  maxPerAffiliate: number
  max: number
  /** Events that may be pending for one reader. */
  maxPending: number
  /** How often the credentials of an open subscription are checked. They are also checked before each event. */
  checkEveryMs: number
}

export const defaultLimits: SubscriptionLimits = {
  maxPerProgram: 100,
  maxPerAffiliate: 3,
  max: 1_000,
  maxPending: 1_000,
  checkEveryMs: 60_000,
}

export type Subscription = EventSelection & { programId: string }

export type Hub = {
  /** @throws REFUSED when the program has too many subscriptions; UNAVAILABLE when events cannot be read */
  subscribe(subscription: Subscription): Promise<Feed>
  /** Ends all subscriptions and accepts no new ones. Clients subscribe again on another instance. */
  stop(): void
}

/** Distributes the events of the log. It is read once for all subscribers, and only while there are any. */
export function createHub(db: AppDb, limits: SubscriptionLimits, log: Logger): Hub {
  const feeds = new Map<Feed, Subscription>()
  /** Those that have begun: they receive what is committed from then on. */
  const live = new Set<Feed>()
  let stopped = false

  const follower = followLog({
    db,
    log,
    programIds: () => [...new Set([...feeds.values()].map(({ programId }) => programId))],
    onEvent: ({ programId, id, type, affiliateId, subjectId }) => {
      for (const feed of live) {
        const subscription = feeds.get(feed)
        if (subscription?.programId !== programId || !isSelected(subscription, type, affiliateId)) continue
        feed.add({ id: subscription.yields === 'event' ? id : subjectId, eventId: id })
      }
    },
  })
  const leave = (feed: Feed) => {
    feeds.delete(feed)
    live.delete(feed)
    if (feeds.size === 0) follower.stop()
  }
  return {
    async subscribe(subscription) {
      if (stopped || feeds.size >= limits.max) throw unavailable()
      const own = [...feeds.values()].filter(({ programId }) => programId === subscription.programId)
      if (own.length >= limits.maxPerProgram) {
        throw refused(`A program may have ${limits.maxPerProgram} subscriptions at a time. End one of them.`)
      }
      if (subscription.isOfAffiliate) demandRoom(own, subscription, limits)
      const feed: Feed = createFeed(limits.maxPending, () => leave(feed))
      feeds.set(feed, subscription)
      try {
        await follower.catchUp()
        if (feeds.has(feed)) live.add(feed)
        return feed
      } catch (error) {
        feed.end()
        log.warn({ err: error }, 'could not read events')
        throw unavailable()
      }
    },
    stop() {
      stopped = true
      for (const feed of [...feeds.keys()]) feed.end()
    },
  }
}

/** Affiliates must not take the subscriptions of the program's own systems. @throws REFUSED */
function demandRoom(
  open: readonly Subscription[],
  { affiliateId }: Subscription,
  { maxPerAffiliate, maxPerProgram }: SubscriptionLimits,
): void {
  const ofAffiliates = open.filter(({ isOfAffiliate }) => isOfAffiliate)
  const own = ofAffiliates.filter((one) => one.affiliateId === affiliateId)
  if (own.length >= maxPerAffiliate)
    throw refused(`An affiliate may have ${maxPerAffiliate} subscriptions at a time. End one of them.`)
  if (ofAffiliates.length >= Math.ceil(maxPerProgram / 2))
    throw refused('The program has too many subscriptions of affiliates. Query the current state from time to time.')
}

const isSelected = (subscription: Subscription, type: string, affiliateId: string | null): boolean =>
  (!subscription.types || subscription.types.includes(type)) &&
  (!subscription.affiliateId || subscription.affiliateId === affiliateId)
