import cluster from 'node:cluster'
import { createHmac } from 'node:crypto'
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { callerOf } from '../../http/client-address.ts'

/** Counts a request of this address. Returns null, or the seconds to wait when the limit is exceeded. */
export type Limit = (address: string) => Promise<number | null>

export type LimiterOptions = {
  /** Limits of the same name are one limit in all processes of this machine (`WORKERS`). */
  name: string
  points: number
  /** In seconds. */
  duration: number
}

/** Counts in this process, or in the supervisor if this is one of several workers. Each instance has its own counts. */
export function createLimiter({ name, points, duration }: LimiterOptions): Limiter {
  const options = { keyPrefix: name, points, duration }
  return cluster.isWorker ? new RateLimiterCluster(options) : new RateLimiterMemory(options)
}

type Limiter = Pick<RateLimiterMemory, 'consume' | 'get'>

/** A limit per minute and address, kept as HMACs. @param secret the key of the HMAC, the same in all workers */
export function createLimit(name: string, perMinute: number, secret: string): Limit {
  const limiter = createLimiter({ name, points: perMinute, duration: 60 })
  return async (address) => {
    const caller = createHmac('sha256', `${name} ${secret}`).update(callerOf(address)).digest('base64url')
    const { isExceeded, secondsToWait } = await consume(limiter, caller)
    return isExceeded ? secondsToWait : null
  }
}

/** As `Limit`, with a limit that each program chooses: requests of an address are counted for each program apart. */
export type ProgramLimit = (address: string, programId: string, perMinute: number) => Promise<number | null>

/** @param mostPerMinute what a program can choose at most */
export function createProgramLimit(name: string, mostPerMinute: number, secret: string): ProgramLimit {
  const limiter = createLimiter({ name, points: mostPerMinute, duration: 60 })
  return async (address, programId, perMinute) => {
    const caller = createHmac('sha256', `${name} ${programId} ${secret}`).update(callerOf(address)).digest('base64url')
    const { remaining, isExceeded, secondsToWait } = await consume(limiter, caller)
    return isExceeded || mostPerMinute - remaining > perMinute ? secondsToWait : null
  }
}

/** What is left of a limit after a request. `secondsToWait` is the time until the limit is reset. */
export type LimitState = { isExceeded: boolean; remaining: number; secondsToWait: number }

/** Counts requests. The limiter throws its state when the limit is exceeded; other errors are real ones. */
export async function consume(limiter: Limiter, key: string, requests = 1): Promise<LimitState> {
  const [outcome] = await Promise.allSettled([limiter.consume(key, requests)])
  const isExceeded = outcome.status === 'rejected'
  const state: unknown = isExceeded ? outcome.reason : outcome.value
  if (!(state instanceof RateLimiterRes)) throw state
  return {
    isExceeded,
    remaining: state.remainingPoints,
    secondsToWait: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  }
}

/** The fields of the IETF draft draft-ietf-httpapi-ratelimit-headers: the limit of a name, and what is left of it. */
export const limitFields = (
  { name, points, duration }: LimiterOptions,
  { remaining, secondsToWait }: LimitState,
): Record<'RateLimit-Policy' | 'RateLimit', string> => ({
  'RateLimit-Policy': `"${name}";q=${points};w=${duration}`,
  RateLimit: `"${name}";r=${remaining};t=${secondsToWait}`,
})

export const tooManyText = (seconds: number): string =>
  `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`

export const tooManyRequests = (seconds: number): Answer =>
  jsonAnswer({ error: tooManyText(seconds) }, 429, { 'Retry-After': String(seconds) })
