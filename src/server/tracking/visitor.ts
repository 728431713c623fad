import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Tracker } from '../../modules/tracking/service.ts'
import { createDemoShop } from '../pages/demo-shop/serve.ts'
import { createTurns, withoutKeyAtWork } from '../turns.ts'
import { toTributaryError } from '../unexpected.ts'
import { clientAddress } from './address.ts'
import { createTracking } from './answer.ts'
import { defaultTracking, type TrackingSettings } from './options.ts'
import { createLimit, tooMany } from './rate-limits.ts'

type Options = {
  db: PrismaClient
  now: () => Date
  tracker: Tracker
  tracking?: Partial<TrackingSettings>
  demoShop?: boolean
}

type Arrived = { request: Request; url: URL; socket: Socket | undefined; log: Logger; requestId: string }

export type AnswerVisitor = (arrived: Arrived) => Promise<Response | null>

/** Sales in the demo's shop, by one address in a minute. */
const demoSalesPerMinute = 10

/** What is answered to people without a key: tracking, and the demo's shop; null for everything else. */
export function createVisitorAnswers({ db, now, tracker, tracking, demoShop = false }: Options): AnswerVisitor {
  const settings = { ...defaultTracking, ...tracking }
  const answerTracking = createTracking({
    settings,
    db,
    now,
    tracker,
    turns: createTurns(withoutKeyAtWork),
    limits: { visits: createLimit(settings.visitsPerMinute), leads: createLimit(settings.leadsPerMinute) },
  })
  const answerShop = demoShop
    ? createDemoShop({ db, now, limit: createLimit(demoSalesPerMinute), refuse: tooMany })
    : null
  return async ({ request, url, socket, log, requestId }) => {
    const address = clientAddress({ headers: request.headers, socket }, settings.trustedProxies)
    const asked = { request, url, address, log, requestId }
    return (await answerTracking(asked)) ?? (await answerShop?.(asked, (error) => toTributaryError(error, log))) ?? null
  }
}
