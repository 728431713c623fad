import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { destroySocket, poolWith, wireOf } from '../seams/pg.ts'
import { type ConnectionConfig, DatabaseClient, primaryOf } from './client.ts'
import { PooledClient, type PoolSettings } from './connection.ts'

/** How often it is checked whether something waits for the server. */
const everyMs = 250
/** How long a server may be silent to a statement that takes no time. Less than 3 seconds pass until requests fail. */
const patienceMs = 1_250
/** How often a new connection is tried while the server is silent. Each is work for a server that goes on. */
const tryEveryMs = 500

/** The type of the errors of requests while the server is silent: see `isUnavailable`. */
const silence = () => new Error('the database server does not respond')

type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (remove?: unknown) => void) => void

/** A request for a connection. Without `taken`, it has ended. */
type Waiting = { taken: Taken | undefined }

type Asker = { client: pg.Client; connected: Promise<unknown> }

export type WatchedPool = pg.Pool & {
  /** Whether the server responds to a statement within this time, whatever the pool does. */
  responds(withinMs: number): Promise<boolean>
}

/**
 * A pool whose requests fail within three seconds when the server is silent. While a request waits and no byte arrives
 * on any connection, a separate connection asks. If it gets no answer, all connections are closed, and requests fail at
 * once until the server answers. A busy, locking, rejecting or full server does answer.
 */
export function createWatchedPool(options: pg.PoolConfig & ConnectionConfig, settings: PoolSettings): WatchedPool {
  const { log } = settings
  const primary = primaryOf(options)
  if (primary) primary.log = log
  const open = new Set<pg.Client>()
  class PoolConnection extends PooledClient {
    constructor(config: ConnectionConfig = {}) {
      super(config, settings)
      open.add(this)
      // Its statements fail with the error. Without a listener, it would end the process while a transaction has the
      // connection.
      this.on('error', () => {})
      this.once('end', () => open.delete(this))
    }
  }
  const pool = poolWith(options, PoolConnection)
  const waiting = new Set<Waiting>()
  let isSilent = false
  let asker: Asker | undefined
  let triedAt = 0
  let isAsking = false
  let bytesBefore = 0

  const bytesRead = () => {
    let bytes = 0
    for (const client of open) bytes += wireOf(client).stream.bytesRead
    return bytes
  }

  const take = pool.connect.bind(pool) as (taken: Taken) => void
  const connect = (taken: Taken) => {
    if (isSilent) return process.nextTick(taken, silence(), undefined, () => {})
    // The tables that a set has outgrown keep what was in them, so an entry that has ended must lead to nothing.
    const entry: Waiting = { taken }
    waiting.add(entry)
    take((error, client, release) => {
      waiting.delete(entry)
      const isWaiting = entry.taken !== undefined
      entry.taken = undefined
      if (isWaiting) taken(error, client, release)
      else if (client) release()
    })
  }
  pool.connect = ((taken?: Taken) =>
    taken
      ? connect(taken)
      : new Promise((resolve, reject) =>
          connect((error, client) => (error ? reject(error) : resolve(client as pg.PoolClient))),
        )) as typeof pool.connect

  function openAsker(): Asker {
    const client = new DatabaseClient({ ...options, application_name: 'tributary watchdog' })
    // It is replaced when it is needed again.
    const forget = () => {
      if (asker?.client === client) asker = undefined
    }
    client.on('error', forget).on('end', forget)
    const connected = client.connect()
    // One that found no server to connect to has never begun, so it does not end either.
    connected.catch(forget)
    return { client, connected }
  }

  const ask = async ({ client, connected }: Asker): Promise<void> => {
    await connected
    await client.query('select 1')
  }

  /** Whether there is an answer, which can be an error. The event loop is not to blame for its lack. */
  async function isAnswered(question: Promise<unknown>, withinMs: number): Promise<boolean> {
    let answered = false
    const note = () => {
      answered = true
    }
    const answer = question.then(note, note)
    const timeout = new AbortController()
    await Promise.race([answer, pause(withinMs, undefined, { signal: timeout.signal, ref: false }).catch(() => {})])
    timeout.abort()
    // What arrived while this process was busy is read now.
    for (let turn = 0; turn < 3 && !answered; turn += 1) await nextTurn()
    return answered
  }

  /** Whether the server answers within the time. An error is an answer too. */
  async function responds(withinMs: number): Promise<boolean> {
    asker ??= openAsker()
    return await isAnswered(ask(asker), withinMs)
  }

  function forgetAsker(): void {
    if (asker) destroySocket(asker.client)
    asker = undefined
  }

  const noteAnswer = () => {
    if (!isSilent) return
    isSilent = false
    log.info('database responds again')
  }

  async function askAnew(): Promise<void> {
    triedAt = performance.now()
    const tried = openAsker()
    if (await isAnswered(ask(tried), patienceMs)) {
      // Its own connection may have got lost with the others.
      if (isSilent) forgetAsker()
      noteAnswer()
    }
    destroySocket(tried.client)
  }

  function giveUp(): void {
    isSilent = true
    log.error({ connections: open.size, waiting: waiting.size }, 'database does not respond, connections closed')
    // A server that was frozen answers what it was asked before it accepts new connections.
    asker?.client.query('select 1').then(noteAnswer, () => {})
    for (const client of open) destroySocket(client)
    for (const entry of waiting) {
      const { taken } = entry
      entry.taken = undefined
      taken?.(silence(), undefined, () => {})
    }
    waiting.clear()
  }

  async function check(): Promise<void> {
    if (isSilent) {
      if (performance.now() - triedAt >= tryEveryMs) await askAnew()
      return
    }
    const isUsed = waiting.size > 0 || pool.totalCount > pool.idleCount
    const before = bytesRead()
    const isAlive = before !== bytesBefore
    bytesBefore = before
    if (!isUsed || isAlive || isAsking) return
    isAsking = true
    const hasAnswer = await responds(patienceMs)
    isAsking = false
    if (!hasAnswer && bytesRead() === before) giveUp()
  }

  const timer = setInterval(() => void check(), everyMs).unref()
  const end = pool.end.bind(pool) as () => Promise<void>
  pool.end = (async () => {
    clearInterval(timer)
    forgetAsker()
    await end()
  }) as typeof pool.end
  return Object.assign(pool, {
    responds: async (withinMs: number) => !isSilent && (await responds(withinMs)),
  })
}
