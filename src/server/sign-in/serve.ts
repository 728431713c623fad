import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { callerOf, clientAddress } from '../../http/client-address.ts'
import type { Incoming } from '../../http/incoming.ts'
import { methodNotAllowed } from '../../http/methods.ts'
import type { AppDb } from '../../kernel/db.ts'
import { type ErrorCode, refused } from '../../kernel/errors.ts'
import type { Mailer } from '../../kernel/mail.ts'
import { isAccountChange, recordAccountChange, recordOfPerson } from '../../modules/people/account-changes.ts'
import { personAddress } from '../../modules/people/address.ts'
import {
  type AttemptLimit,
  accountAttempts,
  codeUses,
  countAttempt,
  deleteOldAttempts,
  deviceAttempts,
  forgetAttempts,
  mailsOfAccount,
  ofAddress,
  strangersAttempts,
  usesOfCode,
} from '../../modules/people/attempts.ts'
import {
  addressHeader,
  authEndpoints,
  authPath,
  beginsSession,
  type OidcSettings,
} from '../../modules/people/auth-endpoints.ts'
import { acceptInvitation, readInvitation } from '../../modules/people/invitations.ts'
import { deviceCookie, knownDevice } from '../../modules/people/known-device.ts'
import { mailPasswordReset, readPasswordReset, resetPassword } from '../../modules/people/password-reset.ts'
import { findPendingPerson, takesSecondFactor } from '../../modules/people/pending-sign-in.ts'
import { hasAccount, readSetUpLink, setUpOperator } from '../../modules/people/set-up.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { Handler, RequestState } from '../handler.ts'
import { createTurns, inTurn, maxTurnsWithoutKey } from '../limits/turns.ts'
import { type ConnectedAppOptions, connectedAppHandlers } from './connected-apps.ts'
import { emailChangeHandlers } from './email-change.ts'
import { libraryUrl, redirectToCode, rejectionOf } from './library.ts'
import { type Fields, readJsonOfPage } from './read-json.ts'
import { removeSessionCookie, type Sessions } from './sessions.ts'

export type SignInOptions = {
  db: AppDb
  key: Buffer
  now: () => Date
  sessions: Sessions
  publicUrl: () => string
  trustedProxies: number
  oidc?: OidcSettings | undefined
  /** Without it, the service sends no mail. */
  mailer?: Mailer | undefined
  targets: ConnectedAppOptions['targets']
}

/** The sign-in library reads a `Request`. */
type SignInRequest = { incoming: Incoming; request: Request; state: RequestState }

