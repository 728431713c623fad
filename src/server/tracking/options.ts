import type { Logger } from 'pino'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Tracker } from '../../modules/tracking/service.ts'
import type { Turns } from '../turns.ts'
import type { Origins } from './origins.ts'
import type { Limit } from './rate-limits.ts'

/** How tracking is set up. */
export type TrackingSettings = {
  /** The origins whose pages may use the endpoints. */
  origins: Origins
  /** How many proxies stand before the service, each of which adds to X-Forwarded-For. */
  trustedProxies: number
  /** For each address. */
  visitsPerMinute: number
  leadsPerMinute: number
}

export const defaultTracking: TrackingSettings = {
  origins: '*',
  trustedProxies: 0,
  visitsPerMinute: 60,
  leadsPerMinute: 30,
}

/** What the handlers share. */
export type TrackingParts = {
  settings: TrackingSettings
  db: PrismaClient
  now: () => Date
  tracker: Tracker
  /** A few turns of their own, so that a flood of clicks leaves the database to those who have a key. */
  turns: Turns
  limits: { visits: Limit; leads: Limit }
}

/** A request with what is known of who sent it. */
export type Asked = { request: Request; url: URL; address: string; log: Logger; requestId: string }
