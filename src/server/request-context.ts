import { clientOfProgram } from '../database/as-program.ts'
import type { PrismaClient, Program } from '../generated/prisma/client.ts'
import type { EventStream, GraphQLContext } from '../graphql/context.ts'
import { announcesBody, type BodyBudget, readBody } from '../http/body.ts'
import { forbidden, TributaryError } from '../kernel/errors.ts'
import type { LastUsed } from '../modules/access/api-keys/last-used.ts'
import { clockOf } from '../modules/programs/clock.ts'
import type { Authenticate, AuthenticateSettings, Identity } from './authenticate.ts'
import type { AdmittedRequest, IncomingRequest, KnownOfRequest, RequestState } from './handler.ts'
import type { RequestLimits } from './request-limits.ts'
import { clientAddress } from './tracking/address.ts'
import { inTurn, type TurnHolder, type Turns, takeTurn } from './turns.ts'

export type AdmitOptions = {
  authenticate: Authenticate
  lastUsed: LastUsed
  db: PrismaClient
  now: () => Date
  publicUrl: () => string
  turns: Turns
  limits: RequestLimits
  /** How many proxies are in front of the service. */
  trustedProxies: number
  bodies: BodyBudget
  webhooks: GraphQLContext['webhooks']
  cell?: string | undefined
  mailer: GraphQLContext['mailer']
}

/** What an event stream needs of its request. `renew` authenticates the caller again. */
export type StreamRequest = {
  programId: string | undefined
  renew: () => Promise<void>
  signal: AbortSignal
  log: RequestState['log']
}

export type AdmitSettings = AuthenticateSettings & {
  /** Without it the request has no events. */
  createEvents?: (request: StreamRequest) => EventStream
}

export type Admit = (incoming: IncomingRequest, settings: AdmitSettings) => Promise<AdmittedRequest>

/**
 * Authenticates the caller, reads the body, and makes the context of REST and GraphQL. An unknown caller's body is read
 * after authentication; a known API key is read again with its operation.
 */
export function createAdmit(options: AdmitOptions): Admit {
  return async ({ request, state }, settings) => {
    const address = clientAddress(request.headers, state.req?.socket, options.trustedProxies)
    const authorization = request.headers.get('authorization')
    const expected = options.authenticate.expect(authorization)
    // People who are signed in send no Authorization header.
    const isKnown = authorization === null || expected !== null
    await options.limits.admitAddress(address, isKnown).catch((error) => {
      state.isUnlogged = true
      throw error
    })
    // Unauthenticated requests share one program's quota, taking turns by address.
    const holder = expected ? turnHolderOf(expected.identity) : { program: '', key: address }
    const wait = { holder, signal: request.signal }
    const authenticate = () =>
      createContext(request, state, options, settings).catch(async (error) => {
        if (error instanceof TributaryError && error.code === 'UNAUTHENTICATED')
          await options.limits.noteFailure(address, state.log)
        throw error
      })
    const authenticated =
      !expected && announcesBody(request) ? await inTurn(options.turns, authenticate, wait) : undefined
    const forgetBody = options.bodies.reserve(request)
    state.release = forgetBody
    // The body is read without a turn, so that slow senders block no other. Only authenticated callers get errors of
    // the body.
    const [read] = await Promise.allSettled([readBody(request)])
    const endTurn = await takeTurn(options.turns, wait)
    state.release = () => {
      endTurn()
      forgetBody()
    }
    const context = authenticated ?? (await authenticate())
    if (context.actor.kind === 'api_key') state.limitFields = await options.limits.admitKey(context.actor.id)
    if (read.status === 'rejected') throw read.reason
    return { context, body: read.value }
  }
}

export const turnHolderOf = ({
  actor,
  ...caller
}: Pick<Identity, 'actor'> & ({ program: Program | null } | { namedProgram: Program | null })): TurnHolder => {
  const program = 'program' in caller ? caller.program : caller.namedProgram
  return { program: program?.id ?? '', key: actor.kind === 'api_key' ? actor.id : '' }
}

async function createContext(
  { headers, signal }: Request,
  { log, requestId, known }: RequestState,
  { db, now, publicUrl, authenticate, lastUsed, webhooks, cell, mailer }: AdmitOptions,
  { createEvents = () => noEvents, ...settings }: AdmitSettings,
): Promise<GraphQLContext> {
  const identify = async () => {
    const caller = await authenticate(headers, settings)
    if (caller.apiKey) lastUsed.note(caller.apiKey, now())
    return caller
  }
  let identity = await identify()
  const renew = async () => {
    identity = await identify()
  }
  noteCaller(known, identity)
  const events = createEvents({ programId: identity.program?.id, renew, signal, log })
  const remark = remarkIn(known)
  const ofRequest = { db, now, publicUrl: publicUrl(), log, requestId, signal, webhooks, mailer, events, cell, remark }
  return contextOf(() => identity, ofRequest)
}

/** Adds the caller to the log line. */
export function noteCaller(known: KnownOfRequest, { actor, program, apiKey }: Identity): void {
  known.actor = actor.kind
  known.programId = program?.id
  known.keyId = apiKey?.id
  if (actor.kind === 'affiliate') known.affiliateId = actor.affiliateId
  if (actor.kind === 'person') known.personId = actor.id
}

/** Notes the first remark about a request. */
export const remarkIn =
  (known: KnownOfRequest) =>
  (problem: string): void => {
    known.remark ??= problem
  }

type OfRequest = Pick<
  GraphQLContext,
  'db' | 'now' | 'publicUrl' | 'log' | 'requestId' | 'signal' | 'webhooks' | 'mailer' | 'events' | 'cell' | 'remark'
>

/**
 * Fields are named, because copying an object was 3 % of a small request.
 * @param identify returns the caller, who can change while a subscription is open
 */
export function contextOf(
  identify: () => Identity,
  { db, now, publicUrl, log, requestId, signal, webhooks, mailer, events, cell, remark }: OfRequest,
): GraphQLContext {
  const { actor, program, apiKey } = identify()
  return {
    db,
    publicUrl,
    log,
    requestId,
    signal,
    webhooks,
    mailer,
    events,
    cell,
    remark,
    clientOfProgram,
    // This is the only place that chooses a sandbox's own clock; everything that is done in the program uses it.
    now: () => {
      const { program } = identify()
      return (program ? clockOf(program, now) : now)()
    },
    trueNow: now,
    actor,
    namedProgram: program,
    profile: apiKey?.profile ?? 'contract',
    words: apiKey?.words ?? 'contract',
  }
}

/** For requests that cannot subscribe. */
export const noEvents: EventStream = {
  open: () => Promise.reject(forbidden('Subscriptions are available over GraphQL only.')),
  answered() {},
  end() {},
}
