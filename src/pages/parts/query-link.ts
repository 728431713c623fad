/** What a link contains: the text of the query and of its variables. Never a key. */
export type LinkedQuery = { query: string; variables: string }

const prefix = '#query='
/** Anyone can make a link, so the decompressed size has a limit. */
const maxBytes = 200_000

/** Returns the fragment of a link. Browsers do not send fragments, so queries do not appear in logs. */
export async function writeLink({ query, variables }: LinkedQuery): Promise<string> {
  const text = JSON.stringify(variables.trim() ? { query, variables } : { query })
  const compressed = await readAll(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  return prefix + toBase64Url(compressed)
}

/** Reads the fragment of a link. Returns null if it is not a query link or is damaged. */
export async function readLink(fragment: string): Promise<LinkedQuery | null> {
  if (!fragment.startsWith(prefix)) return null
  try {
    const compressed = fromBase64Url(fragment.slice(prefix.length))
    const decompressed = await readAll(
      new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate-raw')),
    )
    const { query, variables = '' } = JSON.parse(new TextDecoder().decode(decompressed))
    return typeof query === 'string' && typeof variables === 'string' ? { query, variables } : null
  } catch {
    return null
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw new Error('The link is too long.')
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
