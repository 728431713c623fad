/** On every response: browsers must not guess another type than the one that is named. */
export const safeHeaders = { 'X-Content-Type-Options': 'nosniff' } as const

/** On the responses of pages when clients reach the service by https: browsers then never try http, for a year. */
export const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' } as const
