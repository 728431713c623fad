import { createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { callerOf } from './address.ts'

/** Takes one of the caller's turns of this minute; the seconds to wait where there is none left. */
export type Limit = (address: string) => Promise<number | null>

/** So many a minute for each address, kept in memory under a hash that only this process can make. */
export function createLimit(perMinute: number): Limit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const secret = randomBytes(32)
  return async (address) => {
    const caller = createHmac('sha256', secret).update(callerOf(address)).digest('base64url')
    try {
      await limiter.consume(caller)
      return null
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
      throw refusal
    }
  }
}

export const tooMany = (seconds: number): Response =>
  Response.json(
    { error: `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.` },
    { status: 429, headers: { 'Retry-After': String(seconds) } },
  )
