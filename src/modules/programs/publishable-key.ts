import { randomInt } from 'node:crypto'

/** Every publishable key starts with this: no secret does, and no slug can, so the three are told apart. */
export const publishableKeyPrefix = 'trib_pk_'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Names a program in public pages. It is no secret: 165 random bits keep it from being guessed, nothing more. */
export const mintPublishableKey = (): string =>
  publishableKeyPrefix + Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
