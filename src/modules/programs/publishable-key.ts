import { randomInt } from 'node:crypto'

/** The prefix of every publishable key. No secret has it and no slug can have it, so the three cannot be confused. */
export const publishableKeyPrefix = 'trib_pk_'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Creates a key that identifies a program in public pages. It is not a secret, but 165 random bits make it unguessable. */
export const mintPublishableKey = (): string =>
  publishableKeyPrefix + Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
