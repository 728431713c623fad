import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { callerOf } from '../../http/client-address.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { consume, createLimiter, type LimitState, limitFields, tooManyText } from './limiter.ts'

const windowSeconds = 60

/**
 * How long a refusal of an address with too many failures waits, in ms: who guesses and sends the next request when the
 * last one is answered, sends at most ten in a second per connection. With more than `maximumDelayed` waiting, the next
 * are refused at once.
 */
const refusalDelayMs = 100
const maximumDelayed = 1_000

export type RequestLimitSettings = {
  /** For each API key. Undefined means: no limit. */
  perKey?: number | undefined
  /** For each address. Undefined means: no limit. */
  perAddress?: number | undefined
  /** How many requests of an address may fail to authenticate. */
  failedPerAddress: number
}

/** None but a limit of guesses, which no client that has a key reaches. */
export const defaultRequestLimits: RequestLimitSettings = { failedPerAddress: 60 }

/** A request beyond a limit. The response has the headers. */
export class RateLimited extends TributaryError {
  constructor(
    readonly headers: Record<string, string>,
    { secondsToWait }: LimitState,
  ) {
    super('TOO_MANY_REQUESTS', tooManyText(secondsToWait))
  }
}

/**
 * The limits of REST and GraphQL per minute, counted by this instance. An empty address is that of no socket: it has no
 * limit.
 */
export type RequestLimits = {
  /** Whether requests of known API keys count: for their address, or for their key. */
  readonly countsAddresses: boolean
  readonly countsKeys: boolean
  /** Counts a request before it is read. @param isKnown others' failures do not matter then @throws RateLimited */
  admitAddress(address: string, isKnown: boolean, requests?: number): Promise<void>
  /** Counts a request that failed to authenticate. The one that reaches the limit is logged. */
  noteFailure(address: string, log: Logger): Promise<void>
  /** Counts a request of an API key. Returns the headers of its response. @throws RateLimited */
  admitKey(keyId: string, requests?: number): Promise<Record<string, string>>
}

/** @param secret the key of the HMAC by which addresses are kept in memory, the same in all workers */
export function createRequestLimits(
  { perKey, perAddress, failedPerAddress }: RequestLimitSettings,
  secret: string,
): RequestLimits {
  const limitOf = (name: string, points: number) => {
    const policy = { name, points, duration: windowSeconds }
    const limiter = createLimiter({ ...policy, name: `${name} requests` })
    const fieldsOf = (state: LimitState) => limitFields(policy, state)
    const refusal = (state: LimitState) =>
      new RateLimited({ ...fieldsOf(state), 'Retry-After': String(state.secondsToWait) }, state)
    return { limiter, fieldsOf, refusal }
  }
  const keys = perKey === undefined ? undefined : limitOf('key', perKey)
  const addresses = perAddress === undefined ? undefined : limitOf('address', perAddress)
  const failures = limitOf('authentication', failedPerAddress)
  const hashed = (address: string) => createHmac('sha256', secret).update(callerOf(address)).digest('base64url')

  let delayed = 0
  const delayRefusal = async () => {
    if (delayed >= maximumDelayed) return
    delayed += 1
    await pause(refusalDelayMs)
    delayed -= 1
  }

  const refusalOf = async (address: string) => {
    const failed = address === '' ? null : await failures.limiter.get(hashed(address))
    if (!failed || failed.consumedPoints < failedPerAddress) return null
    return failures.refusal({ isExceeded: true, remaining: 0, secondsToWait: secondsOf(failed.msBeforeNext) })
  }

  return {
    countsAddresses: addresses !== undefined,
    countsKeys: keys !== undefined,
    async admitAddress(address, isKnown, requests) {
      if (address === '') return
      const refusal = isKnown ? null : await refusalOf(address)
      if (refusal) {
        await delayRefusal()
        throw refusal
      }
      if (!addresses) return
      const state = await consume(addresses.limiter, hashed(address), requests)
      if (state.isExceeded) throw addresses.refusal(state)
    },
    async noteFailure(address, log) {
      if (address === '') return
      const { isExceeded, remaining } = await consume(failures.limiter, hashed(address))
      if (remaining === 0 && !isExceeded)
        log.warn({ address, failures: failedPerAddress }, 'address failed to authenticate too often')
    },
    async admitKey(keyId, requests) {
      if (!keys) return {}
      const state = await consume(keys.limiter, keyId, requests)
      if (state.isExceeded) throw keys.refusal(state)
      return keys.fieldsOf(state)
    },
  }
}

const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000))