/** The sign-in library, set-up links, invitations and password resets. Changes are JSON of this origin. */
export function createSignIn(options: SignInOptions): Handler {
  const { db, key, now, sessions, publicUrl, oidc, mailer } = options
  const turns = createTurns(maxTurnsWithoutKey)

  const scopeOf = ({ state }: SignInRequest) => ({ db, now: now(), requestId: state.requestId })
  const scopeWithAuth = async (asked: SignInRequest) => ({ ...scopeOf(asked), auth: await sessions.auth() })

  const handlers: Record<string, (asked: SignInRequest, fields: Fields) => Promise<Response>> = {
    '/dashboard/setup/read': async (_asked, { token }) => {
      await readSetUpLink(db, now(), token)
      return Response.json({})
    },
    '/dashboard/setup': async (asked, fields) => {
      const person = await setUpOperator(await scopeWithAuth(asked), fields)
      return signIn(asked, person.email, fields)
    },
    '/dashboard/invitation/read': async (_asked, { token }) => {
      const { program, email, role, isKnown } = await readInvitation(db, now(), token)
      return Response.json({ program: { name: program.name, slug: program.slug }, email, role, isKnown })
    },
    '/dashboard/invitation': async (asked, fields) => {
      const signedIn = await sessions.readPerson(asked.request.headers)
      const person = await acceptInvitation(await scopeWithAuth(asked), signedIn, fields)
      return signedIn?.id === person.id ? Response.json({}, { status: 201 }) : signIn(asked, person.email, fields)
    },
    '/dashboard/password-reset/read': async (_asked, { token }) => {
      const { email } = await readPasswordReset(db, now(), token)
      return Response.json({ email })
    },
    '/dashboard/password-reset': async (asked, fields) => {
      const { email } = await resetPassword(await scopeWithAuth(asked), fields)
      // Guesses with the password that was forgotten do not keep the person out.
      await forgetAll(attemptsOf(asked, email))
      return Response.json({})
    },
    ...emailChangeHandlers({
      ...options,
      limited: async (asked: SignInRequest, email, mailTo, run) => {
        const attempts = attemptsOf(asked, email)
        await admitAttempt(`mail to ${accountAttempts(mailTo)}`, mailsOfAccount)
        for (const [name, limit] of attempts) await admitAttempt(name, limit)
        await run()
        await forgetAll(attempts)
      },
      deviceCookieOf,
    }),
    ...connectedAppHandlers(options),
    // Answers before it looks for the account, so that neither the answer nor its time reveals whether it exists.
    '/dashboard/password-reset/mail': async ({ state: { requestId } }, { email }) => {
      if (!mailer) throw refused('This service sends no mail. Ask an operator of the service for a link.')
      const address = String(email ?? '')
      await admitAttempt(`mail to ${accountAttempts(address)}`, mailsOfAccount)
      mailer.later(() => mailPasswordReset({ db, now, requestId }, { publicUrl: publicUrl(), mailer }, address))
      return Response.json({})
    },
  }

  async function signIn(asked: SignInRequest, email: string, { password }: Fields): Promise<Response> {
    const body = { email, password: String(password) }
    const { api } = await sessions.auth()
    const response = await api.signInEmail({ body, headers: headersOf(asked), asResponse: true })
    await recordSignIn(asked, response)
    return new Response('{}', { status: response.ok ? 201 : response.status, headers: response.headers })
  }

  function headersOf({ incoming, request }: SignInRequest): Headers {
    const headers = new Headers(request.headers)
    headers.set(addressHeader, clientAddress(incoming, options.trustedProxies))
    return headers
  }

  const addressOf = ({ incoming }: SignInRequest) => callerOf(clientAddress(incoming, options.trustedProxies))

  function attemptsOf(asked: SignInRequest, email: string): [string, AttemptLimit][] {
    const device = knownDevice(key, email, asked.request.headers)
    return device === null ? strangersAttempts(email, addressOf(asked)) : deviceAttempts(email, device)
  }

  async function forgetAll(attempts: [string, AttemptLimit][]): Promise<void> {
    for (const [name] of attempts) await forgetAttempts(db, name)
  }

  async function answerAuth(asked: SignInRequest, endpoint: string, fields: Fields): Promise<Response> {
    const { incoming, request } = asked
    const isPassword = endpoint === '/sign-in/email'
    const attempts = isPassword ? attemptsOf(asked, String(fields.email)) : []
    for (const [name, limit] of attempts) await admitAttempt(name, limit)
    const sent = isPassword ? { ...fields, email: personAddress(String(fields.email)) } : fields
    const body = request.method === 'POST' ? JSON.stringify(sent) : null
    const headers = headersOf(asked)
    // The origin was checked against both addresses of the service; the library knows only one.
    if (request.method === 'POST') headers.set('origin', new URL(publicUrl()).origin)
    const person = isAccountChange(endpoint) ? await sessions.readPerson(request.headers) : null
    // A code without an enabled second factor enables it. Any other completes the pending sign-in.
    const completes = takesSecondFactor(endpoint) && person?.hasSecondFactor !== false
    const pending = completes ? await findPendingPerson(db, now(), request.headers) : null
    // With an older session, the library would check the code of that one, and begin no session.
    if (pending) removeSessionCookie(headers)
    // The library accepts a code of the app repeatedly: an observer could sign in with it, too.
    const isUsed = pending && endpoint === '/two-factor/verify-totp' && !(await claimCode(pending.id, fields))
    const response = isUsed
      ? Response.json({ code: 'INVALID_CODE', message: 'Invalid code' }, { status: 401 })
      : await (await sessions.auth()).handler(
          new Request(libraryUrl(incoming, endpoint, publicUrl()), { method: request.method, headers, body }),
        )
    if (response.ok) await forgetAll(attempts)
    if (person && response.ok) await recordAccountChange(scopeOf(asked), person, endpoint)
    if (pending || beginsSession(endpoint)) await recordSignIn(asked, response)
    if (pending && !response.ok) await recordOfPerson(scopeOf(asked), pending, 'second_factor_failed')
    if (isPassword && !response.ok) await logFailedSignIn(asked, String(fields.email), response.status)
    return request.method === 'GET' && beginsSession(endpoint) ? await redirectToCode(response, publicUrl()) : response
  }

  /** Whether this code is new. It is claimed before it is checked: of parallel requests, one counts. */
  const claimCode = async (personId: string, { code }: Fields): Promise<boolean> =>
    (await countAttempt(db, now(), codeUses(personId, String(code)), usesOfCode)) === null

  async function recordSignIn(asked: SignInRequest, response: Response): Promise<void> {
    const person = await sessions.readPersonOfResponse(response)
    if (!person) return
    await recordOfPerson(scopeOf(asked), person, 'signed_in')
    if (knownDevice(key, person.email, asked.request.headers) === null)
      response.headers.append('Set-Cookie', deviceCookieOf(person.email))
  }

  function deviceCookieOf(email: string): string {
    return deviceCookie(key, email, publicUrl().startsWith('https:'))
  }

  /** The address that was typed is not logged: people type passwords there. */
  async function logFailedSignIn({ incoming, state }: SignInRequest, email: string, status: number): Promise<void> {
    const where = { email: personAddress(email) }
    const person = await db.person.findUnique({ where, select: { id: true } })
    const address = clientAddress(incoming, options.trustedProxies)
    state.log.warn({ status, address, personId: person?.id ?? null }, 'sign-in failed')
  }

  async function admitAttempt(name: string, limit: AttemptLimit): Promise<void> {
    const seconds = await countAttempt(db, now(), name, limit)
    if (seconds !== null) throw new TooManyAttempts(seconds)
  }

  return async (incoming, state) => {
    const { method: askedMethod, path } = incoming
    const endpoint = path.startsWith(`${authPath}/`) ? path.slice(authPath.length) : null
    const handle = handlers[path]
    const isRead = askedMethod === 'GET'
    if (endpoint === '/options' && isRead) {
      const canMail = mailer !== undefined
      const options = { oidc: oidc ? { name: oidc.name } : null, canMail, hasAccount: await hasAccount(db) }
      return jsonAnswer(options, 200, noStore)
    }
    const served = authEndpoints.get(endpoint ?? '')
    if (!handle && !served) return endpoint === null ? null : notFoundAnswer()
    // The page of a link has the same path.
    if (handle && isRead) return null
    const method = served?.method ?? 'POST'
    if (askedMethod !== method) return methodNotAllowed(method)
    try {
      const fields = isRead ? {} : await readJsonOfPage(incoming, publicUrl())
      const rejection = served && rejectionOf(fields, served.fields)
      if (rejection) return jsonAnswer(rejection, 400, noStore)
      const asked = { incoming, request: incoming.toRequest(), state }
      const response = await inTurn(
        turns,
        async () => {
          if (!isRead && isCredential(path)) {
            await admitAttempt(`address ${addressOf(asked)}`, ofAddress)
            await deleteOldAttempts(db, now())
          }
          return handle ? handle(asked, fields) : answerAuth(asked, endpoint ?? '', fields)
        },
        { signal: incoming.signal },
      )
      response.headers.set('Cache-Control', 'no-store')
      return response
    } catch (error) {
      return failureOf(error, state)
    }
  }
}

