import { setTimeout as pause } from 'node:timers/promises'
import { isReadOnly } from '../../database/client/errors.ts'
import { isDiskFull } from '../../database/embedded/disk-full.ts'

/** How long a result holds. A failure is looked at again earlier, so that the service is ready soon after it ends. */
const holdsMs = { success: 3_000, failure: 1_000 }
/** A caller that waited this long gets the last result: a busy database is no reason to send requests elsewhere. */
const mostWaitMs = 1_000

/**
 * Whether a write works, by a small one every few seconds at most. Connections that fail are the ping's to report.
 * @returns a function that returns why writes fail; null if they work
 */
export function createWriteCheck(tryWrite: () => Promise<void>): () => Promise<string | null> {
  let known: { problem: string | null; until: number } | undefined
  let running: Promise<void> | undefined
  const check = async () => {
    const problem = await tryWrite().then(() => null, problemOf)
    known = { problem, until: performance.now() + (problem === null ? holdsMs.success : holdsMs.failure) }
    running = undefined
  }
  return async () => {
    if (!known || performance.now() > known.until) {
      running ??= check()
      const waited = new AbortController()
      const late = pause(mostWaitMs, undefined, { signal: waited.signal }).catch(() => {})
      await Promise.race([running, late])
      waited.abort()
    }
    return known?.problem ?? null
  }
}

/** What PostgreSQL says when the disk fails, or a commit is not confirmed in time. Files have a code of the system. */
const refusals = /^(58030|57014|EROFS|EACCES|EPERM|EIO|EISDIR|ENOTDIR|ENOENT)$/

function problemOf(error: unknown): string | null {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException
  if (code === '53100' || isDiskFull(error)) return 'disk full'
  if (isReadOnly(error)) return 'database read-only'
  return refusals.test(code) ? 'database refuses writes' : null
}
