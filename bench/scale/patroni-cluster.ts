import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../../test/support/free-port.ts'
import {
  account,
  giveToPostgres,
  postgresProgram,
  processesOf,
  signalProcesses,
} from '../../test/support/postgres-cluster.ts'

/** Seconds. Patroni takes no smaller `ttl` in its later versions. */
export const timings = { ttl: 20, loop_wait: 2, retry_timeout: 3 }

/** How long Patroni may take for anything before the script gives up. */
const patienceMs = 120_000

type Member = { name: string; role: string; state: string; timeline?: number }
export type PatroniNode = ReturnType<typeof createNode>
export type PatroniCluster = Awaited<ReturnType<typeof createPatroniCluster>>

/** Servers of PostgreSQL with Patroni in synchronous mode, and etcd with one member. All are gone after `remove`. */
export async function createPatroniCluster(count: number) {
  requirePrograms()
  const folder = mkdtempSync(join(tmpdir(), 'tributary-patroni-'))
  chmodSync(folder, 0o711)
  const etcd = createEtcd(join(folder, 'etcd'), await findFreePort(), await findFreePort())
  const nodes: PatroniNode[] = []
  for (let n = 0; n < count; n += 1)
    nodes.push(createNode(join(folder, `node${n}`), `node${n}`, etcd.port, await findFreePort(), await findFreePort()))
  const lastLines = () => nodes.map((node) => node.lastLines()).join('\n')

  const cluster = {
    nodes,
    etcd,
    /** The address of the database on all servers, of which the service finds the primary. */
    url: `postgres://postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`,
    /** The first of some servers that accepts writes. */
    waitForPrimary: async (among: readonly PatroniNode[] = nodes): Promise<PatroniNode> => {
      const until = performance.now() + patienceMs
      while (performance.now() < until) {
        for (const node of among) if (await node.acceptsWrites()) return node
        await pause(20)
      }
      throw new Error(`No server accepts writes:\n${lastLines()}`)
    },
    /** Until Patroni has made the primary read-only, because it does not reach etcd. */
    waitForReadOnly: async (primary: PatroniNode): Promise<void> => {
      const until = performance.now() + patienceMs
      while (await primary.acceptsWrites()) {
        if (performance.now() > until) throw new Error(`${primary.name} accepts writes without etcd:\n${lastLines()}`)
        await pause(20)
      }
    },
    /** Until all members are in the timeline of the leader and commits wait for one of them. Returns the leader's server. */
    waitUntilHealthy: async (): Promise<PatroniNode> => {
      const until = performance.now() + patienceMs
      while (performance.now() < until) {
        const members = await nodes[0]?.readMembers()
        const leader = members?.find(({ role }) => role === 'leader')
        if (leader && members && isHealthy(members, leader, count))
          return nodes.find(({ name }) => name === leader.name) as PatroniNode
        await pause(200)
      }
      throw new Error(`The cluster did not become healthy:\n${lastLines()}`)
    },
    /** By `patronictl`, to the standby that confirms commits. */
    switchOver: async (): Promise<void> => {
      const candidate = (await nodes[0]?.readMembers())?.find(({ role }) => role === 'sync_standby')?.name ?? ''
      const { file, home } = nodes[0] as PatroniNode
      const args = ['-c', file, 'switchover', 'tributary', '--candidate', candidate, '--force']
      const child = spawnFor(home, 'patronictl', args)
      const code = await new Promise((resolve) => child.once('exit', resolve))
      if (code !== 0) throw new Error(`patronictl ended with ${code}:\n${nodes[0]?.lastLines()}`)
    },
    remove: () => {
      for (const node of nodes) node.kill()
      etcd.kill()
      // A process that is ending may still write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  try {
    etcd.start()
    for (const node of nodes) node.start()
    await cluster.waitUntilHealthy()
  } catch (error) {
    cluster.remove()
    throw error
  }
  return cluster
}

const isHealthy = (members: Member[], leader: Member, count: number): boolean =>
  members.length === count &&
  members.every(({ state, timeline }) => /^(running|streaming)$/.test(state) && timeline === leader.timeline) &&
  members.some(({ role }) => role === 'sync_standby')

function requirePrograms(): void {
  const missing = ['patroni', 'patronictl', 'etcd'].filter((name) => spawnSync(name, ['--version']).error)
  if (missing.length > 0)
    throw new Error(
      `Not installed: ${missing.join(', ')}. apt-get install patroni etcd-server, and stop their services`,
    )
}

/** A program as the account of PostgreSQL, which writes to a log. */
function spawnFor(home: string, program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const log = openSync(`${home}/log`, 'a')
  return spawn(program, args, {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', log, log],
  })
}

function createEtcd(home: string, port: number, peerPort: number) {
  mkdirSync(home, { mode: 0o700 })
  giveToPostgres(home)
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const listen = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer]
  const peers = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`]
  let child: ChildProcess | undefined
  return {
    port,
    start: () => {
      child = spawnFor(home, 'etcd', ['--data-dir', `${home}/data`, ...listen, ...peers])
    },
    kill: () => void child?.kill('SIGKILL'),
  }
}

function createNode(home: string, name: string, etcdPort: number, port: number, apiPort: number) {
  const data = join(home, 'data')
  const file = join(home, 'patroni.yml')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  mkdirSync(home, { mode: 0o700 })
  // YAML contains JSON.
  writeFileSync(file, JSON.stringify(configure(home, name, etcdPort, port, apiPort), null, 2))
  giveToPostgres(home)
  let child: ChildProcess | undefined
  /** Patroni first: it would start what has ended. */
  const pids = () => [...(child?.pid === undefined ? [] : [child.pid]), ...processesOf(data)]
  return {
    name,
    url,
    home,
    port,
    file,
    start: () => {
      child = spawnFor(home, 'patroni', [file])
    },
    /** kill -9 of Patroni and of the processes of PostgreSQL. */
    kill: () => {
      signalProcesses('SIGKILL', pids())
      child = undefined
    },
    freeze: () => signalProcesses('SIGSTOP', pids()),
    thaw: () => signalProcesses('SIGCONT', pids()),
    acceptsWrites: async (): Promise<boolean> => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })
      client.on('error', () => {})
      const sql = `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as yes`
      try {
        await client.connect()
        return (await client.query<{ yes: boolean }>(sql)).rows[0]?.yes === true
      } catch {
        return false
      } finally {
        await client.end()
      }
    },
    /** The members as etcd has them; undefined if Patroni does not answer. */
    readMembers: async (): Promise<Member[] | undefined> => {
      try {
        const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
        return ((await answer.json()) as { members: Member[] }).members
      } catch {
        return undefined
      }
    },
    lastLines: () => readFileSync(`${home}/log`, 'utf8').split('\n').slice(-15).join('\n'),
  }
}

const configure = (home: string, name: string, etcdPort: number, port: number, apiPort: number) => ({
  scope: 'tributary',
  name,
  restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      ...timings,
      synchronous_mode: true,
      maximum_lag_on_failover: 1_048_576,
      postgresql: {
        use_pg_rewind: true,
        parameters: { max_connections: 60, wal_log_hints: 'on', wal_keep_size: '64MB', hot_standby_feedback: 'on' },
      },
    },
    initdb: ['no-sync', { auth: 'trust' }, { encoding: 'UTF8' }],
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(home, 'data'),
    bin_dir: dirname(postgresProgram('postgres')),
    pgpass: join(home, 'pgpass'),
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
    parameters: { unix_socket_directories: '', fsync: 'off' },
  },
})
