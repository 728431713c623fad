import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { readFields } from '../../http/body.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { Incoming } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import type { AppDb } from '../../kernel/db.ts'
import { forbidden, TributaryError } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import { endKeptSession, resumeSession } from '../../modules/access/sign-in-links/kept-sessions.ts'
import { redeemTicket } from '../../modules/access/sign-in-links/service.ts'
import { findProgramBySlug } from '../../modules/programs/cached-lookup.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { RequestState } from '../handler.ts'
import { inTurn, type Turns } from '../limits/turns.ts'
import { userAgentOf } from '../tracking/user-agent.ts'
import { clearedCookie, keptCookie, readCookie } from './portal-cookie.ts'

/** A ticket has about 400 characters. */
const maxBodyBytes = 8 * 1024

type Options = {
  db: AppDb
  now: () => Date
  webhooks: { key: Buffer }
  turns: Turns
  trustedProxies: number
  publicUrl: PublicUrl
}

type Fields = Record<string, unknown>
type Step = (incoming: Incoming, state: RequestState, fields: Fields, options: Options) => Promise<Answer>

const steps: Readonly<Record<string, Step>> = {
  '/portal/session': openSession,
  '/portal/session/resume': resume,
  '/portal/session/end': end,
}

export const isSessionPath = (path: string): boolean => Object.hasOwn(steps, path)

/** `/portal/session` and below: exchanges a ticket for a token, resumes the session of the cookie, and ends it. */
export async function answerSession(incoming: Incoming, state: RequestState, options: Options): Promise<Answer> {
  if (incoming.method !== 'POST') return methodNotAllowed('POST')
  const step = steps[incoming.path] as Step
  const answer = await readPage(incoming, options.publicUrl())
    .then((fields) => inTurn(options.turns, () => step(incoming, state, fields, options), { signal: incoming.signal }))
    .catch((error: unknown) => errorAnswer(toTributaryError(error, state.log)))
  answer.headers['Cache-Control'] = 'no-store'
  return answer
}

/** @throws FORBIDDEN; UNSUPPORTED_MEDIA_TYPE */
async function readPage(incoming: Incoming, publicUrl: string): Promise<Fields> {
  // A page of another site could not read the answer, but would use the ticket up. Browsers send an origin with POST.
  if (incoming.header('origin') !== null && !isSameOrigin(incoming, publicUrl))
    throw forbidden('Only the portal itself can open a session. Open the sign-in link in a tab.')
  // Pages of other origins can send this type only after a preflight request, which is rejected.
  if (!/^application\/json\b/i.test(incoming.header('content-type') ?? ''))
    throw new TributaryError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  return readFields(await incoming.body(maxBodyBytes), 'application/json')
}

async function openSession(
  incoming: Incoming,
  { log, ownSlug }: RequestState,
  { ticket }: Fields,
  { trustedProxies, publicUrl, ...database }: Options,
): Promise<Answer> {
  const browser = { address: clientAddress(incoming, trustedProxies), userAgent: userAgentOf(incoming) || null }
  const session = await redeemTicket({ ...database, log, ownSlug }, typeof ticket === 'string' ? ticket : '', browser)
  const { programId, kept } = session
  const headers: Answer['headers'] = kept
    ? { 'Set-Cookie': keptCookie({ programId, publicUrl: publicUrl() }, kept) }
    : {}
  return jsonAnswer({ token: session.token, expires_at: session.expiresAt, in_cookie: kept !== null }, 201, headers)
}

/** The program that the page names, and the session that the browser keeps for it. */
async function readKept(incoming: Incoming, { ownSlug }: RequestState, { program: slug }: Fields, options: Options) {
  const isOther = ownSlug !== undefined && String(slug ?? '').toLowerCase() !== ownSlug
  const program = isOther ? null : await findProgramBySlug(options, String(slug ?? ''))
  const secret = program && readCookie(incoming, program, options.publicUrl())
  return program && secret ? { program, secret } : null
}

/** Without a session, the token is null and the status 200, because every page of the portal asks first. */
async function resume(incoming: Incoming, state: RequestState, fields: Fields, options: Options): Promise<Answer> {
  const kept = await readKept(incoming, state, fields, options)
  if (!kept) return jsonAnswer({ token: null, why: 'none' })
  try {
    const { token, expiresAt } = await resumeSession(options, kept.program, kept.secret)
    return jsonAnswer({ token, expires_at: expiresAt })
  } catch (error) {
    if (!(error instanceof TributaryError && error.code === 'UNAUTHENTICATED')) throw error
    const why = error.reasons.includes('affiliate_not_active') ? 'disabled' : 'ended'
    return jsonAnswer({ token: null, why }, 200, why === 'ended' ? clearing(kept.program.id, options) : {})
  }
}

async function end(incoming: Incoming, state: RequestState, fields: Fields, options: Options): Promise<Answer> {
  const kept = await readKept(incoming, state, fields, options)
  if (!kept) return jsonAnswer({})
  await endKeptSession(options, kept.program, kept.secret)
  return jsonAnswer({}, 200, clearing(kept.program.id, options))
}

const clearing = (programId: string, { publicUrl }: Options) => ({
  'Set-Cookie': clearedCookie({ programId, publicUrl: publicUrl() }),
})
