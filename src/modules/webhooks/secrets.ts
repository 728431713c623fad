import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { WebhookFormat } from '../../generated/prisma/enums.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Of Standard Webhooks: the prefix before the base64 of a secret. */
const standardPrefix = 'whsec_'

/** A new secret. The key of a signature in the convention's format is the text of the secret itself. */
export const mintSecret = (format: WebhookFormat): string =>
  format === 'standard' ? `${standardPrefix}${randomBytes(32).toString('base64')}` : randomBytes(32).toString('hex')

/** The bytes that sign. */
export const signingKeyOf = (format: WebhookFormat, secret: string): Buffer =>
  format === 'standard' ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : Buffer.from(secret, 'utf8')

/** Encrypts a secret for the database, bound to its endpoint: it cannot be decrypted as the secret of another. */
export function encryptSecret(key: Buffer, endpointId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId))
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** Null if the secret was encrypted with another key. */
export function decryptSecret(key: Buffer, endpointId: string, stored: string): string | null {
  const bytes = Buffer.from(stored, 'base64')
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(endpointId))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
