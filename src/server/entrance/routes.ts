import type { Answer } from '../../http/answer.ts'
import type { TributaryError } from '../../kernel/errors.ts'
import { graphQLErrorAnswer } from '../graphql-errors.ts'
import type { Handler, RequestIds } from '../handler.ts'
import { mcpErrorAnswer } from '../mcp-errors.ts'

export type Route = {
  /** The handler gets this path and all paths below it. */
  prefix: string
  handle: Handler
  /** How an error of the handler is written; as in REST unless given. */
  errorAnswer?: (error: TributaryError, ids: RequestIds, accept: string | null) => Answer
}

type Handlers = Record<
  | 'rest'
  | 'graphql'
  | 'mcp'
  | 'oauthMetadata'
  | 'oauth'
  | 'trackingEndpoints'
  | 'trackScript'
  | 'redirect'
  | 'feeds'
  | 'payoutServices'
  | 'join'
  | 'mail'
  | 'portal'
  | 'dashboard'
  | 'docs'
  | 'demoShop'
  | 'home'
  | 'look'
  | 'verify'
  | 'publicKeys'
  | 'alive'
  | 'ready'
  | 'metrics',
  Handler
>

/** Every path of the service. No prefix is below another, except that `/` is the first page alone. */
export const createRoutes = (handlers: Handlers): Route[] => [
  { prefix: '/v1', handle: handlers.rest },
  { prefix: '/graphql', handle: handlers.graphql, errorAnswer: graphQLErrorAnswer },
  { prefix: '/mcp', handle: handlers.mcp, errorAnswer: mcpErrorAnswer },
  {
    prefix: '/.well-known',
    handle: async (incoming, state) =>
      (await handlers.oauthMetadata(incoming, state)) ?? handlers.publicKeys(incoming, state),
  },
  { prefix: '/oauth', handle: handlers.oauth },
  { prefix: '/track', handle: handlers.trackingEndpoints },
  { prefix: '/track.js', handle: handlers.trackScript },
  { prefix: '/r', handle: handlers.redirect },
  { prefix: '/feeds', handle: handlers.feeds },
  { prefix: '/payout-services', handle: handlers.payoutServices },
  { prefix: '/mail', handle: handlers.mail },
  { prefix: '/join', handle: handlers.join },
  { prefix: '/portal', handle: handlers.portal },
  { prefix: '/dashboard', handle: handlers.dashboard },
  { prefix: '/docs', handle: handlers.docs },
  { prefix: '/demo/shop', handle: handlers.demoShop },
  { prefix: '/', handle: handlers.home },
  { prefix: '/look', handle: handlers.look },
  { prefix: '/verify', handle: handlers.verify },
  { prefix: '/healthz', handle: handlers.alive },
  { prefix: '/readyz', handle: handlers.ready },
  { prefix: '/metrics', handle: handlers.metrics },
]
