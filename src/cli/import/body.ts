/** A page has at most a hundred records, so a longer body is not a page. */
const maxBodyBytes = 16 * 1024 * 1024

/** Reads a body as text; null if it is too long. Only the bytes up to the limit are read. */
export async function readBody({ body }: Pick<Response, 'body'>): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop cancels the body, which closes the connection.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
