import { createGraphQL, type GraphQLOptions } from './graphql/handler.ts'
import { createOperations } from './graphql/operations.ts'
import type { YogaOptions } from './graphql/yoga.ts'
import { createConventionLimit } from './limits/convention-limit.ts'
import { createMcp, type McpOptions } from './mcp/handler.ts'
import { createRest, type RestOptions } from './rest/handler.ts'

type ApiOptions = YogaOptions &
  Omit<GraphQLOptions, 'operations'> &
  Omit<RestOptions, 'admitKey'> &
  Omit<McpOptions, 'operations' | 'allowsQueries'> & { requestsPer30Seconds: number }

/** What programs talk to: REST, GraphQL, and the tools of assistants, which run operations of GraphQL. */
export function createApi(options: ApiOptions) {
  const operations = createOperations(options)
  const { persistedOperations } = options
  // The tools' own operations are no list's: with only the listed ones, clients cannot run others through them either.
  const ofTools = persistedOperations?.only
    ? createOperations({ ...options, persistedOperations: undefined })
    : operations
  const admitKey = createConventionLimit(options.requestsPer30Seconds)
  return {
    rest: createRest({ ...options, admitKey }),
    graphql: createGraphQL({ ...options, operations }),
    mcp: createMcp({ ...options, operations: ofTools, allowsQueries: !persistedOperations?.only }),
  }
}
