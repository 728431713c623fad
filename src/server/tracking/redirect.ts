import { TributaryError, unavailable } from '../../kernel/errors.ts'
import { findProgramByKey, findProgramBySlug } from '../../modules/programs/cached-lookup.ts'
import { publishableKeyPrefix } from '../../modules/programs/publishable-key.ts'
import { pageOf } from '../../modules/tracking/input.ts'
import { type Added, targetOf } from '../../modules/tracking/redirect-target.ts'
import { findClicked, trackingCtx, trackVisit } from '../../modules/tracking/service.ts'
import { errorResponse } from '../../rest/errors.ts'
import { inTurn } from '../turns.ts'
import { isBot, isPrefetch, userAgentOf } from './caller.ts'
import { askedCtx, refuseSecret } from './fields.ts'
import type { Asked, TrackingParts } from './options.ts'

/** Where a click leads, without the referral that each one has of its own. */
type Way = { url: string; added: Added }

/** What was found: the program's own address, and where its link leads, if the token is one's. */
type Found = { program: Way; link: Way | null; referral?: string | undefined }

/** A visitor waits no longer for the record of their visit, where it is known where they go. */
const patienceMs = 2_000
/** A click that is not recorded finds its way in memory for so long. */
const freshMs = 10_000
const mostKnown = 10_000

export type Redirect = (asked: Asked, path: string) => Promise<Response>

/**
 * `GET /r/{publishable key or slug}/{token}`. Whatever is wrong with the click, or here, whoever clicked gets to where
 * the link leads as far as that is known, or else to the program: ways are remembered, and used where the database does
 * not answer.
 */
export function createRedirect(parts: TrackingParts): Redirect {
  const known = new Map<string, { way: Way; at: number }>()
  const remember = (key: string, way: Way) => {
    known.delete(key)
    known.set(key, { way, at: performance.now() })
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
  }
  return async (asked, path) => {
    const [name = '', token = '', ...rest] = path.split('/')
    refuseSecret(name)
    if (name === '' || rest.length > 0) return nowhere()
    const [ofProgram, ofLink] = [`${name}/`.toLowerCase(), `${name}/${token}`.toLowerCase()]
    const kept = known.get(ofLink)
    const isRecorded =
      asked.request.method === 'GET' &&
      !isBot(asked.request.headers) &&
      !isPrefetch(asked.request.headers) &&
      (await parts.limits.visits(asked.address)) === null
    if (!isRecorded && kept && performance.now() - kept.at < freshMs) return lead(asked, kept.way)
    const finding = findWay(asked, parts, name, token, isRecorded)
    try {
      const found = await (kept ? within(patienceMs, finding) : finding)
      if (!found) return nowhere()
      const { program, link, referral } = found
      remember(ofProgram, program)
      if (link) remember(ofLink, link)
      const { url, added } = link ?? program
      return lead(asked, { url, added: { ...added, referral } })
    } catch (error) {
      const way = kept?.way ?? unproved(known.get(ofProgram)?.way, token)
      if (!way) throw error
      asked.log.warn({ err: error }, 'A click was not recorded; it was sent on its way.')
      return lead(asked, way)
    }
  }
}

const tokenForm = /^[A-Za-z0-9-]{1,100}$/

/** The program's own address, with a token that may be somebody's: the script there can record the visit. */
const unproved = (program: Way | undefined, token: string): Way | undefined =>
  program && { ...program, added: tokenForm.test(token) ? { via: token } : {} }

async function findWay(
  asked: Asked,
  parts: TrackingParts,
  name: string,
  token: string,
  isRecorded: boolean,
): Promise<Found | null> {
  const program = await inTurn(parts.turns, () =>
    name.startsWith(publishableKeyPrefix) ? findProgramByKey(parts, name) : findProgramBySlug(parts, name),
  )
  if (!program) return null
  const toProgram = { url: program.url, added: {} }
  if (!tokenForm.test(token)) return { program: toProgram, link: null }
  const ctx = trackingCtx(askedCtx(asked, parts), program)
  if (!isRecorded) {
    const link = await inTurn(parts.turns, () => findClicked(ctx, token))
    // The token stays in the address, so that a browser that fetched ahead is recorded by the page's script.
    return { program: toProgram, link: link && { url: link.url, added: link.isActive ? { via: link.token } : {} } }
  }
  const { headers } = asked.request
  const visitor = { address: asked.address, userAgent: userAgentOf(headers) }
  const referrer = pageOf(headers.get('referer') ?? undefined)
  const { link, referral } = await trackVisit(ctx, parts.tracker, visitor, { token, referrer })
  return {
    program: toProgram,
    link: link && { url: link.url, added: referral ? { via: link.token } : {} },
    referral: referral?.id,
  }
}

const lead = ({ url }: Asked, { url: to, added }: Way): Response =>
  new Response(null, {
    status: 302,
    headers: {
      Location: targetOf(to, added, url.search),
      'Cache-Control': 'no-store',
      // The page it leads to may know which site the visitor came from, not which address of it.
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  })

const nowhere = (): Response => errorResponse(new TributaryError('NOT_FOUND', 'Not found.'))

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  promise.catch(() => {})
  return Promise.race([promise, tooLate]).finally(() => clearTimeout(timer))
}
