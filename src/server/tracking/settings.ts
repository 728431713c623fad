import { clientAddress } from '../../http/client-address.ts'
import type { Incoming } from '../../http/incoming.ts'
import type { AppDb } from '../../kernel/db.ts'
import type { Tracker } from '../../modules/tracking/service.ts'
import type { RequestState } from '../handler.ts'
import type { Limit } from '../limits/limiter.ts'
import type { Turns } from '../limits/turns.ts'
import type { Origins } from './origins.ts'

export type TrackingSettings = {
  /** The origins whose pages may use the endpoints. */
  origins: Origins
  /** How many proxies are in front of the service. Each of them appends to X-Forwarded-For. */
  trustedProxies: number
  visitsPerMinute: number
  leadsPerMinute: number
}

export const defaultTracking: TrackingSettings = {
  origins: '*',
  trustedProxies: 0,
  visitsPerMinute: 60,
  leadsPerMinute: 30,
}

export type TrackingParts = {
  settings: TrackingSettings
  db: AppDb
  now: () => Date
  tracker: Tracker
  /** Separate from the turns of requests with a key, so that a flood of clicks cannot block those. */
  turns: Turns
  limits: { visits: Limit; leads: Limit }
}

/** A request without a key, and the address it comes from. `ownSlug` is the program whose own host it is on. */
export type TrackingRequest = Pick<RequestState, 'log' | 'requestId' | 'ownSlug'> & {
  incoming: Incoming
  address: string
}

export const trackingRequest = (
  incoming: Incoming,
  { log, requestId, ownSlug }: RequestState,
  { trustedProxies }: TrackingSettings,
): TrackingRequest => ({
  incoming,
  log,
  requestId,
  ownSlug,
  address: clientAddress(incoming, trustedProxies),
})
