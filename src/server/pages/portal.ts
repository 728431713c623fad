import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, emptyAnswer, jsonAnswer } from '../../http/answer.ts'
import { readFields } from '../../http/body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { answerContent } from '../../http/conditional.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { Bucket } from '../../kernel/bucket.ts'
import type { AppDb } from '../../kernel/db.ts'
import { type PublicUrl, portalSection } from '../../kernel/public-url.ts'
import { readJoinSettings } from '../../modules/applications/settings.ts'
import { mailSignInLink } from '../../modules/mails/sign-in.ts'
import { findOnlyProgram, findProgramBySlug } from '../../modules/programs/cached-lookup.ts'
import { clockOf } from '../../modules/programs/clock.ts'
import type { Handler, RequestState } from '../handler.ts'
import { createLimit, tooManyRequests } from '../limits/limiter.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../limits/turns.ts'
import { createAssetFiles } from './assets.ts'
import { brandMeta, colorFile, colorLink, logoOrigins } from './brand.ts'
import { createBundledPage } from './bundled-page.ts'
import { answerSession, isSessionPath } from './portal-session.ts'
import { refusedFrame } from './refused-frame.ts'

const maxBodyBytes = 8 * 1024

/** For each address. */
const linksPerMinute = 10
/** Longer than it takes to write a mail. */
const answerAfterMs = 250

type Options = {
  db: AppDb
  now: () => Date
  webhooks: { key: Buffer }
  bucket: Bucket | undefined
  publicUrl: PublicUrl
  trustedProxies: number
  limitSecret: string
}

/** `/portal`: the page for affiliates, its files, and the exchange of a sign-in ticket. It needs no key. */
export function createPortal(options: Options): Handler {
  const { db, now, webhooks, bucket, publicUrl, trustedProxies, limitSecret } = options
  const limit = createLimit('sign-in links', linksPerMinute, limitSecret)
  /** The answer and its time are the same, whether an affiliate has the address or not. */
  const mailLink = async (incoming: Incoming, { log, requestId, ownSlug }: RequestState): Promise<Answer | null> => {
    const seconds = await limit(clientAddress(incoming, trustedProxies))
    if (seconds !== null) return tooManyRequests(seconds)
    const fields = readFields(await incoming.body(maxBodyBytes), incoming.header('content-type'))
    const { program: slug, email, section } = fields
    if (isOfOther(ownSlug, String(slug ?? ''))) return null
    const send = async () => {
      const program = await findProgramBySlug({ db }, String(slug ?? ''))
      if (!program) return
      const actor = { kind: 'system' } as const
      const ctx = { db: db.ofProgram(program.id), now: clockOf(program, now), log, requestId, actor, program, webhooks }
      await mailSignInLink(ctx, publicUrl(program), now, String(email ?? ''), portalSection(section))
    }
    const sending = inTurn(turns, send, { signal: incoming.signal }).catch((err) => log.warn({ err }, 'no link mailed'))
    await Promise.all([sending, pause(answerAfterMs)])
    return jsonAnswer({}, 202, { 'Cache-Control': 'no-store' })
  }
  const turns = createTurns(maxTurnsWithoutKey)
  const answerAssetFile = createAssetFiles(db, bucket, turns)
  const page = createBundledPage({
    folder: 'portal',
    path: 'portal',
    title: 'Affiliate portal',
    meta: '<meta name="robots" content="noindex">',
    noscript: 'The portal needs JavaScript.',
    allowedSources: ["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  })
  /** It looks like the program that the address names, whose pages can show it in a frame. */
  const show = async (incoming: Incoming, { ownSlug }: RequestState): Promise<Answer> => {
    const query = new URLSearchParams(incoming.search)
    const slug = query.get('program')
    if (slug === null) {
      const only = ownSlug ?? (await inTurn(turns, () => findOnlyProgram({ db }), { signal: incoming.signal }))?.slug
      if (only === undefined) return page.answerPage(incoming)
      query.set('program', only)
      return emptyAnswer(302, { Location: `portal?${query}`, 'Cache-Control': 'no-store' })
    }
    const program = await findProgramBySlug({ db }, slug)
    if (!program) return page.answerPage(incoming)
    const read = () => readJoinSettings(db.ofProgram(program.id), { program })
    const { origins, logoUrl, color } = await inTurn(turns, read, { signal: incoming.signal })
    const refusal = refusedFrame(incoming, program.name, origins)
    if (refusal) return refusal
    return page.answerPage(incoming, {
      frameOrigins: origins,
      imageOrigins: logoOrigins(logoUrl),
      head: (up) => `${brandMeta(program.name, logoUrl)}${colorLink(color, `${up}portal/`)}`,
    })
  }
  /** Images are found by the id of their program. */
  const isForeignAsset = async ({ path }: Incoming, { ownSlug }: RequestState): Promise<boolean> => {
    const own = ownSlug === undefined ? null : await findProgramBySlug({ db }, ownSlug)
    return ownSlug !== undefined && !path.startsWith(`/portal/assets/${own?.id}/`)
  }
  const answerFile = async (incoming: Incoming): Promise<Answer | null> => {
    const color = colorFile(incoming.path.slice('/portal/'.length))
    return color ? answerContent(incoming, color) : page.answerFile(incoming)
  }
  return async (incoming, state) => {
    if (isSessionPath(incoming.path))
      return answerSession(incoming, state, { db, now, webhooks, turns, trustedProxies, publicUrl })
    switch (incoming.path) {
      case '/portal/sign-in':
        return incoming.method === 'POST' ? mailLink(incoming, state) : methodNotAllowed('POST')
      case '/portal':
        return isRead(incoming) ? show(incoming, state) : methodNotAllowed('GET, HEAD')
      case '/portal/':
        // The target is relative, for proxies that add a path before it. Browsers keep the fragment, which has the
        // ticket.
        return isRead(incoming) ? emptyAnswer(308, { Location: '../portal' }) : methodNotAllowed('GET, HEAD')
      default:
        if (incoming.path.startsWith('/portal/assets/'))
          return (await isForeignAsset(incoming, state)) ? null : answerAssetFile(incoming)
        return isRead(incoming) ? answerFile(incoming) : null
    }
  }
}

const isOfOther = (ownSlug: string | undefined, slug: string) => ownSlug !== undefined && slug.toLowerCase() !== ownSlug
