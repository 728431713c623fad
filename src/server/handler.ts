import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { GraphQLContext } from '../graphql/context.ts'
import type { Actor } from '../kernel/context.ts'
import type { ErrorCode } from '../kernel/errors.ts'

export type KnownOfRequest = {
  actor?: Actor['kind']
  programId?: string
  keyId?: string
  affiliateId?: string
  personId?: string
  operation?: string
  /** The mutations of a GraphQL operation. Logged because not every change is in the history. */
  mutations?: string[]
  errorCode?: ErrorCode
  /** The message of the error. It is not logged: it can repeat what the client sent. */
  problem?: string
  /** What was odd about a request that succeeded. It is not logged either. */
  remark?: string
}

/** What the server knows about a request while it handles it: Yoga's server context. */
export type RequestState = {
  /** Node's own request and response, when the request came over HTTP. */
  req?: IncomingMessage
  res?: ServerResponse
  requestId: string
  /** With traces only. */
  traceId?: string
  log: Logger
  startedAt: number
  route?: string
  /** The known fields of the request's log line. */
  known: KnownOfRequest
  /** Set for GraphQL requests only, once they are authenticated. */
  context: GraphQLContext | undefined
  /** The body of a GraphQL request. Its stream has been read. */
  body?: Uint8Array
  /** Whether the answer was given before, to the same `Idempotency-Key`. */
  isReplay?: boolean
  /** What is left of the API key's limit, for the headers of the response. */
  limitFields?: Record<string, string>
  /** Whether the log has no line of the request: it is one of a flood that is in the log already. */
  isUnlogged?: boolean
  release?: () => void
}

/** What leads from an error to the logs and traces. */
export type RequestIds = Pick<RequestState, 'requestId' | 'traceId'>

export type IncomingRequest = { request: Request; url: URL; state: RequestState }

export type AdmittedRequest = { context: GraphQLContext; body: Uint8Array }

/** Handles all paths below one prefix. Returns null for a path that does not exist, or an operation for Yoga to execute. */
export type Handler = (incoming: IncomingRequest) => Outcome | Promise<Outcome>
export type Outcome = Response | null | { operation: AdmittedRequest }
