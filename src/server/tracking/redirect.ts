import { LRUCache } from 'lru-cache'
import { isReadOnly } from '../../database/client/errors.ts'
import type { Program } from '../../generated/prisma/client.ts'
import { type Answer, emptyAnswer } from '../../http/answer.ts'
import { isRead } from '../../http/incoming.ts'
import { methodNotAllowed, pathNotFound } from '../../http/methods.ts'
import { unavailable } from '../../kernel/errors.ts'
import { tokensInAddress } from '../../modules/affiliates/tokens-in-address.ts'
import { findProgramByKey, findProgramBySlug } from '../../modules/programs/cached-lookup.ts'
import { linkParametersOf } from '../../modules/programs/link-parameters.ts'
import { publishableKeyPrefix } from '../../modules/programs/publishable-key.ts'
import { pageOf } from '../../modules/tracking/input.ts'
import { type Added, targetOf } from '../../modules/tracking/redirect-target.ts'
import { findClicked, trackingCtx, trackVisit } from '../../modules/tracking/service.ts'
import type { Handler } from '../handler.ts'
import { inTurn } from '../limits/turns.ts'
import { isOfOther, rejectSecret, verbCtx } from './fields.ts'
import { type TrackingParts, type TrackingRequest, trackingRequest } from './settings.ts'
import { isBot, isPrefetch, userAgentOf } from './user-agent.ts'

/** Where a click leads, without the referral, which differs for each click. */
type Target = { url: string; added: Added }

/** `link` is null when no link has the token. */
type ResolvedClick = { program: Target; link: Target | null; referral?: string | undefined }

/** How long a visitor waits for the database when the target is cached. */
const maxWaitMs = 2_000
/** For this long, clicks that are not recorded (bots, prefetches) use the cached target without a query. */
const freshForMs = 10_000
const maxCachedTargets = 10_000

/**
 * `GET /r/{publishable key or slug}/{token}` records a visit and redirects. Without a token in the path, a parameter of
 * the click names it. Without a known link, clicks lead to the
 * program's URL; while the database is down, to the cached target; while it is read-only, to the target without a
 * visit.
 */
export function createRedirect(parts: TrackingParts): Handler {
  const cache = new LRUCache<string, { target: Target; cachedAt: number }>({ max: maxCachedTargets })
  const remember = (key: string, target: Target) => cache.set(key, { target, cachedAt: performance.now() })
  return async (incoming, state) => {
    const [, , name = '', token = '', ...more] = incoming.path.replace(/\/$/, '').split('/')
    if (incoming.path.length <= '/r/'.length) return null
    if (!isRead(incoming)) return methodNotAllowed('GET, HEAD')
    const click = trackingRequest(incoming, state, parts.settings)
    rejectSecret(name)
    if (name === '' || more.length > 0) return null
    const [programKey, linkKey] = [`${name}/`, `${name}/${token || incoming.search}`].map((key) =>
      `${click.ownSlug ?? ''}/${key}`.toLowerCase(),
    ) as [string, string]
    const cached = cache.get(linkKey)
    const isRecorded = await isToBeRecorded(click, parts)
    if (!isRecorded && cached && performance.now() - cached.cachedAt < freshForMs) return redirect(click, cached.target)
    const resolving = resolveClick(click, parts, name, token, isRecorded).catch((error: unknown) => {
      if (!isRecorded || !isReadOnly(error)) throw error
      click.log.warn({ err: error }, 'click redirected without being recorded')
      return resolveClick(click, parts, name, token, false)
    })
    try {
      const resolved = await (cached ? within(maxWaitMs, resolving) : resolving)
      if (!resolved) return pathNotFound()
      const { program, link, referral } = resolved
      remember(programKey, program)
      if (link) remember(linkKey, link)
      const { url, added } = link ?? program
      return redirect(click, { url, added: { ...added, referral } })
    } catch (error) {
      const target = cached?.target ?? withUncheckedToken(cache.get(programKey)?.target, token)
      if (!target) throw error
      click.log.warn({ err: error }, 'click redirected without being recorded')
      return redirect(click, target)
    }
  }
}

const isToBeRecorded = async ({ incoming, address }: TrackingRequest, { limits }: TrackingParts) =>
  incoming.method === 'GET' && !isBot(incoming) && !isPrefetch(incoming) && (await limits.visits(address)) === null

/** The program's URL with a token that may exist: the script on that page can still record the visit. */
const withUncheckedToken = (program: Target | undefined, token: string): Target | undefined =>
  program && { ...program, added: { via: tokensInAddress(token).at(-1) } }

/** Finds the target, and records the visit if it is to be recorded. Returns null for an unknown program. */
async function resolveClick(
  click: TrackingRequest,
  parts: TrackingParts,
  name: string,
  given: string,
  isRecorded: boolean,
): Promise<ResolvedClick | null> {
  const program = await inTurn(parts.turns, () =>
    name.startsWith(publishableKeyPrefix) ? findProgramByKey(parts, name) : findProgramBySlug(parts, name),
  )
  if (!program || isOfOther(program, click)) return null
  const programTarget = { url: program.url, added: {} }
  const token = given || tokenIn(program, click.incoming.search)
  if (tokensInAddress(token).length === 0) return { program: programTarget, link: null }
  const ctx = trackingCtx(verbCtx(click, parts), program)
  if (!isRecorded) {
    const link = await inTurn(parts.turns, () => findClicked(ctx, token))
    // The token stays in the URL, so that the page's script records the visit once a prefetched page is shown.
    return { program: programTarget, link: link && { url: link.url, added: link.isActive ? { via: link.token } : {} } }
  }
  const { incoming, address } = click
  const visitor = { address, userAgent: userAgentOf(incoming) }
  const referrer = pageOf(incoming.header('referer') ?? undefined)
  const { link, referral } = await trackVisit(ctx, parts.tracker, visitor, {
    token,
    referrer,
    url: incoming.search || undefined,
  })
  return {
    program: programTarget,
    link: link && { url: link.url, added: referral ? { via: link.token } : {} },
    referral: referral?.id,
  }
}

/** The token that the click's parameters name, as links of other services do. */
function tokenIn(program: Program, search: string): string {
  const query = new URLSearchParams(search)
  return ['via', ...linkParametersOf(program)].map((name) => query.get(name)).find(Boolean) ?? ''
}

const redirect = ({ incoming }: TrackingRequest, target: Target): Answer =>
  emptyAnswer(302, {
    Location: targetOf(target.url, target.added, incoming.search),
    'Cache-Control': 'no-store',
    // The target page learns which site the visitor came from, but not which page of it.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  })

/** @throws UNAVAILABLE after this time; the promise goes on, and its error is ignored */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ms)
  })
  promise.catch(() => {})
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
