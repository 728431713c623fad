import { randomInt } from 'node:crypto'

/** The prefix of every publishable key. No secret has it and no slug can have it, so the three cannot be confused. */
export const publishableKeyPrefix = 'trib_pk_'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/** What publishable keys look like, of any cell: programs keep theirs when they move. */
export const publishableKeyForm = new RegExp(`^${publishableKeyPrefix}(?:[a-z0-9]{1,8}_)?[0-9a-z]{32}$`)

/** A key that identifies a program in public pages, with 165 random bits. @param cell the mark for proxies */
export const mintPublishableKey = (cell?: string): string =>
  publishableKeyPrefix +
  (cell === undefined ? '' : `${cell}_`) +
  Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('')
