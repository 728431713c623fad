import type { GraphQLContext } from '../../graphql/context.ts'
import type { ErrorCode } from '../../kernel/errors.ts'

/** A request that can be answered directly: its parts, without the objects that Yoga makes of them. */
export type DirectRequest = {
  method: string
  target: string
  header(name: string): string | null
  /** The whole body, if it is small and has arrived. */
  body(): string | null
  isGone(): boolean
  /** The request as Yoga gets it. */
  source: object
}

export type DirectAnswer = {
  status: number
  /** Without those that every response has. */
  headers: Record<string, string>
  body: string | null
  /** Why the request failed, if it did. */
  failure?: { code: ErrorCode; problem: string } | undefined
}

export type DirectOperation = {
  path: string
  /** The first part of the path, as the metrics name it. */
  route: '/v1' | '/graphql'
  operation: string | undefined
  /** Whether it may write: then it runs only after it is known that the API key is valid, and always answers. */
  writes?: true
  /** Null if Yoga has to answer. */
  run(context: GraphQLContext): Promise<DirectAnswer | null>
}