const noStore = { 'Cache-Control': 'no-store' }

/** Whether a request to the path has a password, a code or a token in it, which could be guessed. */
const isCredential = (pathname: string) =>
  !/\/(sign-out|list-sessions|revoke-\w+|update-user|connect|connect\/read|apps\/\w+)$/.test(pathname)

class TooManyAttempts extends Error {
  constructor(readonly seconds: number) {
    super(`Too many attempts. Try again in ${Math.ceil(seconds / 60)} minutes.`)
  }
}

/** Errors have the form of the library's: `{code, message}`; problems of an input are named by field. */
function failureOf(error: unknown, { log }: RequestState): Answer {
  if (error instanceof TooManyAttempts)
    return jsonAnswer({ code: 'TOO_MANY_ATTEMPTS', message: error.message }, 429, {
      'Retry-After': String(error.seconds),
      ...noStore,
    })
  const known = toTributaryError(error, log)
  const { status, headers } = errorAnswer(known)
  const problems = known.problems.map(({ field, message }) => ({ field, message }))
  const body: { code: ErrorCode; message: string; problems?: unknown } = { code: known.code, message: known.message }
  if (problems.length > 0) body.problems = problems
  const retryAfter = headers['Retry-After']
  return jsonAnswer(body, status, { ...(retryAfter !== undefined && { 'Retry-After': retryAfter }), ...noStore })
}

const notFoundAnswer = () => jsonAnswer({ code: 'NOT_FOUND', message: 'Not found.' }, 404, noStore)
