import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { syncPath } from '../embedded/durable-fs.ts'

/** A file that is being written is marked this often, also while nothing is written to it. */
const beatMs = 30_000
/** Without a mark for this long, its process has ended. Other machines' clocks may differ from ours. */
const deadAfterMs = 10 * 60_000

/** The files that this process writes. */
const own = new Set<string>()

const named = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}(?:-password)?\.partial$/
/** Also those of earlier versions, which did not name their process. */
const scheduled = /^tributary-\d{8}T\d{6}Z\.(tar\.gz|dump)\..*partial$/

/**
 * Writes a file under another name, which says which process writes it, and gives it its own name when it is complete.
 */
export async function writeWhole(path: string, write: (partial: string) => Promise<void>): Promise<void> {
  const partial = `${path}.${processSpace()}-${process.pid}-${randomBytes(4).toString('hex')}.partial`
  own.add(basename(partial))
  const beat = setInterval(() => void utimes(partial, new Date(), new Date()).catch(() => {}), beatMs).unref()
  try {
    await write(partial)
    await rename(partial, path)
    syncPath(dirname(path))
  } finally {
    clearInterval(beat)
    await rm(partial, { force: true })
    own.delete(basename(partial))
  }
}

/** A file beside a partial one, which is removed with it if the process is killed. */
export const passwordFileOf = (partial: string): string => {
  const path = partial.replace(/\.partial$/, '-password.partial')
  own.add(basename(path))
  return path
}

/** Deletes what processes that have ended left in the folder. @returns how many files */
export async function removeDeadPartials(folder: string): Promise<number> {
  let count = 0
  for (const name of await readdir(folder)) {
    if (!named.test(name) && !scheduled.test(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (!found || !isDead(name, Date.now() - found.mtimeMs)) continue
    await rm(path, { force: true })
    count += 1
  }
  return count
}

function isDead(name: string, unmarkedMs: number): boolean {
  if (own.has(name)) return false
  const [, space, pid] = named.exec(name) ?? []
  const isEnded = space === processSpace() && (Number(pid) === process.pid || !isRunning(Number(pid)))
  return isEnded || unmarkedMs > deadAfterMs
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let space: string | undefined

/** Names where a process id means one process: a container, or a machine between two boots. */
function processSpace(): string {
  space ??= createHash('sha256')
    .update(
      JSON.stringify([
        hostname(),
        tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
        tryRead(() => readlinkSync('/proc/self/ns/pid')),
      ]),
    )
    .digest('hex')
    .slice(0, 8)
  return space
}

/** Linux has these. */
function tryRead(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
