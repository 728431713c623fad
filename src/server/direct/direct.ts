import type { Logger } from 'pino'
import { fromPrimary, type ReadFrom } from '../../database/read-from.ts'
import type { GraphQLContext } from '../../graphql/context.ts'
import { safeHeaders } from '../../http/safe-headers.ts'
import type { LastUsed } from '../../modules/access/api-keys/last-used.ts'
import type { FailedRequests } from '../../modules/failed-requests/record.ts'
import type { Authenticate, ExpectedCaller } from '../authenticate.ts'
import { runWithDeadline } from '../deadline.ts'
import type { KnownOfRequest } from '../handler.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { isAnswer } from '../replicas.ts'
import { contextOf, noEvents, noteCaller, remarkIn, turnHolderOf } from '../request-context.ts'
import { logRequest, noteFailure, requestIdOf } from '../request-log.ts'
import { traceOperation } from '../traces/serve.ts'
import type { Tracing } from '../traces/tracing.ts'
import type { Turns } from '../turns.ts'
import type { DirectAnswer, DirectOperation, DirectRequest } from './request.ts'

export type DirectOptions = Pick<GraphQLContext, 'db' | 'now' | 'webhooks'> & {
  /** What can be answered: each understands some requests. */
  understand: readonly ((request: DirectRequest) => DirectOperation | null)[]
  authenticate: Authenticate
  lastUsed: LastUsed
  failedRequests: Pick<FailedRequests, 'note'>
  /** Called for each answer. */
  requested: Metrics['requested'] | undefined
  tracing: Tracing | undefined
  turns: Turns
  /** Without it, all reads are on the primary. */
  readFrom?: ReadFrom | undefined
  log: Logger
  publicUrl: () => string
  /** How long an operation may take. */
  operationMs: number
  /** The `Vary` that every response has. */
  vary?: string
}

/** Answers a request, or returns null: not handled here. Null may be returned late, but nothing has been written. */
export type Direct = {
  (request: DirectRequest): Promise<DirectAnswer | null> | null
  /** Whether the caller of this Authorization header is known. Only then the body is read here. */
  knows(authorization: string | null): boolean
  isTraced: boolean
}

/**
 * Answers REST reads, known GraphQL queries and sale reports of known API keys as Yoga would, without its objects and
 * hooks. Reads take one round trip: the key is read with the first rows, for the program that the key had at its last
 * use. The response is sent only if the key has not changed meanwhile; writes begin after that. Unknown and changed
 * keys, the superset profile and requests that have to wait for a turn go through Yoga.
 */
export function createDirect(options: DirectOptions): Direct {
  const { authenticate, turns, understand } = options
  const direct = (request: DirectRequest) => {
    const caller = authenticate.expect(request.header('authorization'))
    if (caller?.identity.apiKey.profile !== 'contract') return null
    for (const one of understand) {
      const operation = one(request)
      if (!operation) continue
      const release = turns.takeNow(turnHolderOf(caller.identity))
      return release && answer(request, operation, caller, options).finally(release)
    }
    return null
  }
  return Object.assign(direct, {
    knows: (authorization: string | null) => authenticate.expect(authorization) !== null,
    isTraced: options.tracing !== undefined,
  })
}

async function answer(
  request: DirectRequest,
  operation: DirectOperation,
  { identity, confirm }: ExpectedCaller,
  {
    db,
    now,
    webhooks,
    publicUrl,
    lastUsed,
    failedRequests,
    requested,
    tracing,
    log,
    vary,
    operationMs,
    readFrom = fromPrimary,
  }: DirectOptions,
): Promise<DirectAnswer | null> {
  const startedAt = performance.now()
  const requestId = requestIdOf(request.header('x-request-id'))
  const ownLog = log.child({ requestId })
  const signal = new DirectSignal(request, startedAt + operationMs) as object as AbortSignal
  const known: KnownOfRequest = {}
  const remark = remarkIn(known)
  const ofRequest = {
    db,
    now,
    webhooks,
    publicUrl: publicUrl(),
    log: ownLog,
    requestId,
    signal,
    events: noEvents,
    remark,
  }
  const run = () => {
    const context = contextOf(() => identity, ofRequest)
    return traceOperation(tracing, { route: operation.route, name: operation.operation }, () =>
      operation.writes
        ? runWithDeadline(context, operationMs, operation.run)
        : readFrom(context, operation.run, (answer) => answer !== null && isAnswer(answer)),
    )
  }
  const found = await runConfirmed(operation, confirm, run)
  if (!found) return null
  const { status, headers, body, failure } = found
  lastUsed.note(identity.apiKey, now())
  if (failure) Object.assign(known, { errorCode: failure.code, problem: failure.problem })
  noteCaller(known, identity)
  known.operation = operation.operation
  const logged = { method: request.method, path: operation.path, status, ...known }
  logRequest(ownLog, startedAt, logged)
  noteFailure(failedRequests, requestId, logged)
  const counted = operation.route === '/v1' ? (operation.operation ?? '') : ''
  requested?.({
    method: request.method,
    route: operation.route,
    operation: counted,
    status,
    seconds: (performance.now() - startedAt) / 1000,
  })
  const varied = vary && { Vary: headers.Vary ? `${headers.Vary}, ${vary}` : vary }
  return { status, body, headers: { ...headers, ...varied, ...safeHeaders, 'X-Request-Id': requestId } }
}

/** What operations ask of a signal. One of Node.js would cost more than a small request. */
class DirectSignal {
  constructor(
    private readonly request: DirectRequest,
    private readonly endsAt: number,
  ) {}

  get aborted(): boolean {
    return this.request.isGone() || performance.now() > this.endsAt
  }
}

/** Runs an operation if the key is confirmed; null if Yoga has to answer. */
async function runConfirmed(
  { writes }: DirectOperation,
  confirm: ExpectedCaller['confirm'],
  run: () => Promise<DirectAnswer | null>,
): Promise<DirectAnswer | null> {
  if (writes) return (await confirm().catch(() => false)) ? await run() : null
  // Before the read, so that both are sent together.
  const confirming = confirm()
  const [confirmed, found] = await Promise.allSettled([confirming, run()])
  if (confirmed.status === 'rejected' || !confirmed.value) return null
  return found.status === 'rejected' ? null : found.value
}
