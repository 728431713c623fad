import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { limits } from '../client/timeouts.ts'
import { eventsChannel, type Listen } from '../events.ts'
import { destroySocket } from '../seams/pg.ts'
import { DatabaseClient } from './client.ts'
import { parseDatabaseUrl } from './open.ts'

/** A server that stopped responding is detected within this time plus `limits.queryMs`. */
const checkEveryMs = 30_000
const firstPauseMs = 100
const longestPauseMs = 30_000

/** Listens on a separate connection, with reconnects. @throws if the first connection fails */
export const listenOnPostgres =
  (databaseUrl: string, log: Logger): Listen =>
  async (onMessage) => {
    let closed = false
    let client: DatabaseClient | undefined
    const connect = async () => {
      const current = new DatabaseClient({
        ...parseDatabaseUrl(databaseUrl),
        connectionTimeoutMillis: limits.connectMs,
        query_timeout: limits.queryMs,
        keepAlive: true,
        application_name: 'tributary events',
      })
      client = current
      current.on('notification', ({ payload }) => payload !== undefined && onMessage(payload))
      // Without a listener, a connection that the server closes would end the process.
      current.on('error', (error) => log.warn({ err: error }, 'event connection lost'))
      await current.connect()
      await current.query(`listen ${eventsChannel}`)
      current.once('end', () => void reconnect())
    }
    const reconnect = async () => {
      for (let waitMs = firstPauseMs; !closed; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
        await pause(waitMs * (0.5 + Math.random()), undefined, { ref: false })
        if (closed) return
        const failed = await connect().then(
          () => null,
          (error: unknown) => error,
        )
        if (failed === null) return closed ? void client?.end() : log.info('event connection restored')
        log.warn({ err: failed }, 'event connection failed')
        void client?.end().catch(() => {})
      }
    }
    try {
      await connect()
    } catch (error) {
      void client?.end().catch(() => {})
      throw error
    }
    const check = setInterval(() => {
      const checked = client
      checked?.query('select 1').catch(() => destroySocket(checked))
    }, checkEveryMs).unref()
    return async () => {
      closed = true
      clearInterval(check)
      await client?.end().catch(() => {})
    }
  }
