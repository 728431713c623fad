import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findFreePort } from './free-port.ts'
import { withServer } from './global-setup.ts'

const versions = '/usr/lib/postgresql'
const bin = existsSync(versions)
  ? readdirSync(versions)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(versions, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

/** Tests of outages run with the other tests of PostgreSQL, and need its programs to start a server of their own. */
export const canStartCluster = bin !== undefined && Boolean(process.env.TEST_DATABASE_URL)

export type Cluster = Awaited<ReturnType<typeof createCluster>>

/** The path of a program of PostgreSQL. */
export const postgresProgram = (name: string): string => join(bin as string, name)

const isRoot = process.getuid?.() === 0
const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
/** The account that programs run as which do not run as root, such as PostgreSQL. */
export const account = isRoot && bin !== undefined ? { uid: idOf('-u'), gid: idOf('-g') } : undefined

const run = (program: string, args: string[]): void =>
  void execFileSync(join(bin as string, program), args, { ...account, cwd: '/', stdio: 'ignore' })

/** A PostgreSQL server of the test's own, which it may freeze and reconfigure; it is gone after the test. */
export async function startCluster(): Promise<Cluster> {
  const cluster = await createCluster()
  onTestFinished(cluster.remove)
  return cluster
}

const initialise = (data: string) => run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'])

/** Makes the account of PostgreSQL the owner of a folder that another program has filled. */
export const giveToPostgres = (folder: string): void => {
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])
}

/**
 * A PostgreSQL server that is removed by `remove`.
 *
 * @param more settings: "-c max_connections=20"
 * @param fill makes the data of the server, in a folder that is empty
 */
export async function createCluster(more = '', fill = initialise) {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-cluster-'))
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (account) chownSync(data, account.uid, account.gid)
  fill(data)
  const port = await findFreePort()
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  const start = () => run('pg_ctl', ['-D', data, '-w', '-l', join(data, 'log'), '-o', `${settings} ${more}`, 'start'])
  start()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const signalAll = (signal: NodeJS.Signals) => signalProcesses(signal, processesOf(data))
  const stop = (mode: 'smart' | 'fast' | 'immediate', wait = true) =>
    run('pg_ctl', ['-D', data, '-m', mode, wait ? '-w' : '-W', 'stop'])
  return {
    url,
    /** The folder of its data. */
    data,
    remove: () => {
      if (existsSync(join(data, 'postmaster.pid'))) {
        signalAll('SIGCONT')
        stop('immediate')
      }
      rmSync(folder, { recursive: true, force: true })
    },
    start,
    /** @param wait whether until it has stopped; a smart stop waits for its clients */
    stop,
    /** Every process of the server stops, and its connections stay open. */
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    /** Runs a statement in a session that may write. */
    run: (sql: string) =>
      withServer(url, async (client) => {
        await client.query('SET default_transaction_read_only = off')
        await client.query(sql)
      }),
  }
}

/** The processes of the server whose data is in the folder, its postmaster first; empty if it does not run. */
export function processesOf(data: string): number[] {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
  } catch {
    return []
  }
}

export function signalProcesses(signal: NodeJS.Signals, pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A process of the server may end at any time.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
