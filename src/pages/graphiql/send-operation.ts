import { type Operation, postOperation, type Result, readResult } from '../parts/graphql.ts'
import { hasAccess, type KeyState, type Session } from './session.ts'

export type { Operation, Result }

const acceptHeader = 'application/graphql-response+json, application/json, text/event-stream'
const missingKeyMessage = 'Enter a key above. The schema and all data require one.'

/** Whether a result says only that the key is missing or wrong. */
export const isKeyError = ({ errors }: Result): boolean =>
  errors?.[0]?.message === missingKeyMessage || errors?.[0]?.extensions?.code === 'UNAUTHENTICATED'

/**
 * Creates a function that sends operations to the page's own origin with the session's key. It returns a result, or an
 * iterable of results for a subscription.
 * @param onKeyState called with whether the service accepted the key
 */
export function createSendOperation(session: Session, onKeyState: (state: KeyState) => void) {
  return async (operation: Operation): Promise<Result | AsyncIterable<Result>> => {
    if (!hasAccess(session)) return { errors: [{ message: missingKeyMessage }] }
    const abort = new AbortController()
    const named = { ...operation, operationName: operationNameIn(operation) }
    const response = await postOperation(new URL('graphql', document.baseURI), named, {
      headers: {
        Accept: acceptHeader,
        ...(session.key && { Authorization: `Bearer ${session.key}` }),
        ...(session.programId && { 'X-Program-Id': session.programId }),
      },
      // With a key, only the key authenticates requests, so cookies are not sent.
      credentials: session.key ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal: abort.signal,
    }).catch((error: unknown) => {
      onKeyState({ kind: 'rejected', message: 'Cannot reach the service.' })
      throw error
    })
    if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      onKeyState({ kind: 'accepted' })
      return abortable(readEvents(response.body, abort.signal), abort)
    }
    const result = await readResult(response)
    onKeyState(keyStateOf(response, result, session))
    return result
  }
}

/**
 * GraphiQL updates the operation name shortly after typing. Until then it can send the previous name, which is ignored.
 */
const operationNameIn = ({ query, operationName }: Operation) =>
  operationName && query.split(/\W+/).includes(operationName) ? operationName : undefined

function keyStateOf({ status }: { status: number }, { errors }: Result, { key }: Session): KeyState {
  const message = errors?.[0]?.message
  if (status === 401 && !key) return { kind: 'rejected', message: 'Your session has ended. Sign in to the dashboard.' }
  if (status === 401) return { kind: 'rejected', message: 'This key is invalid or was revoked.' }
  if (status === 404) return { kind: 'rejected', message: message ?? 'Not found.' }
  if (status >= 500 && status !== 501)
    return { kind: 'rejected', message: message ?? 'The service failed. Try again in a moment.' }
  return { kind: 'accepted' }
}

/** A generator that waits for an event cannot be ended with `return`. Aborting the connection ends it. */
function abortable(events: AsyncGenerator<Result>, abort: AbortController): AsyncIterable<Result> {
  const iterator: AsyncIterator<Result> = {
    next: () => events.next(),
    return: async () => {
      abort.abort()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Reads the server-sent events of Yoga: `next` with a result, `complete` at the end. */
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
    // Aborting is not an error.
    if (!signal.aborted) throw error
  }
}

function parseEvent(block: string): { name: string; data: string } {
  const lines = block.split(/\r?\n/)
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trimStart())
  return { name: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') }
}
