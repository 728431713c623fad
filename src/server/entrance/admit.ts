import type { Program } from '../../generated/prisma/client.ts'
import type { EventStream, GraphQLContext } from '../../graphql/context.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { BodyBudget, Incoming } from '../../http/incoming.ts'
import type { AppDb } from '../../kernel/db.ts'
import { DeadlineExceeded } from '../../kernel/deadline.ts'
import { usesMechanism } from '../../kernel/engine.ts'
import { clientGone, forbidden, TributaryError } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import type { LastUsed } from '../../modules/access/api-keys/service.ts'
import { clockOf } from '../../modules/programs/clock.ts'
import type { KnownOfRequest, RequestState } from '../handler.ts'
import type { RequestLimits } from '../limits/rate-limits.ts'
import { inTurn, type TurnHolder, type Turns, takeTurn } from '../limits/turns.ts'
import type { Authenticate, AuthenticateSettings, ExpectedCaller, Identity } from './authenticate.ts'
import { demandPlace, isAnyPlace, type Place, placeOf } from './place.ts'

export type AdmitOptions = {
  authenticate: Authenticate
  lastUsed: LastUsed
  db: AppDb
  now: () => Date
  publicUrl: PublicUrl
  /** Of pages that may call GraphQL, with affiliate tokens. */
  portalOrigins: readonly string[]
  turns: Turns
  limits: RequestLimits
  /** How many proxies are in front of the service. */
  trustedProxies: number
  bodies: BodyBudget
  webhooks: GraphQLContext['webhooks']
  cell?: string | undefined
  bucket: GraphQLContext['bucket']
  mailer: GraphQLContext['mailer']
  newerVersion: GraphQLContext['newerVersion']
  backups: GraphQLContext['backups']
  freeBytes: GraphQLContext['freeBytes']
  /** How long a read may take, in milliseconds. Other operations have a deadline of their own. */
  operationMs: number
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

/** What a request asks for. */
export type Operation<T> = {
  /** For the log. */
  name: string | undefined
  /** Whether it writes nothing and takes no locks: it can run before the API key is confirmed, and can run twice. */
  isRead: boolean
  run(context: GraphQLContext): Promise<T>
}

/** Admits the caller of a request, and runs its operation. @param choose says what the body asks for */
export type Admit = <T>(
  incoming: Incoming,
  state: RequestState,
  settings: AdmitSettings,
  choose: (body: Uint8Array) => Operation<T>,
) => Promise<T>

const noBody: Uint8Array = new Uint8Array()

/**
 * Limits, reads the body, waits for a turn, authenticates, runs the operation. An unknown caller's body is read after
 * authentication. Reads of an API key that was used before are sent together with the read of the key itself, for the
 * caller that the key had at its last use. The answer is sent only if the key has not changed meanwhile; otherwise the
 * caller is authenticated as every other one, and the read runs again. No other operation runs twice.
 */
export function createAdmit(options: AdmitOptions): Admit {
  const { authenticate, limits, turns, bodies } = options
  // The reader returns the same object for a key that has not changed.
  const isConfirmable = usesMechanism('batches') && usesMechanism('reader')
  return async (incoming, state, settings, choose) => {
    const authorization = incoming.header('authorization')
    const expected = authenticate.expect(authorization)
    // People who are signed in send no Authorization header.
    const isKnown = authorization === null || expected !== null
    const place = placeOf(incoming, state, options)
    const address = () => clientAddress(incoming, options.trustedProxies)
    if (!isKnown || limits.countsAddresses)
      await limits.admitAddress(address(), isKnown).catch((error) => {
        state.isUnlogged = true
        throw error
      })
    // Unauthenticated requests share one program's quota, taking turns by address.
    const holder = expected ? turnHolderOf(expected.identity) : { program: '', key: address() }
    const createContext = () =>
      authenticatedContext(incoming, state, options, settings, place).catch(async (error) => {
        if (error instanceof TributaryError && error.code === 'UNAUTHENTICATED')
          await limits.noteFailure(address(), state.log)
        throw error
      })
    const early =
      !expected && incoming.hasBody
        ? await inTurn(turns, createContext, { holder, signal: incoming.signal })
        : undefined
    const forgetBody = bodies.reserve(incoming)
    state.release = forgetBody
    // The body is read without a turn, so that slow senders block no other. Only authenticated callers get errors of
    // the body.
    let body = noBody
    let bodyError: unknown
    try {
      if (incoming.hasBody) body = await incoming.body()
    } catch (error) {
      bodyError = error
    }
    state.body = body
    if (incoming.isGone()) throw clientGone()
    const endTurn = turns.takeNow(holder) ?? (await takeTurn(turns, { holder, signal: incoming.signal }))
    state.release = () => {
      endTurn()
      forgetBody()
    }
    if (expected && isConfirmable && bodyError === undefined && !limits.countsKeys && isAnyPlace(place)) {
      const operation = choose(body)
      const answer = operation.isRead ? await readConfirmed(operation, expected, incoming, state, options) : undefined
      if (answer) return answer.value
    }
    const context = early ?? (await createContext())
    if (limits.countsKeys && context.actor.kind === 'api_key')
      state.limitFields = await limits.admitKey(context.actor.id)
    if (bodyError !== undefined) throw bodyError
    const operation = choose(body)
    if (operation.name) state.known.operation = operation.name
    if (operation.isRead) context.signal = signalOf(incoming, options.operationMs)
    return await operation.run(context)
  }
}

/** Runs a read together with the confirmation of its key. Undefined if the key has changed. */
async function readConfirmed<T>(
  operation: Operation<T>,
  { identity, confirm }: ExpectedCaller,
  incoming: Incoming,
  state: RequestState,
  options: AdmitOptions,
): Promise<{ value: T } | undefined> {
  // Before the read, so that both are sent together.
  const confirming = confirm()
  const context = contextOf(() => identity, incoming, state, options, noEvents)
  context.signal = signalOf(incoming, options.operationMs)
  const [confirmed, found] = await Promise.allSettled([confirming, operation.run(context)])
  if (confirmed.status === 'rejected' || !confirmed.value) return undefined
  options.lastUsed.note(identity.apiKey, options.now())
  noteCaller(state.known, identity)
  if (operation.name) state.known.operation = operation.name
  if (found.status === 'rejected') throw found.reason
  return found
}

export const turnHolderOf = ({
  actor,
  ...caller
}: Pick<Identity, 'actor'> & ({ program: Program | null } | { namedProgram: Program | null })): TurnHolder => {
  const program = 'program' in caller ? caller.program : caller.namedProgram
  return { program: program?.id ?? '', key: actor.kind === 'api_key' ? actor.id : '' }
}

async function authenticatedContext(
  incoming: Incoming,
  state: RequestState,
  options: AdmitOptions,
  { createEvents, ...settings }: AdmitSettings,
  place: Place,
): Promise<GraphQLContext> {
  const { authenticate, lastUsed, now } = options
  const identify = async () => {
    const caller = await authenticate(incoming, settings)
    demandPlace(caller, place)
    if (caller.apiKey) lastUsed.note(caller.apiKey, now())
    return caller
  }
  let identity = await identify()
  const renew = async () => {
    identity = await identify()
  }
  noteCaller(state.known, identity)
  const events =
    createEvents?.({ programId: identity.program?.id, renew, signal: incoming.signal, log: state.log }) ?? noEvents
  return contextOf(() => identity, incoming, state, options, events)
}

/** Adds the caller to the log line. */
function noteCaller(known: KnownOfRequest, { actor, program, apiKey }: Identity): void {
  known.actor = actor.kind
  known.programId = program?.id
  known.keyId = apiKey?.id
  if (actor.kind === 'affiliate') known.affiliateId = actor.affiliateId
  if (actor.kind === 'affiliate' && actor.viewer) known.personId = actor.viewer
  if (actor.kind === 'person') known.personId = actor.id
}

/** What operations ask of a signal. One of Node.js would cost more than a small request. */
class LightSignal {
  private readonly endsAt: number

  constructor(
    private readonly incoming: Pick<Incoming, 'isGone'>,
    private readonly ms: number,
  ) {
    this.endsAt = performance.now() + ms
  }

  get aborted(): boolean {
    return performance.now() > this.endsAt || this.incoming.isGone()
  }

  get reason(): DeadlineExceeded | undefined {
    return performance.now() > this.endsAt ? new DeadlineExceeded(Math.round(this.ms / 1000)) : undefined
  }
}

/** Aborted when the client has gone, or after this time. */
export const signalOf = (incoming: Pick<Incoming, 'isGone'>, ms = Number.POSITIVE_INFINITY): AbortSignal =>
  new LightSignal(incoming, ms) as object as AbortSignal

/** @param identify returns the caller, who can change while a subscription is open */
function contextOf(
  identify: () => Identity,
  incoming: Incoming,
  { log, requestId, known }: RequestState,
  {
    db,
    now,
    publicUrl,
    webhooks,
    bucket,
    mailer,
    newerVersion,
    backups,
    freeBytes,
    cell,
    trustedProxies,
  }: AdmitOptions,
  events: EventStream,
): GraphQLContext {
  const { actor, program, apiKey } = identify()
  return {
    db,
    publicUrl: publicUrl(),
    affiliateUrl: publicUrl(program ?? undefined),
    log,
    requestId,
    signal: signalOf(incoming),
    clientAddress: () => clientAddress(incoming, trustedProxies),
    webhooks,
    bucket,
    mailer,
    newerVersion,
    backups,
    freeBytes,
    events,
    cell,
    // The first remark is kept.
    remark: (problem) => {
      known.remark ??= problem
    },
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
const noEvents: EventStream = {
  open: () => Promise.reject(forbidden('Subscriptions are available over GraphQL only.')),
  answered() {},
  end() {},
}
