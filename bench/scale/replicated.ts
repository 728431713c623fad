import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../../test/support/free-port.ts'
import { giveToPostgres, postgresProgram, processesOf, signalProcesses } from '../../test/support/postgres-cluster.ts'

export type Node = Awaited<ReturnType<typeof createReplicated>>['nodes'][number]

const isRoot = process.getuid?.() === 0
/** PostgreSQL does not run as root. Its output would keep the pipes of this process open. */
const run = (program: string, args: string[], mayFail = false): void => {
  const command = [postgresProgram(program), ...args]
  const [file, ...more] = (isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command) as [string, ...string[]]
  try {
    execFileSync(file, more, { cwd: '/', stdio: 'ignore' })
  } catch (error) {
    if (!mayFail) throw error
  }
}

/**
 * Servers of PostgreSQL with streaming replication, the first of which is the primary. All are removed by `remove`.
 *
 * @param settings of each server: "-c wal_keep_size=64MB"
 */
export async function createReplicated(count: number, settings = '') {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-replicated-'))
  chmodSync(folder, 0o711)
  const ports: number[] = []
  while (ports.length < count) ports.push(await findFreePort())
  const nodes = ports.map((port, index) => createNode(join(folder, `node${index}`), `node${index}`, port, settings))
  const [first, ...others] = nodes as [ReturnType<typeof createNode>, ...ReturnType<typeof createNode>[]]
  run('initdb', ['-D', first.data, '-U', 'postgres', '--auth=trust', '--no-sync'])
  writeFileSync(
    join(first.data, 'pg_hba.conf'),
    'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n',
  )
  first.start()
  for (const other of others) other.copyFrom(first)
  return {
    nodes,
    /** The address of the database on all servers, of which the service finds the primary. */
    url: `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    remove: () => {
      for (const node of nodes) node.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function createNode(data: string, name: string, port: number, settings: string) {
  mkdirSync(data, { mode: 0o700 })
  giveToPostgres(data)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const fixed = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c wal_log_hints=on -c hot_standby_feedback=on -c max_connections=60`
  const pids = () => processesOf(data)
  const control = (...args: string[]) => run('pg_ctl', ['-D', data, ...args])
  const node = {
    name,
    url,
    port,
    data,
    pids,
    start: () => control('-w', '-l', join(data, 'log'), '-o', `${fixed} ${settings}`, 'start'),
    stop: (mode: 'fast' | 'immediate') => control('-m', mode, '-w', 'stop'),
    promote: () => control('-w', 'promote'),
    freeze: () => signalProcesses('SIGSTOP', pids()),
    thaw: () => signalProcesses('SIGCONT', pids()),
    /** kill -9 of the postmaster, whose processes notice and end. */
    killPostmaster: async () => {
      const [postmaster, ...children] = pids()
      if (postmaster !== undefined) signalProcesses('SIGKILL', [postmaster])
      while (children.some((pid) => isAlive(pid))) await pause(20)
      rmSync(join(data, 'postmaster.pid'), { force: true })
    },
    /** Ends it in any state. */
    kill: () => signalProcesses('SIGKILL', pids()),
    /** Becomes a standby of another server, with a new copy of its data. */
    copyFrom: (primary: { url: string }) => {
      node.kill()
      rmSync(data, { recursive: true, force: true })
      mkdirSync(data, { mode: 0o700 })
      giveToPostgres(data)
      run('pg_basebackup', ['-d', primary.url, '-D', data, '-c', 'fast', '-X', 'stream', '-R'])
      node.follow(primary)
      node.start()
    },
    /** Streams from another server from its next start on. */
    follow: (primary: { url: string }) => {
      const { port: primaryPort } = new URL(primary.url)
      const source = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=${name}`
      writeFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
      writeFileSync(join(data, 'standby.signal'), '')
      giveToPostgres(data)
    },
    /** Ceases to follow anybody. It becomes a primary when it is promoted. */
    forgetPrimary: () => writeFileSync(join(data, 'postgresql.auto.conf'), ''),
    query: async <Row extends object>(sql: string): Promise<Row[]> => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
    /** Commits wait for this standby; null: for no standby. */
    requireStandby: async (standby: { name: string } | null) => {
      await node.query(`alter system set synchronous_standby_names = '${standby?.name ?? ''}'`)
      await node.query('select pg_reload_conf()')
      if (!standby) return
      const sql = `select from pg_stat_replication where application_name = '${standby.name}' and sync_state = 'sync'`
      while ((await node.query(sql)).length === 0) await pause(50)
    },
  }
  return node
}

const isAlive = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
