import { LRUCache } from 'lru-cache'
import type { Person, Program } from '../../generated/prisma/client.ts'
import type { Answer } from '../../http/answer.ts'
import { hasCredentials, readCredentials } from '../../http/credentials.ts'
import type { Incoming } from '../../http/incoming.ts'
import type { Actor, Viewer } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { invalidKey, notFound, unauthenticated } from '../../kernel/errors.ts'
import { findAffiliateByToken, isAffiliateToken } from '../../modules/access/affiliate-tokens/service.ts'
import { hashSecret, isWellFormedSecret, secretPrefix } from '../../modules/access/api-keys/secret.ts'
import { findKeyByHash, type KeyOfRequest } from '../../modules/access/api-keys/service.ts'
import { demandSession } from '../../modules/access/sign-in-links/sessions.ts'
import { findAppCaller, isAppToken } from '../../modules/people/connected-apps/tokens.ts'
import { findRole } from '../../modules/people/members.ts'
import { findProgramByName } from '../../modules/programs/service.ts'
import { challengeOf } from '../oauth/metadata.ts'

export type Identity = { actor: Actor; program: Program | null; apiKey: KeyOfRequest | null }

export type AuthenticateSettings = {
  /** Whether the operator token and affiliate tokens are accepted, or the first alone. Others are invalid API keys. */
  acceptsTokens: boolean | 'operator'
  /** The signed-in person, for a request without a key or token. Without it, people cannot sign in. */
  readPerson?: () => Promise<Person | null>
  /** The resource whose tokens of connected applications are accepted. Without it, they are invalid API keys. */
  resource?: string
}

/** The caller that an API key had at its last use. Nothing may be answered before `confirm` says that it still is. */
export type ExpectedCaller = { identity: Identity & { apiKey: KeyOfRequest }; confirm(): Promise<boolean> }

export type Authenticate = {
  /**
   * Supports `Basic`, with the API key as user name and an empty password, and `Bearer`, also for the operator token
   * and affiliate tokens. X-Program-Id names a program by id or slug for operators and people.
   * @throws UNAUTHENTICATED; NOT_FOUND when the operator names an unknown program
   */
  (incoming: Pick<Incoming, 'header'>, settings: AuthenticateSettings): Promise<Identity>
  /** The expected caller of an Authorization header; null if it is not an API key that was used before. */
  expect(authorization: string | null): ExpectedCaller | null
}

/** The number of API keys whose last caller is cached. */
const maximumKeys = 1_000

