/** On every response: browsers must not guess another type than the one that is named. */
export const safeHeaders = { 'X-Content-Type-Options': 'nosniff' } as const
