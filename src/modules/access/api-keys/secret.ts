import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of every secret. It makes leaked secrets recognisable. */
export const secretPrefix = 'trib_sk_'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6

/** The prefix of the secrets of an installation. Those of a cell have its mark, such as `trib_sk_eu1_`. */
export const secretPrefixOf = (cell?: string): string => `${secretPrefix}${cell === undefined ? '' : `${cell}_`}`

/** Creates a secret: the prefix, 256 random bits in base 62, and a checksum of both. */
export function mintSecret(cell?: string): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength)
  return withChecksum(secretPrefixOf(cell) + random)
}

const form = new RegExp(`^${secretPrefix}(?:[a-z0-9]{1,8}_)?[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** Whether the text has the form of a secret, of any cell: programs keep their keys when they move. */
export function isWellFormedSecret(secret: string): boolean {
  return form.test(secret) && withChecksum(secret.slice(0, -checksumLength)) === secret
}

/** SHA-256 in hex, the only stored form. It needs no salt: every secret has 256 random bits. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

const withChecksum = (body: string) => body + toBase62(BigInt(crc32(body)), checksumLength)

function toBase62(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits
}