/** @param webhooks has the key that decrypts the signing secrets of affiliate tokens */
export function createAuthenticate(
  db: AppDb,
  isAdminToken: (secret: string) => boolean,
  now: () => Date,
  webhooks: { key: Buffer },
): Authenticate {
  /** By the hash of the key's secret. */
  const callers = new LRUCache<string, ExpectedCaller['identity']>({ max: maximumKeys })
  /** The hashes of their secrets, by the whole header. */
  const hashes = new LRUCache<string, string>({ max: maximumKeys })

  const identify = async (secretHash: string) => {
    const key = await findKeyByHash({ db }, secretHash)
    const before = callers.get(secretHash)
    if (key && before?.apiKey === key) return before
    if (!key) {
      callers.delete(secretHash)
      return null
    }
    const { id, access, program } = key
    const identity = { actor: { kind: 'api_key', id, access } as const, program, apiKey: key }
    callers.set(secretHash, identity)
    return identity
  }

  const authenticate = async (
    incoming: Pick<Incoming, 'header'>,
    { acceptsTokens, readPerson, resource }: AuthenticateSettings,
  ): Promise<Identity> => {
    const authorization = incoming.header('authorization')
    const person = authorization === null ? await readPerson?.() : null
    if (person) return identityOf(person, incoming.header('x-program-id'))
    const knownHash = authorization === null ? undefined : hashes.get(authorization)
    if (knownHash) return identityOfKey(knownHash)
    const { scheme, secret } = readAuthorization(authorization)
    if (acceptsTokens === true && scheme === 'bearer' && isAffiliateToken(secret)) {
      const { affiliate, program, claims } = await findAffiliateByToken({ db, now, webhooks }, secret)
      if (claims.id !== undefined) await demandSession(db, claims, now())
      if (claims.viewer !== undefined) await demandViewer(claims.viewer, program)
      const { id: sessionId, viewer } = claims
      const actor = { kind: 'affiliate', affiliateId: affiliate.id, sessionId, viewer } as const
      return { actor, program, apiKey: null }
    }
    if (acceptsTokens && scheme === 'bearer' && isAdminToken(secret)) {
      const named = incoming.header('x-program-id')
      const program = named ? await findProgramByName({ db }, named) : null
      return { actor: { kind: 'operator' }, program, apiKey: null }
    }
    if (resource !== undefined && scheme === 'bearer' && isAppToken(secret)) return identityOfApp(secret, resource)
    if (!isWellFormedSecret(secret)) throw unauthenticated()
    return identityOfKey(hashSecret(secret))
  }

  /** @throws UNAUTHENTICATED if a person who sees the portal of an affiliate has no role in the program any more */
  const demandViewer = async (viewer: Viewer, program: Program): Promise<void> => {
    if (viewer === 'operator') return
    const person = await db.person.findUnique({ where: { id: viewer }, select: { id: true, isOperator: true } })
    if (!person || !(await findRole({ db }, person, program.id)))
      throw unauthenticated('You have no role in this program any more.')
  }

  const identityOfKey = async (secretHash: string): Promise<Identity> => {
    const identity = await identify(secretHash)
    if (!identity) throw unauthenticated()
    return identity
  }

  /** An application acts as the person in one program, also for an operator. */
  async function identityOfApp(token: string, resource: string): Promise<Identity> {
    const { app, person, program, role } = await findAppCaller({ db, now: now() }, token, resource)
    const { id, name } = person
    const { id: appId, canPropose } = app
    const actor = { kind: 'person', id, name, isOperator: false, role, app: { id: appId, canPropose } } as const
    return { actor, program, apiKey: null }
  }

  /** A program in which the person has no role is answered like an unknown one. */
  async function identityOf({ id, name, isOperator }: Person, named: string | null): Promise<Identity> {
    const program = named ? await findProgramByName({ db }, named) : null
    const role = program && (await findRole({ db }, { id, isOperator }, program.id))
    if (program && !role) throw notFound('Program', named ?? '')
    return { actor: { kind: 'person', id, name, isOperator, role }, program, apiKey: null }
  }

  const expect = (authorization: string | null): ExpectedCaller | null => {
    const secretHash = authorization === null ? null : hashOf(authorization)
    const identity = secretHash === null ? undefined : callers.get(secretHash)
    if (secretHash === null || !identity) return null
    hashes.set(authorization as string, secretHash)
    return { identity, confirm: async () => (await identify(secretHash)) === identity }
  }

  const hashOf = (authorization: string): string | null => {
    const known = hashes.get(authorization)
    if (known) return known
    const given = readSecret(authorization)
    return given?.secret.startsWith(secretPrefix) ? hashSecret(given.secret) : null
  }

  return Object.assign(authenticate, { expect })
}

type Given = { scheme: 'basic' | 'bearer'; secret: string }

/** @throws UNAUTHENTICATED */
function readAuthorization(header: string | null): Given {
  const given = readSecret(header)
  if (!given) throw unauthenticated()
  return given
}

/** Null for a header of another form. A password is rejected: the key is the user name. */
function readSecret(header: string | null): Given | null {
  const credentials = readCredentials(header)
  if (credentials?.scheme !== 'basic') return credentials && { scheme: 'bearer', secret: credentials.token }
  const { user, password } = credentials
  return user === '' || password !== '' ? null : { scheme: 'basic', secret: user }
}

const unsent = 'No API key was sent. Send it in the Authorization header: as Bearer, or as the user name of Basic.'
const unreadable = 'The Authorization header has no key as Bearer or Basic. Send: Authorization: Bearer YOUR_KEY'
const unknown = 'No program has this API key: it is mistyped, revoked, or of another service.'

/** Why authentication failed, by what was sent. */
export function explainInvalidKey(incoming: Pick<Incoming, 'header'>): string {
  const authorization = incoming.header('authorization')
  if (authorization === null) return unsent
  return hasCredentials(authorization) ? unknown : unreadable
}

/** Says in `WWW-Authenticate` why authentication failed (RFC 6750, section 3). The body of REST is always the same. */
export function withChallenge(incoming: Incoming, { headers, failure }: Answer, publicUrl: string): Answer['headers'] {
  if (headers['WWW-Authenticate'] !== 'Bearer') return headers
  const authorization = incoming.header('authorization')
  const isSent = authorization !== null && hasCredentials(authorization)
  const problem = failure?.problem ?? ''
  const description = problem.startsWith(invalidKey) ? explainInvalidKey(incoming) : problem
  const written = challenge(description, isSent ? 'error="invalid_token", ' : '')
  const leadsOn = incoming.path === '/mcp' ? `, ${challengeOf(publicUrl)}` : ''
  return { ...headers, 'WWW-Authenticate': written + leadsOn }
}

/** A description has no quotes: RFC 6750 allows printable ASCII without them. */
const challenge = (description: string, error = '') =>
  `Bearer ${error}error_description="${description.replace(/[^ !#-[\]-~]/g, '')}"`
