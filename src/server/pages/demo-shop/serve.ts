import type { Program } from '../../../generated/prisma/client.ts'
import { type Answer, jsonAnswer } from '../../../http/answer.ts'
import { readFields } from '../../../http/body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { type Incoming, isRead } from '../../../http/incoming.ts'
import type { AppDb } from '../../../kernel/db.ts'
import { demoSlug, demoUrl } from '../../../modules/demo/campaigns.ts'
import { findProgramBySlug } from '../../../modules/programs/cached-lookup.ts'
import { trackingCtx } from '../../../modules/tracking/service.ts'
import type { Handler } from '../../handler.ts'
import { createLimit, tooManyRequests } from '../../limits/limiter.ts'
import { pageSecurity } from '../security-headers.ts'
import { page } from './page.ts'
import { shopScript } from './script.ts'
import { sellToVisitor } from './sell.ts'
import { style } from './style.ts'

const maxBodyBytes = 1_024
/** For each address. */
const salesPerMinute = 10

const headers = {
  'Cache-Control': 'no-cache',
  ...pageSecurity(["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"], {
    sendsReferrer: true,
  }),
}
const files: Record<string, ReturnType<typeof contentOf>> = {
  '/demo/shop/shop.js': contentOf(shopScript, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }),
  '/demo/shop/shop.css': contentOf(style, { ...headers, 'Content-Type': 'text/css; charset=utf-8' }),
}

type Options = { db: AppDb; now: () => Date; trustedProxies: number; limitSecret: string }

/** Whether the demo program is there, which the shop belongs to. */
export const hasDemoProgram = async (db: AppDb): Promise<boolean> => (await findDemoProgram(db)) !== null

async function findDemoProgram(db: AppDb): Promise<Program | null> {
  const program = await findProgramBySlug({ db }, demoSlug)
  return program?.url === demoUrl ? program : null
}

/** `/demo/shop`: the shop of the demo program, to try tracking from a visit to a sale. */
export function createDemoShop({ db, now, trustedProxies, limitSecret }: Options): Handler {
  const limitSales = createLimit('demo sales', salesPerMinute, limitSecret)
  return async (incoming, state) => {
    const path = incoming.path.replace(/\/$/, '')
    const program = await findDemoProgram(db)
    if (!program) return null
    const file = files[path]
    if (isRead(incoming) && file) return answerContent(incoming, file)
    if (isRead(incoming) && path === '/demo/shop') return showPage(incoming, db, program)
    if (incoming.method !== 'POST' || path !== '/demo/shop/sale') return null
    const secondsToWait = await limitSales(clientAddress(incoming, trustedProxies))
    if (secondsToWait !== null) return tooManyRequests(secondsToWait)
    const fields = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
    const ctx = trackingCtx({ db, now, log: state.log, requestId: state.requestId }, program)
    return jsonAnswer(await sellToVisitor(ctx, fields.referral_id), 201)
  }
}

async function showPage(incoming: Incoming, db: AppDb, program: Program): Promise<Answer> {
  const links = await db.affiliateLink.findMany({
    where: {
      programId: program.id,
      archivedAt: null,
      affiliate: { programId: program.id, state: 'active', campaign: { isDefault: true } },
    },
    include: { affiliate: { select: { firstName: true, lastName: true } } },
    orderBy: { visitors: 'desc' },
    take: 2,
  })
  const people = links.map(({ token, affiliate }) => ({
    token,
    name: [affiliate.firstName, affiliate.lastName].filter(Boolean).join(' ') || token,
  }))
  const html = page({ name: program.name, slug: program.slug, publishableKey: program.publishableKey, people })
  return answerContent(incoming, contentOf(html, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }))
}
