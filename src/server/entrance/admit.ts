import type { Program } from '../../generated/prisma/client.ts'
import type { EventStream, GraphQLContext } from '../../graphql/context.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { BodyBudget, Incoming } from '../../http/incoming.ts'
import type { Actor } from '../../kernel/context.ts'
import { usesMechanism } from '../../kernel/engine.ts'
import { clientGone, TributaryError } from '../../kernel/errors.ts'
import type { LastUsed } from '../../modules/access/api-keys/service.ts'
import type { KnownOfRequest, RequestState } from '../handler.ts'
import type { RequestLimits } from '../limits/rate-limits.ts'
import { inTurn, type TurnHolder, type Turns, takeTurn } from '../limits/turns.ts'
import type { Authenticate, AuthenticateSettings, ExpectedCaller, Identity } from './authenticate.ts'
import { type ContextOptions, contextOf, noEvents, signalOf } from './context.ts'
import { demandPlace, isAnyPlace, type Place, placeOf } from './place.ts'

export type AdmitOptions = ContextOptions & {
  authenticate: Authenticate
  lastUsed: LastUsed
  /** Of pages that may call GraphQL, with affiliate tokens. */
  portalOrigins: readonly string[]
  turns: Turns
  limits: RequestLimits
  bodies: BodyBudget
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
  /** As how many requests it counts. One, if it is not said. */
  requests?: number
  /** @param renew authenticates the caller again, for an operation that can change what the caller may do */
  run(context: GraphQLContext, renew: () => Promise<GraphQLContext>): Promise<T>
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
    const limited = limits.countsKeys ? limitedId(context.actor) : undefined
    if (limited !== undefined) state.limitFields = await limits.admitKey(limited)
    if (bodyError !== undefined) throw bodyError
    const operation = choose(body)
    const more = (operation.requests ?? 1) - 1
    if (more > 0 && limits.countsAddresses) await limits.admitAddress(address(), true, more)
    if (more > 0 && limited !== undefined) state.limitFields = await limits.admitKey(limited, more)
    if (operation.name) state.known.operation = operation.name
    if (operation.isRead) context.signal = signalOf(incoming, options.operationMs)
    return await operation.run(context, createContext)
  }
}

/** The key or the connected application whose requests are counted. */
const limitedId = (actor: Actor): string | undefined =>
  actor.kind === 'api_key' ? actor.id : actor.kind === 'person' ? actor.app?.id : undefined

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
  const [confirmed, found] = await Promise.allSettled([
    confirming,
    operation.run(context, () => Promise.resolve(context)),
  ])
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
