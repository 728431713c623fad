import { canonical, type JsonObject } from './canonical.ts'
import { fromBase64url } from './hashes.ts'

/** A public key as `/.well-known/jwks.json` has it. */
export type Jwk = { kty: string; crv: string; x: string; kid: string; sandbox?: boolean }
export type Jwks = { keys: readonly Jwk[] }

export type OpenedSeal = { keyId: string; payload: JsonObject; text: string; problem: string | null }

const textOf = (part: string): string => new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(part))

/** 64 bytes in base64url. The last letter has four bits that say nothing: they are 0, so that no other text is the same. */
const signatureForm = /^[A-Za-z0-9_-]{85}[AQgw]$/

/**
 * Checks the signature of a month: a JWS in compact form (RFC 7515) with EdDSA and Ed25519 (RFC 8037).
 * @throws Error if it is not such a JWS
 */
export async function openSeal(seal: string, { keys }: Jwks): Promise<OpenedSeal> {
  const [head, body, signature, ...more] = seal.split('.')
  if (head === undefined || body === undefined || signature === undefined || more.length > 0)
    throw new Error('The seal is not a JWS in compact form.')
  const { alg, kid } = JSON.parse(textOf(head)) as { alg?: string; kid?: string }
  const text = textOf(body)
  const payload = JSON.parse(text) as JsonObject
  const opened = { keyId: String(kid), payload, text }
  if (alg !== 'EdDSA') return { ...opened, problem: `The seal says the algorithm ${alg}, and must say EdDSA.` }
  if (canonical(payload) !== text) return { ...opened, problem: 'What the seal signs is not canonical JSON.' }
  if (!signatureForm.test(signature)) return { ...opened, problem: 'The signature is not written as base64url.' }
  const jwk = keys.find((key) => key.kid === kid)
  if (!jwk) return { ...opened, problem: `The key ${kid}, which signed the month, is not among the given keys.` }
  const { kty, crv, x } = jwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${head}.${body}`)
  const isGood = await crypto.subtle.verify({ name: 'Ed25519' }, key, fromBase64url(signature), signed)
  return { ...opened, problem: isGood ? null : `The signature is not of the key ${kid}.` }
}
