import { createHash, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'

const noteEveryMs = 60_000

/** Whether a secret is the operator token, or the previous one, whose use is logged at most once a minute. */
export function createAdminTokens(
  current: string,
  previous: string | undefined,
  log: Logger,
): (secret: string) => boolean {
  const currentDigest = digest(current)
  const previousDigest = previous === undefined ? undefined : digest(previous)
  let notedAt = Number.NEGATIVE_INFINITY
  return (secret) => {
    const given = digest(secret)
    if (timingSafeEqual(given, currentDigest)) return true
    if (!previousDigest || !timingSafeEqual(given, previousDigest)) return false
    if (performance.now() - notedAt > noteEveryMs) {
      notedAt = performance.now()
      log.warn('previous operator token used')
    }
    return true
  }
}

const digest = (secret: string) => createHash('sha256').update(secret).digest()
