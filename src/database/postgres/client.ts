import pg from 'pg'
import { isReadOnly } from '../client/errors.ts'
import { destroySocket, pointAt, wireOf } from '../seams/pg.ts'
import type { Host } from './hosts.ts'
import { askTimeline, createPrimary, type Primary } from './primary.ts'

/** How to connect. With `hosts`, to the one of them that accepts writes. */
export type ConnectionConfig = pg.ClientConfig & { hosts?: readonly Host[] }

type Connect = (error?: Error | null) => void

/** The followed servers, by how to connect to them: the connections of a process share their state. */
const followed = new Map<string, Primary>()

/** The primary among the servers of these settings; undefined if they name one server in any state. */
export function primaryOf({ hosts = [], ...config }: ConnectionConfig): Primary | undefined {
  if (hosts.length === 0) return undefined
  const { connectionString, user, password, database, ssl } = config
  const key = JSON.stringify([hosts, connectionString])
  const known = followed.get(key)
  if (known) return known
  const given = Object.fromEntries(
    Object.entries({ connectionString, user, password, database, ssl }).filter(([, value]) => value !== undefined),
  )
  const primary = createPrimary(hosts, given)
  followed.set(key, primary)
  return primary
}

/** A client of pg that connects to the server that accepts writes, and never reports an unconfirmed commit. */
export class DatabaseClient extends pg.Client {
  readonly #primary: Primary | undefined

  constructor(config: ConnectionConfig = {}) {
    super(config)
    this.#primary = primaryOf(config)
    this.on('notice', (notice) => this.#rejectUnconfirmed(notice as { routine?: string }))
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connect): void
  override connect(callback?: Connect): unknown {
    if (!this.#primary)
      return callback ? super.connect(callback as (error: Error) => void) : (super.connect() as Promise<never>)
    const connected = this.#connectTo(this.#primary)
    if (!callback) return connected.then(() => this as pg.Client)
    connected.then(() => callback(), callback)
  }

  async #connectTo(primary: Primary): Promise<void> {
    const host = await primary.find()
    // The caller may have given up.
    if (wireOf(this).stream.destroyed) throw new Error('timeout exceeded when trying to connect')
    pointAt(this, host)
    primary.add(this, host)
    // Until the owner listens.
    this.on('error', () => {})
    try {
      await super.connect()
      if (!primary.accepts(host, await askTimeline(this))) throw new Error('no database server accepts writes')
    } catch (error) {
      destroySocket(this)
      primary.doubt()
      throw error
    }
    wireOf(this).on('errorMessage', (error) => void (isReadOnly(error) && primary.doubt()))
  }

  /**
   * If a COMMIT that waits for a synchronous standby is cancelled, PostgreSQL reports success with a warning. A
   * failover would lose it, so here it fails. As after a lost connection, it may have happened.
   */
  #rejectUnconfirmed({ routine }: { routine?: string }): void {
    if (routine !== 'SyncRepWaitForLSN') return
    const error = Object.assign(new Error('the commit was not confirmed by a standby'), { code: '57014' })
    wireOf(this).emit('errorMessage', error)
    destroySocket(this)
  }
}
