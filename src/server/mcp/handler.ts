import { isRead } from '../../http/incoming.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { forbidden, TributaryError } from '../../kernel/errors.ts'
import type { PublicUrl } from '../../kernel/public-url.ts'
import type { Admit } from '../entrance/admit.ts'
import type { Operations } from '../graphql/operations.ts'
import type { Handler, HandlerAnswer } from '../handler.ts'
import { nameOf } from './names.ts'

export type McpOptions = {
  admit: Admit
  operations: Operations
  publicUrl: PublicUrl
  /** Whether clients may send queries of their own. */
  allowsQueries: boolean
}

/**
 * `/mcp`: the tools of assistants, by the Model Context Protocol over HTTP. Each request stands alone, so any instance
 * answers it. The caller has an API key, an affiliate token or the operator token, with the rights that it has in
 * GraphQL: the tools run operations of the schema.
 */
export function createMcp({ admit, operations, publicUrl, allowsQueries }: McpOptions): Handler {
  // The library is loaded with the first request.
  let loaded: Promise<typeof import('./protocol.ts')> | undefined
  return (incoming, state) => {
    if (incoming.path !== '/mcp') return null
    if (incoming.header('origin') !== null && !isSameOrigin(incoming, publicUrl()))
      throw forbidden('A page of another origin cannot use the tools. Connect from a server or an application.')
    if (isRead(incoming) || incoming.method === 'DELETE')
      throw new TributaryError('METHOD_NOT_ALLOWED', 'This server has no sessions and streams: send POST requests.')
    return admit<HandlerAnswer>(incoming, state, { acceptsTokens: true }, (body) => ({
      name: nameOf(body),
      isRead: false,
      run: async (context) => {
        loaded ??= import('./protocol.ts')
        const { answerMessage } = await loaded
        return answerMessage(
          {
            context,
            publicUrl: publicUrl(),
            allowsQueries,
            ask: (...asked) => operations.run(context, state, ...asked),
          },
          incoming,
          body,
        )
      },
    }))
  }
}
