import type { KeyState, Session } from './session.ts'

type Operation = { query: string; variables?: unknown; operationName?: string | null }
export type Result = { data?: unknown; errors?: { message: string; extensions?: Record<string, unknown> }[] }

const accepts = 'application/graphql-response+json, application/json, text/event-stream'
const keyIsMissing = 'Enter a key above. The schema and all data need one.'

/**
 * Sends operations to where the page came from, with the session's key.
 *
 * @param note is told what an answer says of the key
 * @returns a result, or for a subscription one after the other
 */
export function createSend(session: Session, note: (state: KeyState) => void) {
  return async (operation: Operation): Promise<Result | AsyncIterable<Result>> => {
    if (!session.key) return { errors: [{ message: keyIsMissing }] }
    const abort = new AbortController()
    const response = await fetch(new URL('graphql', document.baseURI), {
      method: 'POST',
      headers: {
        Accept: accepts,
        'Content-Type': 'application/json',
        Authorization: `Bearer ${session.key}`,
        ...(session.programId && { 'X-Program-Id': session.programId }),
      },
      // The key is all that says who asks.
      credentials: 'omit',
      cache: 'no-store',
      body: JSON.stringify({ ...operation, operationName: nameIn(operation) }),
      signal: abort.signal,
    }).catch((error: unknown) => {
      note({ kind: 'refused', message: 'The service can not be reached.' })
      throw error
    })
    if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      note({ kind: 'accepted' })
      return stoppable(readEvents(response.body, abort.signal), abort)
    }
    const result = await readResult(response)
    note(keyStateOf(response, result))
    return result
  }
}

/** GraphiQL learns the operation's name a moment after it was typed; until then it would send the one before. */
const nameIn = ({ query, operationName }: Operation) =>
  operationName && query.split(/\W+/).includes(operationName) ? operationName : undefined

async function readResult(response: Response): Promise<Result> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return { errors: [{ message: `The answer was no JSON (${response.status} ${response.statusText}).` }] }
  }
}

function keyStateOf({ status }: { status: number }, { errors }: Result): KeyState {
  const message = errors?.[0]?.message
  if (status === 401) return { kind: 'refused', message: 'This key is not known here, or it was revoked.' }
  if (status === 404) return { kind: 'refused', message: message ?? 'Not found.' }
  if (status >= 500 && status !== 501) return { kind: 'refused', message: message ?? 'The service is out of order.' }
  return { kind: 'accepted' }
}

/** A generator that waits for its next event can not be told to end; the connection that it waits for can. */
function stoppable(events: AsyncGenerator<Result>, abort: AbortController): AsyncIterable<Result> {
  const iterator: AsyncIterator<Result> = {
    next: () => events.next(),
    return: async () => {
      abort.abort()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Server-sent events, as Yoga writes them: `next` with a result, `complete` at the end. */
async function* readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Result> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event.name === 'complete') return
        if (event.data) yield JSON.parse(event.data)
      }
    }
  } catch (error) {
    // Who stopped it need not be told that it stopped.
    if (!signal.aborted) throw error
  }
}

function parseEvent(block: string): { name: string; data: string } {
  const lines = block.split(/\r?\n/)
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trimStart())
  return { name: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
}
