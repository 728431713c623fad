import pg from 'pg'
import type { Logger } from 'pino'
import { describeCause } from '../operator-error.ts'
import { destroySocket, pointAt, unref } from '../seams/pg.ts'
import { describeHost, type Host } from './hosts.ts'

/** How often the servers are asked, and how often while no server accepts writes. In milliseconds. */
const askEveryMs = 500
const searchEveryMs = 100
const patienceMs = 1_500
/** How long a connection waits for a server that accepts writes: shorter than the watchdog's patience. */
const findMs = 1_200

/** The timeline of a server that accepts writes, else null. Each promotion begins a higher one. */
const readTimeline = `select case when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then null
  else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`

/** @returns null if the server is a standby or read-only */
export async function askTimeline(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ timeline: number | null }>(readTimeline)
  return rows[0]?.timeline ?? null
}

type Server = {
  host: Host
  /** Kept for questions. */
  client?: pg.Client | undefined
  isAsked: boolean
  /** What it answered last; undefined if it is not known to run. */
  timeline?: number | null | undefined
  problem: string
}

export type Primary = {
  /** @throws after a second if no server accepts writes */
  find(): Promise<Host>
  /** Notes a connection to a server. It is closed as soon as another server is the primary. */
  add(client: pg.Client, host: Host): void
  /** Whether a server that has answered this is the primary. */
  accepts(host: Host, timeline: number | null): boolean
  /** Asks all servers at once, because one is not what it was. */
  doubt(): void
  log: Logger | undefined
}

/** Finds the one of several servers that accepts writes, and follows it while there are connections. */
export function createPrimary(hosts: readonly Host[], config: pg.ClientConfig): Primary {
  const servers: Server[] = hosts.map((host) => ({ host, isAsked: false, problem: 'not asked yet' }))
  const users = new Map<pg.Client, Server>()
  const waiting = new Set<(host: Host) => void>()
  let current: Server | undefined
  let newest = 0
  let timer: NodeJS.Timeout | undefined

  const serverAt = (host: Host) => servers.find((server) => server.host === host) as Server
  const isUsed = () => users.size > 0 || waiting.size > 0

  function closeUsers(isClosed: (server: Server) => boolean): void {
    for (const [client, server] of users) if (isClosed(server)) destroySocket(client)
  }

  function update(): void {
    if (!isUsed()) forget()
    for (const { timeline } of servers) newest = Math.max(newest, timeline ?? 0)
    const isPrimary = ({ timeline }: Server) => timeline === newest
    const next = current && isPrimary(current) ? current : servers.find(isPrimary)
    if (next && next !== current)
      primary.log?.info({ host: describeHost(next.host), timeline: newest }, 'database primary found')
    current = next
    // A server that is stopping rejects new connections, but finishes what it has begun.
    closeUsers((server) => server.timeline === null || (next !== undefined && server !== next))
    if (!next) return
    for (const found of waiting) found(next.host)
    waiting.clear()
  }

  async function ask(server: Server): Promise<void> {
    if (server.isAsked) return
    server.isAsked = true
    try {
      server.client ??= await openClient(server)
      server.timeline = await askTimeline(server.client)
      server.problem = server.timeline === null ? 'accepts no writes' : ''
    } catch (error) {
      if (server.client) destroySocket(server.client)
      server.client = undefined
      server.problem = describeCause(error)
      // One that is silent, or full, can still be the primary. The watchdog closes its connections.
      if (!/timeout|too many/.test(server.problem)) server.timeline = undefined
    }
    server.isAsked = false
    update()
  }

  async function openClient({ host }: Server): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }
    const client = new pg.Client({ ...config, ...limits, application_name: 'tributary primary' })
    pointAt(client, host)
    client.on('error', () => {})
    await client.connect().catch((error) => {
      destroySocket(client)
      throw error
    })
    // It keeps no process alive.
    unref(client)
    return client
  }

  function askAll(): void {
    clearTimeout(timer)
    timer = undefined
    if (!isUsed()) {
      forget()
      return
    }
    for (const server of servers) void ask(server)
    timer = setTimeout(askAll, current ? askEveryMs : searchEveryMs).unref()
  }

  /** What was known is old when it is needed again. Only the newest timeline stays so. */
  function forget(): void {
    current = undefined
    for (const server of servers) {
      if (server.client) destroySocket(server.client)
      server.client = undefined
      server.timeline = undefined
    }
  }

  const describe = ({ host, timeline, problem }: Server) =>
    `${describeHost(host)} (${typeof timeline === 'number' && timeline < newest ? 'an old primary' : problem})`

  const primary: Primary = {
    log: undefined,
    find: () => {
      if (current) return Promise.resolve(current.host)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(found)
          reject(new Error(`no database server accepts writes: ${servers.map(describe).join(', ')}`))
        }, findMs)
        const found = (host: Host) => {
          clearTimeout(late)
          resolve(host)
        }
        waiting.add(found)
        if (!timer) askAll()
      })
    },
    add: (client, host) => {
      users.set(client, serverAt(host))
      client.once('end', () => {
        users.delete(client)
        primary.doubt()
      })
    },
    accepts: (host, timeline) => {
      const server = serverAt(host)
      server.timeline = timeline
      update()
      return current === server
    },
    doubt: askAll,
  }
  return primary
}
