import type { Feed } from '../../generated/prisma/client.ts'
import type { FeedMode } from '../../generated/prisma/enums.ts'
import type { Envelope } from './kinds/kind.ts'

type Learned = Pick<Feed, 'mode' | 'account'>

export const modeOf = ({ isTest }: Pick<Envelope, 'isTest'>): FeedMode | null =>
  isTest === undefined ? null : isTest ? 'test' : 'live'

/** Why a feed does not use an event: it is of another mode or account. Null before the feed knows its own. */
export function foreignReason(feed: Learned, envelope: Pick<Envelope, 'isTest' | 'account'>): string | null {
  const mode = modeOf(envelope)
  const { account } = envelope
  if (mode !== null && (feed.mode ?? mode) !== mode)
    return `It is an event of ${mode} mode, but the feed takes events of ${feed.mode} mode.`
  if (account !== undefined && (feed.account ?? account) !== account)
    return `It is an event of the account ${account || 'of the feed itself'}, but the feed takes those of ${feed.account || 'its own account'}.`
  return null
}
