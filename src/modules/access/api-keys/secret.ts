import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of every secret. It makes leaked secrets recognisable. */
export const secretPrefix = 'trib_sk_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6

/** Creates a secret: `trib_sk_`, 256 random bits in base 62, and a checksum of both. */
export function mintSecret(): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return withChecksum(secretPrefix + random)
}

/** Whether the text has the form of a secret. Rejects mistyped and truncated secrets without a database query. */
export function isWellFormedSecret(secret: string): boolean {
  if (secret.length !== secretPrefix.length + randomLength + checksumLength || !secret.startsWith(secretPrefix))
    return false
  return withChecksum(secret.slice(0, -checksumLength)) === secret
}

/** SHA-256 in hex, the only form in which a secret is stored. It needs no salt, since every secret has 256 random bits. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

const withChecksum = (body: string) => body + toBase62(BigInt(crc32(body)), checksumLength)

function toBase62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}
