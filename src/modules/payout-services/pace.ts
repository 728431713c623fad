import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** How many calls a service takes in a time. If it does not say so, more are tried until it limits them. */
export type Rate = { calls: number; seconds: number; mostCalls?: number }

type Pace = { allowed: number; startedAt: number[]; holdUntil: number; slowedAt: number }

/** The paces of accounts at services. Another instance of this process has its own, and slows when it is limited. */
const paces = new LRUCache<string, Pace>({ max: 500 })

/** With each call that was not limited, so much more is tried, up to the most. */
const growth = 1.02

function paceOf(account: string, { calls }: Rate): Pace {
  const pace = paces.get(account) ?? { allowed: calls, startedAt: [], holdUntil: 0, slowedAt: Number.NEGATIVE_INFINITY }
  paces.set(account, pace)
  return pace
}

/** Waits until the account may call again. In any time of the rate, no more calls begin than are allowed. */
export async function takeTurn(account: string, rate: Rate): Promise<void> {
  const pace = paceOf(account, rate)
  const windowMs = rate.seconds * 1_000
  for (;;) {
    const now = performance.now()
    while (pace.startedAt[0] !== undefined && pace.startedAt[0] <= now - windowMs) pace.startedAt.shift()
    const before = pace.startedAt.at(-Math.floor(pace.allowed))
    const freeAt = Math.max(pace.holdUntil, before === undefined ? now : before + windowMs)
    if (freeAt <= now) {
      pace.startedAt.push(now)
      return
    }
    await pause(freeAt - now)
  }
}

/** The service did not limit a call. */
export function noteAllowed(account: string, rate: Rate): void {
  const pace = paceOf(account, rate)
  pace.allowed = Math.min(pace.allowed * growth, rate.mostCalls ?? rate.calls)
}

/**
 * The service limited a call: all calls of the account wait, and half as many follow. Calls of one moment count once.
 */
export function noteLimited(account: string, rate: Rate, waitMs: number): void {
  const pace = paceOf(account, rate)
  const now = performance.now()
  if (pace.holdUntil <= now && now - pace.slowedAt > waitMs) {
    pace.allowed = Math.max(pace.allowed / 2, 1)
    pace.slowedAt = now
  }
  pace.holdUntil = Math.max(pace.holdUntil, now + waitMs)
}
