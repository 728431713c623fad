import { canonical, type Json } from './canonical.ts'

type Bytes = Uint8Array<ArrayBuffer>

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text) as Bytes

async function sha256(...parts: Bytes[]): Promise<Bytes> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all))
}

export const hexOf = (bytes: Bytes): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

export function fromBase64url(text: string): Bytes {
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

export const isHash = (value: Json | undefined): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

export const hashOfText = async (text: string): Promise<string> => hexOf(await sha256(bytesOf(text)))

export const hashOf = (value: Json): Promise<string> => hashOfText(canonical(value))

/**
 * The root to which a path leads from the leaf of a hash. Source: RFC 9162, section 2.1.3.2.
 * @returns null if the path is too long or too short for its place
 */
export async function rootOf(
  hash: string,
  index: number,
  size: number,
  path: readonly string[],
): Promise<string | null> {
  let node = await sha256(Uint8Array.of(0), fromHex(hash))
  let [at, last] = [index, size - 1]
  for (const step of path) {
    if (last === 0) return null
    const other = fromHex(step)
    const isRight = at % 2 === 1 || at === last
    node = isRight ? await sha256(Uint8Array.of(1), other, node) : await sha256(Uint8Array.of(1), node, other)
    if (isRight) while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)]
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hexOf(node) : null
}
