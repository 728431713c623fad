import { createHash, randomBytes } from 'node:crypto'

/** The token of a link that works once, with 256 random bits. */
export const mintLinkToken = (): string => randomBytes(32).toString('base64url')

/** Only the hash of a token is stored. */
export const hashLinkToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
