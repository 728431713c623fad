import { isUtf8 } from 'node:buffer'
import { TributaryError, unavailable } from '../kernel/errors.ts'
import { type Incoming, maxBodyBytes } from './incoming.ts'

/** Smaller bodies are not counted: clients that send large ones slowly do not block them. In bytes. */
const uncountedBytes = 16 * 1024

/** How much of larger bodies is in memory, from before it is read until the request is answered. */
export type BodyBudget = {
  /** Counts the body of a request. Returns the function that takes this back. @throws UNAVAILABLE if there is too much */
  reserve(request: Pick<Incoming, 'header'>): () => void
}

export const defaultBodyBytesInAll = 64 * 1024 * 1024

export function createBodyBudget(maxBytesInAll: number): BodyBudget {
  let reserved = 0
  return {
    reserve(request) {
      const isOpen = request.header('transfer-encoding') !== null
      const announced = isOpen ? maxBodyBytes : Number(request.header('content-length') ?? 0)
      // What is too large is rejected before it is read.
      const bytes = announced > uncountedBytes && announced <= maxBodyBytes ? announced : 0
      if (bytes > 0 && reserved + bytes > maxBytesInAll)
        throw unavailable('Too many large requests are being received at the moment. Try again shortly.')
      reserved += bytes
      return () => {
        reserved -= bytes
      }
    },
  }
}

/** The text of a body, without a byte order mark. @throws BAD_REQUEST when it is not UTF-8 */
export function decodeText(body: Uint8Array): string {
  if (!isUtf8(body)) throw new TributaryError('BAD_REQUEST', 'The body is not valid UTF-8.')
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
