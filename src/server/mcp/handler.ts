import type { GraphQLContext } from '../../graphql/context.ts'
import { type Incoming, isRead } from '../../http/incoming.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { forbidden, TributaryError } from '../../kernel/errors.ts'
import { normalHost, type PublicUrl } from '../../kernel/public-url.ts'
import { resourceOf } from '../../modules/people/connected-apps/request.ts'
import type { Admit } from '../entrance/admit.ts'
import type { Operations } from '../graphql/operations.ts'
import type { Handler, HandlerAnswer, RequestState } from '../handler.ts'
import { mcpErrorAnswer } from '../mcp-errors.ts'
import { challengeOf } from '../oauth/metadata.ts'
import { calledTool, nameOf, readMessage } from './names.ts'
import type { Caller } from './tool.ts'

export type McpOptions = {
  admit: Admit
  operations: Operations
  publicUrl: PublicUrl
  /** Whether clients may send queries of their own. */
  allowsQueries: boolean
}

/**
 * `/mcp`: the tools of assistants, by the Model Context Protocol over HTTP. Each request stands alone, so any instance
 * answers it. The caller has an API key, an affiliate token, the operator token or the token of an application that a
 * person has connected, with the rights that it has in GraphQL: the tools run operations of the schema.
 */
export function createMcp({ admit, operations, publicUrl, allowsQueries }: McpOptions): Handler {
  // The library is loaded with the first request.
  let loaded: Promise<typeof import('./protocol.ts')> | undefined
  return (incoming, state) => {
    if (incoming.path !== '/mcp') return null
    if (!isKnownHost(incoming, state, publicUrl()))
      throw forbidden(
        `This host is not known. Connect to ${publicUrl()}/mcp, or set PUBLIC_URL to the address that clients use.`,
      )
    if (incoming.header('origin') !== null && !isSameOrigin(incoming, publicUrl()))
      throw forbidden('A page of another origin cannot use the tools. Connect from a server or an application.')
    if (isRead(incoming) || incoming.method === 'DELETE')
      throw new TributaryError('METHOD_NOT_ALLOWED', 'This server has no sessions and streams: send POST requests.')
    const settings = { acceptsTokens: true, resource: resourceOf(publicUrl()) }
    return admit<HandlerAnswer>(incoming, state, settings, (body) => {
      const message = readMessage(body)
      const name = nameOf(message)
      const run = async (context: GraphQLContext) => {
        if (lacksScope(context, name)) return insufficientScope(publicUrl())
        loaded ??= import('./protocol.ts')
        const { answerMessage } = await loaded
        const ask: Caller['ask'] = (...asked) => operations.run(context, state, ...asked)
        const caller = { context, publicUrl: publicUrl(), allowsQueries, tool: calledTool(name), ask }
        return answerMessage(caller, incoming, body, message)
      }
      return { name, isRead: false, run }
    })
  }
}

const isLoopback = (name: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(name)
const nameOfHost = (host: string) => normalHost(host).replace(/:\d+$/, '')

/**
 * Whether the request names a host of this service: its public one, a program's own, or this machine. A page whose name
 * leads to this machine by a trick of DNS has the same origin as the host that it names, and is stopped here.
 */
function isKnownHost(incoming: Incoming, { ownSlug }: RequestState, publicUrl: string): boolean {
  const host = incoming.header('host')
  if (host === null || ownSlug !== undefined) return true
  const name = nameOfHost(host)
  return isLoopback(name) || name === nameOfHost(new URL(publicUrl).host)
}

const lacksScope = ({ actor }: GraphQLContext, name: string): boolean =>
  actor.kind === 'person' && actor.app?.canPropose === false && name === 'tools/call propose'

/** With the challenge, a client can ask the person for more (RFC 6750, section 3.1). */
function insufficientScope(publicUrl: string): HandlerAnswer {
  const answer = mcpErrorAnswer(
    forbidden('This connection may only read. Connect again, and allow it to propose changes.'),
  )
  const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", ${challengeOf(publicUrl)}` }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
