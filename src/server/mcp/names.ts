import { parseJson } from '../../http/body.ts'
import { decodeText } from '../../http/incoming.ts'

/** The names of the tools. A client can send any text, and the log and the metrics have only these. */
export const toolNames = [
  ...(['find', 'explain', 'report', 'list', 'plan', 'attention', 'query', 'propose', 'doctor'] as const),
  ...(['my_earnings', 'why', 'my_links', 'make_link', 'my_terms', 'next_payment'] as const),
] as const
export type ToolName = (typeof toolNames)[number]

const methods = [
  ...['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call', 'notifications/initialized'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'notifications/cancelled'],
]

/** What a message asks for, for the log and the metrics: `tools/call find`. */
export function nameOf(read: unknown): string {
  const message = read as { method?: unknown; params?: { name?: unknown } } | null | undefined
  const method = methods.find((known) => known === message?.method)
  if (method === undefined) return 'other'
  const tool = method === 'tools/call' ? toolNames.find((known) => known === message?.params?.name) : undefined
  return method === 'tools/call' ? `tools/call ${tool ?? 'other'}` : method
}

/** The name of the tool that a message calls. Undefined for another message. */
export const calledTool = (name: string): string | undefined =>
  name.startsWith(callPrefix) ? name.slice(callPrefix.length) : undefined
const callPrefix = 'tools/call '

/** Undefined if it is not JSON. */
export function readMessage(body: Uint8Array): unknown {
  try {
    return parseJson(decodeText(body), 'The body')
  } catch {
    return undefined
  }
}
