import type { ExecutionResult } from 'graphql'
import type { Logger } from 'pino'
import type { GraphQLContext } from '../graphql/context.ts'
import type { Answer } from '../http/answer.ts'
import type { Incoming } from '../http/incoming.ts'
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

/** What the server knows about a request while it handles it: also Yoga's server context. */
export type RequestState = {
  requestId: string
  /** With traces only. */
  traceId: string | undefined
  log: Logger
  startedAt: number
  /** The slug of the program whose own host the request names. Nothing of another program is answered there. */
  ownSlug?: string | undefined
  /** The known fields of the request's log line. */
  known: KnownOfRequest
  /** What is left of the API key's limit, for the headers of the response. */
  limitFields?: Record<string, string>
  /** Whether the log has no line of the request: it is one of a flood that is in the log already. */
  isUnlogged?: boolean
  release?: () => void
  /** The body, if it was read. */
  body?: Uint8Array
}

/** The state of a GraphQL request that Yoga handles. Its caller is admitted, and its body is read. */
export type GraphQLState = RequestState & {
  context: GraphQLContext
  body: Uint8Array
  /** The result with errors of a query that has run already. */
  result?: ExecutionResult | undefined
  /** Whether the answer was given before, to the same `Idempotency-Key`. */
  isReplay?: boolean
}

/** What leads from an error to the logs and traces. */
export type RequestIds = Pick<RequestState, 'requestId'> & Partial<Pick<RequestState, 'traceId'>>

/** Handles all paths below one prefix. Returns null for a path that does not exist, or the `Response` of a library. */
export type Handler = (incoming: Incoming, state: RequestState) => Outcome | Promise<Outcome>
export type Outcome = HandlerAnswer | null
export type HandlerAnswer = Answer | Response
