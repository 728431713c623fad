/** What a link carries: the query and its variables, as they stand in the editors. Never a key. */
export type Linked = { query: string; variables: string }

const prefix = '#query='
/** A link is made by anybody: one that unpacks to more than this is no query. */
const mostBytes = 200_000

/** The fragment of a link. Browsers do not send it, so that queries are in no log either. */
export async function writeLink({ query, variables }: Linked): Promise<string> {
  const text = JSON.stringify(variables.trim() ? { query, variables } : { query })
  const packed = await drain(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')))
  return prefix + toBase64Url(packed)
}

/** What the fragment of an address carries; null where it is no link of ours, or a broken one. */
export async function readLink(fragment: string): Promise<Linked | null> {
  if (!fragment.startsWith(prefix)) return null
  try {
    const packed = fromBase64Url(fragment.slice(prefix.length))
    const unpacked = await drain(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')))
    const { query, variables = '' } = JSON.parse(new TextDecoder().decode(unpacked))
    return typeof query === 'string' && typeof variables === 'string' ? { query, variables } : null
  } catch {
    return null
  }
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > mostBytes) {
      await reader.cancel()
      throw new Error('too long')
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
