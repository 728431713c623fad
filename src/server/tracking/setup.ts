import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Tracker } from '../../modules/tracking/service.ts'
import type { Handler } from '../handler.ts'
import { createLimit } from '../rate-limits.ts'
import { createTurns, maxTurnsWithoutKey } from '../turns.ts'
import { createTrackingEndpoints } from './endpoints.ts'
import { createRedirect } from './redirect.ts'
import type { TrackingSettings } from './settings.ts'

type Options = { db: PrismaClient; now: () => Date; tracker: Tracker; settings: TrackingSettings }

/** The handlers of `/track` and `/r`. They share the limits per address and their turns. */
export function createTracking(options: Options): { endpoints: Handler; redirect: Handler } {
  const { visitsPerMinute, leadsPerMinute } = options.settings
  const parts = {
    ...options,
    turns: createTurns(maxTurnsWithoutKey),
    limits: { visits: createLimit(visitsPerMinute), leads: createLimit(leadsPerMinute) },
  }
  return { endpoints: createTrackingEndpoints(parts), redirect: createRedirect(parts) }
}
