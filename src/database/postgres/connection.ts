import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { destroySocket, ReadBatch, wireOf } from '../seams/pg.ts'
import { type ConnectionConfig, DatabaseClient } from './client.ts'

/** What pg says when the server did not respond in time. */
export const readTimeout = 'Query read timeout'

/** The most statements that are kept prepared on one connection. PostgreSQL holds the plan of each in memory. */
const maximumStatements = 256

/** How often it is checked whether a batch is late, at most. In milliseconds. */
const everyMs = 1_000

export type PoolSettings = {
  log: Logger
  /** False behind a pooler that gives each transaction another session and does not keep names of statements. */
  keepsPrepared: boolean
}

/** A connection of a pool: with bounded prepared statements, and closed when the server does not respond in time. */
export class PooledClient extends DatabaseClient {
  readonly keepsPrepared: boolean
  readonly #log: Logger
  readonly #limitMs: number
  readonly #prepared = new LRUCache<string, true>({
    max: maximumStatements,
    dispose: (_, name, reason) => reason === 'evict' && this.#forget(name),
  })
  #watched: ReadBatch | undefined
  #sentAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ query_timeout = 0, ...config }: ConnectionConfig, { log, keepsPrepared }: PoolSettings) {
    super(config)
    this.#limitMs = query_timeout
    this.#log = log
    this.keepsPrepared = keepsPrepared
  }

  // biome-ignore lint/suspicious/noExplicitAny: it has each signature of pg.
  override query(given: any, ...more: any[]): any {
    if (given instanceof ReadBatch) {
      given.isUnnamed = !this.keepsPrepared
      this.#note(given.names)
      this.#watch(given)
      return super.query(given as never, ...(more as []))
    }
    const config = { query_timeout: this.#limitMs, ...(typeof given === 'string' ? { text: given } : given) }
    if (!this.keepsPrepared) config.name = undefined
    if (config.name) this.#note([config.name])
    const result: unknown = super.query(config, ...(more as []))
    if (result instanceof Promise) result.catch((error: Error) => this.#closeIfLate(error))
    return result
  }

  #note(names: readonly string[]): void {
    if (this.keepsPrepared) for (const name of names) this.#prepared.set(name, true)
  }

  /** Closes a prepared statement by a message of the protocol, which PgBouncer knows. */
  #forget(name: string): void {
    const wire = wireOf(this)
    if (wire.parsedStatements[name] === undefined) return
    delete wire.parsedStatements[name]
    wire.close({ type: 'S', name })
  }

  /** The ROLLBACK would time out too: later writes on this connection would join the old transaction. */
  #closeIfLate(error: Error): void {
    if (error.message !== readTimeout) return
    this.#log.warn({ err: error }, 'database query timed out, connection closed')
    destroySocket(this)
  }

  /** Ends a late batch by one timer per connection. With pg's timers, rows stay in memory until a full collection. */
  #watch(batch: ReadBatch): void {
    if (this.#limitMs === 0) return
    if (this.#watched?.isEnded === false) {
      // It waits for another.
      batch.query_timeout = this.#limitMs
      return
    }
    this.#watched = batch
    this.#sentAt = performance.now()
    if (this.#timer) return
    this.#timer = setInterval(() => this.#check(), Math.min(everyMs, this.#limitMs)).unref()
    this.once('end', () => clearInterval(this.#timer))
  }

  #check(): void {
    if (this.#watched?.isEnded !== false || performance.now() - this.#sentAt < this.#limitMs) return
    this.#watched.fail(new Error(readTimeout))
    destroySocket(this)
  }
}
