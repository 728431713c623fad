import type { Logger } from 'pino'
import type { PrismaClient, Program } from '../../../generated/prisma/client.ts'
import { readBody } from '../../../http/body.ts'
import { answerContent, contentOf } from '../../../http/conditional.ts'
import { TributaryError } from '../../../kernel/errors.ts'
import { findProgramBySlug } from '../../../modules/programs/cached-lookup.ts'
import { trackingCtx } from '../../../modules/tracking/service.ts'
import { readFields } from '../../../rest/body.ts'
import { errorResponse } from '../../../rest/errors.ts'
import { page } from './page.ts'
import { shopScript } from './script.ts'
import { sellToVisitor } from './sell.ts'
import { style } from './style.ts'

/** The demo's address is in a domain that nobody can own, so a program that only shares its name is no demo. */
const demoSlug = 'northwind-analytics'
const demoUrl = 'https://northwind.example'

const largestBody = 1_024

const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
const files: Record<string, ReturnType<typeof contentOf>> = {
  '/demo/shop/shop.js': contentOf(shopScript, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }),
  '/demo/shop/shop.css': contentOf(style, { ...headers, 'Content-Type': 'text/css; charset=utf-8' }),
}

type Asked = { request: Request; url: URL; address: string; log: Logger; requestId: string }
type Options = {
  db: PrismaClient
  now: () => Date
  /** Of sales, for an address: the seconds to wait where it has had its share. */
  limit: (address: string) => Promise<number | null>
  refuse: (seconds: number) => Response
}

/** The shop of the demo program, to see tracking from a visit to a sale; null for addresses that are not the shop's. */
export function createDemoShop({ db, now, limit, refuse }: Options) {
  const answer = async (asked: Asked, path: string): Promise<Response> => {
    const { request, address, log, requestId } = asked
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const program = await findProgramBySlug({ db }, demoSlug)
    if (program?.url !== demoUrl) return notFound()
    const file = files[path]
    if (isRead && file) return answerContent(request, file)
    if (isRead && path === '/demo/shop') return showPage(request, db, program)
    if (request.method !== 'POST' || path !== '/demo/shop/sale') return notFound()
    const wait = await limit(address)
    if (wait !== null) return refuse(wait)
    const fields = readFields(await readBody(request, largestBody), request.headers.get('content-type'))
    const ctx = trackingCtx({ db, now, log, requestId }, program)
    return Response.json(await sellToVisitor(ctx, fields.referral_id), { status: 201 })
  }
  return async (asked: Asked, told: (error: unknown) => TributaryError): Promise<Response | null> => {
    const path = asked.url.pathname.replace(/(?<=.)\/$/, '')
    if (path !== '/demo/shop' && !path.startsWith('/demo/shop/')) return null
    return answer(asked, path).catch((error: unknown) => errorResponse(told(error)))
  }
}

const notFound = () => errorResponse(new TributaryError('NOT_FOUND', 'Not found.'))

async function showPage(request: Request, db: PrismaClient, program: Program): Promise<Response> {
  const links = await db.affiliateLink.findMany({
    where: {
      programId: program.id,
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
  return answerContent(request, contentOf(html, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }))
}
