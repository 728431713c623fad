import type { PrismaClient } from '../generated/prisma/client.ts'
import type { EventStream, GraphQLContext } from '../graphql/context.ts'
import { readBody } from '../http/body.ts'
import { forbidden } from '../kernel/errors.ts'
import type { LastUsed } from '../modules/access/api-keys/last-used.ts'
import { clockOf } from '../modules/programs/clock.ts'
import type { Authenticate } from './authenticate.ts'
import type { AdmittedRequest, IncomingRequest, RequestState } from './handler.ts'
import { type Turns, takeTurn } from './turns.ts'

export type AdmitOptions = {
  authenticate: Authenticate
  lastUsed: LastUsed
  db: PrismaClient
  now: () => Date
  publicUrl: () => string
  turns: Turns
}

/** What an event stream needs of its request. `renew` authenticates the caller again. */
export type StreamRequest = {
  programId: string | undefined
  renew: () => Promise<void>
  signal: AbortSignal
  log: RequestState['log']
}

export type AdmitSettings = {
  /** Whether the operator token and affiliate tokens are accepted, not only API keys. */
  acceptsTokens: boolean
  /** Without it the request has no events. */
  createEvents?: (request: StreamRequest) => EventStream
}

export type Admit = (incoming: IncomingRequest, settings: AdmitSettings) => Promise<AdmittedRequest>

/** Reads the body of a request, waits for a turn, authenticates the caller and makes the context of REST and GraphQL. */
export function createAdmit(options: AdmitOptions): Admit {
  return async ({ request, state }, settings) => {
    // The body is read before the turn is taken, so slow senders block nobody. Errors of the body are reported only to
    // callers who are authenticated.
    const [read] = await Promise.allSettled([readBody(request)])
    state.release = await takeTurn(options.turns, request.signal)
    const context = await createContext(request, state, options, settings)
    if (read.status === 'rejected') throw read.reason
    return { context, body: read.value }
  }
}

async function createContext(
  { headers, signal }: Request,
  { log, requestId, known }: RequestState,
  { db, now, publicUrl, authenticate, lastUsed }: AdmitOptions,
  { acceptsTokens, createEvents = () => noEvents }: AdmitSettings,
): Promise<GraphQLContext> {
  const identify = async () => {
    const caller = await authenticate(headers, { acceptsTokens })
    if (caller.apiKey) lastUsed.note(caller.apiKey, now())
    return caller
  }
  let identity = await identify()
  const renew = async () => {
    identity = await identify()
  }
  const { actor, program, apiKey } = identity
  Object.assign(known, {
    actor: actor.kind,
    programId: program?.id,
    keyId: apiKey?.id,
    ...(actor.kind === 'affiliate' && { affiliateId: actor.affiliateId }),
  })
  return {
    db,
    // This is the only place that chooses a sandbox's own clock; everything that is done in the program uses it.
    now: () => (identity.program ? clockOf(identity.program, now) : now)(),
    trueNow: now,
    log,
    requestId,
    actor,
    namedProgram: program,
    profile: apiKey?.profile ?? 'contract',
    words: apiKey?.words ?? 'contract',
    publicUrl: publicUrl(),
    signal,
    events: createEvents({ programId: program?.id, renew, signal, log }),
  }
}

const noEvents: EventStream = {
  open: () => Promise.reject(forbidden('Subscriptions are available over GraphQL only.')),
  answered() {},
  end() {},
}
