import { createHmac, timingSafeEqual } from 'node:crypto'

/** Proves that a link was made here. @param text what the link does, for whom, beginning with its own purpose */
export const signatureOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** Compares in a time that does not depend on the signature. */
export function isSignatureOf(key: Buffer, text: string, signature: string): boolean {
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(key, text))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
