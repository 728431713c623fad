import { createInterface } from 'node:readline'

type Message = {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
}

type Answered = { result?: { protocolVersion?: unknown } }

const versionOfRequest = 'io.modelcontextprotocol/protocolVersion'
/** Of JSON-RPC: an error of the server that the protocol does not name. */
const serverError = -32_000

/**
 * Carries messages of the Model Context Protocol between standard input and output, a line each, and `/mcp` of a
 * server. It keeps no state but the version that an older client has agreed on.
 */
export async function bridgeStdio(server: string, secret: string): Promise<void> {
  const running = new Map<unknown, AbortController>()
  const pending = new Set<Promise<void>>()
  let agreed: string | undefined

  const write = (message: unknown) => void process.stdout.write(`${JSON.stringify(message)}\n`)
  const fail = (id: Message['id'], message: string) => {
    if (id !== undefined) write({ jsonrpc: '2.0', id, error: { code: serverError, message } })
  }

  async function carry(line: string): Promise<void> {
    const message = parse(line)
    if (!message)
      return write({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'This line is not JSON.' } })
    const { id, method, params } = message
    if (method === 'notifications/cancelled') running.get(params?.requestId)?.abort()
    const controller = new AbortController()
    if (id !== undefined) running.set(id, controller)
    try {
      const init = {
        method: 'POST',
        headers: headersOf(message, secret, agreed),
        body: line,
        signal: controller.signal,
      }
      const response = await fetch(`${server}/mcp`, init)
      for (const answer of messagesOf(response, await response.text())) {
        const { result } = answer as Answered
        if (method === 'initialize' && typeof result?.protocolVersion === 'string') agreed = result.protocolVersion
        // An error of a request as a whole has no id of its own.
        write(!response.ok && id !== undefined ? { ...answer, id } : answer)
      }
    } catch (error) {
      if (controller.signal.aborted) return
      fail(id, `Cannot reach a server at ${server}: ${(error as Error).message}. Start it, or set TRIBUTARY_URL.`)
    } finally {
      running.delete(id)
    }
  }

  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const carried = carry(line).finally(() => pending.delete(carried))
    pending.add(carried)
    // Later messages need the version that the first one agrees on.
    if (agreed === undefined && parse(line)?.method === 'initialize') await carried
  }
  await Promise.all(pending)
}

function parse(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? (message as Message) : undefined
  } catch {
    return undefined
  }
}

function headersOf({ method, params }: Message, secret: string, agreed: string | undefined): Record<string, string> {
  const version = params?._meta?.[versionOfRequest] ?? agreed
  const name = params?.name ?? params?.uri
  return {
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && method !== 'initialize' && { 'MCP-Protocol-Version': version }),
    ...(method !== undefined && { 'Mcp-Method': inHeader(method) }),
    ...(typeof name === 'string' && { 'Mcp-Name': inHeader(name) }),
  }
}

/** As the protocol writes what a header cannot hold. */
const inHeader = (text: string) =>
  /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

/** The messages of a response: one as JSON, or events of a stream. */
function messagesOf(response: Response, text: string): object[] {
  if (text === '') return []
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const parts = isStream
    ? text.split(/\r?\n/).flatMap((one) => (one.startsWith('data:') ? [one.slice(5)] : []))
    : [text]
  return parts.filter((part) => part.trim() !== '').map((part) => JSON.parse(part) as object)
}
