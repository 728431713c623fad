import { clientGone, TributaryError, unavailable } from '../kernel/errors.ts'

/** The largest request body in bytes, for REST and GraphQL. Source: the contract's decisions on requests. */
export const maxBodyBytes = 1024 * 1024

/** Smaller bodies are not counted: clients that send large ones slowly do not block them. In bytes. */
const uncountedBytes = 16 * 1024

/** Whether a request has a body, by its headers. */
export const announcesBody = ({ headers }: Request): boolean =>
  Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')

/** How much of larger bodies is in memory, from before it is read until the request is answered. */
export type BodyBudget = {
  /** Counts the body of a request. Returns the function that takes this back. @throws UNAVAILABLE if there is too much */
  reserve(request: Request): () => void
}

export const defaultBodyBytesInAll = 64 * 1024 * 1024

export function createBodyBudget(maxBytesInAll: number): BodyBudget {
  let reserved = 0
  return {
    reserve(request) {
      const { headers } = request
      const announced = headers.has('transfer-encoding') ? maxBodyBytes : Number(headers.get('content-length') ?? 0)
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

/** @throws PAYLOAD_TOO_LARGE as soon as more than `maxBytes` have arrived; BAD_REQUEST if the body is cut off, late or malformed */
export async function readBody(request: Request, maxBytes = maxBodyBytes): Promise<Uint8Array> {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`
  const tooLarge = () => new TributaryError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit}.`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  // A `for await` that ends early closes the connection, and the client would not receive the error.
  // In Node the body of a request is an async iterable; the DOM's type of it does not say so.
  const body = (request.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const read = () =>
    body.next().catch(() => {
      throw clientGone()
    })
  for (let next = await read(); !next.done; next = await read()) {
    size += next.value.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(next.value)
  }
  return Buffer.concat(chunks)
}

/** @throws BAD_REQUEST when it is not UTF-8 */
export function decodeText(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new TributaryError('BAD_REQUEST', 'The body is not valid UTF-8.')
  }
}
