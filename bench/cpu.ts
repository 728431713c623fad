// CPU time of processes, from /proc. Linux only.
import { readFile } from 'node:fs/promises'
import type pg from 'pg'

const ticksPerSecond = 100

/** Milliseconds of CPU that a process used, with all of its threads and with its children that have ended. */
export async function processCpuMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => {
    throw new Error(`CPU time is read from /proc/${pid}/stat: benchmarks against peers need Linux.`)
  })
  // The name in parentheses can contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1000) / ticksPerSecond
}

/**
 * Milliseconds of CPU that a server of PostgreSQL used.
 *
 * @param pids the postmaster and its children
 */
export async function serverCpuMs(pids: readonly number[]): Promise<number> {
  let ticks = 0
  for (const [index, pid] of pids.entries()) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // The times of children that have ended count for the postmaster, which has waited for them.
    for (const field of index === 0 ? [11, 12, 13, 14] : [11, 12]) ticks += fields[field] ?? 0
  }
  return (ticks * 1000) / ticksPerSecond
}

/** A backend has one thread, whose time the scheduler knows to the nanosecond. */
async function backendCpuMs(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => null)
  return text === null ? null : Number(text.split(' ')[0]) / 1e6
}

export type BackendTimes = Map<number, number>

/**
 * The CPU time of each connection of a database. The server has to run on this machine, in the same process namespace.
 *
 * @param client a connection to another database of the same server
 */
export async function readBackends(client: pg.Client, database: string): Promise<BackendTimes> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = $1 and backend_type in ('client backend', 'parallel worker')`,
    [database],
  )
  const times = new Map<number, number>()
  for (const { pid } of rows) {
    const ms = await backendCpuMs(pid)
    if (ms !== null) times.set(pid, ms)
  }
  if (rows.length > 0 && times.size === 0)
    throw new Error('The processes of PostgreSQL are not visible. Use a server on this machine, outside a container.')
  return times
}

/** CPU time between two readings. A connection that ended between them was idle; a new one started at zero. */
export const cpuBetween = (before: BackendTimes, after: BackendTimes): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0)
