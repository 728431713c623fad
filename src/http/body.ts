import { TributaryError } from '../kernel/errors.ts'

/** The largest request body in bytes, for REST and GraphQL. Source: the contract's decisions on requests. */
export const maxBodyBytes = 1024 * 1024

/** @throws PAYLOAD_TOO_LARGE as soon as more than `maxBytes` have arrived */
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
  for (let next = await body.next(); !next.done; next = await body.next()) {
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
