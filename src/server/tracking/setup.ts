import type { AppDb } from '../../kernel/db.ts'
import type { Tracker } from '../../modules/tracking/service.ts'
import type { Handler } from '../handler.ts'
import { createLimit } from '../limits/limiter.ts'
import { createTurns, maxTurnsWithoutKey } from '../limits/turns.ts'
import { createTrackingEndpoints } from './endpoints.ts'
import { createRedirect } from './redirect.ts'
import type { TrackingSettings } from './settings.ts'

type Options = { db: AppDb; now: () => Date; tracker: Tracker; settings: TrackingSettings; limitSecret: string }

/** The handlers of `/track` and `/r`. They share the limits per address and their turns. */
export function createTracking(options: Options): { endpoints: Handler; redirect: Handler } {
  const { limitSecret, ...rest } = options
  const { visitsPerMinute, leadsPerMinute } = rest.settings
  const parts = {
    ...rest,
    turns: createTurns(maxTurnsWithoutKey),
    limits: {
      visits: createLimit('visits', visitsPerMinute, limitSecret),
      leads: createLimit('leads', leadsPerMinute, limitSecret),
    },
  }
  return { endpoints: createTrackingEndpoints(parts), redirect: createRedirect(parts) }
}
