import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives a script one temporary folder for all its parts. If the script is interrupted, their processes are ended and the folder is
 * removed. Linux only, as the parts are.
 *
 * @returns a function that removes the folder
 */
export function makeFolderOfRun(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-scale-'))
  // PostgreSQL does not run as root, and has to reach its folder.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const { pid, isServer } of processesBelow(folder)) end(pid, isServer)
      remove()
      process.exit(130)
    })
  return remove
}

/** The children of this process, and those that name the folder: a server of PostgreSQL is not a child of what starts it. */
function processesBelow(folder: string): { pid: number; isServer: boolean }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!(pid > 0) || pid === process.pid) return []
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      const isChild = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] === `${process.pid}`
      return isChild || command.includes(folder)
        ? [{ pid, isServer: command.split('\0', 1)[0]?.endsWith('/postgres') === true }]
        : []
    } catch {
      // It has ended.
      return []
    }
  })
}

/** SIGQUIT is the immediate stop of PostgreSQL, after which it leaves no shared memory. Frozen processes have to go on for it. */
function end(pid: number, isServer: boolean): void {
  try {
    process.kill(pid, isServer ? 'SIGQUIT' : 'SIGKILL')
    process.kill(pid, 'SIGCONT')
  } catch {
    // It has ended.
  }
}
