import type pg from 'pg'
import type { Logger } from 'pino'
import { ReadBatch } from './read-batch.ts'

/** What pg says when the server did not respond in time. */
export const readTimeout = 'Query read timeout'

/** After a timeout, the ROLLBACK timed out too: later writes on this connection would join the old transaction. */
export function closeOnTimeout(client: pg.PoolClient, log: Logger): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const result = query(...args)
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message !== readTimeout) return
        log.warn({ err: error }, 'database query timed out, connection closed')
        destroySocket(client)
      })
    }
    return result
  }) as typeof client.query
}

/** How often it is checked whether a batch is late, at most. In milliseconds. */
const everyMs = 1_000

/** A client as pg has it. Its types do not declare the parameters. */
type Client = pg.PoolClient & { connectionParameters: { query_timeout?: number } }

/** Ends late batches by one timer per connection. With pg's timers, rows stay in memory until a full collection. */
export function watchBatches(client: pg.PoolClient): void {
  const { connectionParameters } = client as Client
  const { query_timeout: limitMs = 0 } = connectionParameters
  if (limitMs === 0) return
  let watched: ReadBatch | undefined
  let sentAt = 0
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((given: unknown, ...more: unknown[]) => {
    // One that waits for another has a timer of pg.
    if (!(given instanceof ReadBatch) || watched?.isEnded === false) return query(given, ...more)
    watched = given
    sentAt = performance.now()
    connectionParameters.query_timeout = 0
    try {
      return query(given, ...more)
    } finally {
      connectionParameters.query_timeout = limitMs
    }
  }) as typeof client.query
  const check = () => {
    if (watched?.isEnded !== false || performance.now() - sentAt < limitMs) return
    watched.fail(new Error(readTimeout))
    destroySocket(client)
  }
  const timer = setInterval(check, Math.min(everyMs, limitMs)).unref()
  client.once('end', () => clearInterval(timer))
}

/** Closes a connection whose server does not respond, without waiting for the server. */
export function destroySocket(client: pg.ClientBase): void {
  // The types of pg do not declare the connection.
  const { connection } = client as pg.ClientBase & { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
