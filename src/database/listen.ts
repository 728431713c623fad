import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { eventsChannel, type Listen } from './events.ts'
import { describeCause } from './operator-error.ts'
import { parseDatabaseUrl } from './postgres.ts'
import { limits } from './timeouts.ts'

/** A server that fell silent is noticed within this time and `limits.queryMs`. */
const lookEveryMs = 30_000
const firstPauseMs = 100
const longestPauseMs = 30_000

/**
 * Listens on a connection of its own. One that is lost is made again, at first soon, then after longer and longer pauses;
 * what was told in between is not heard.
 *
 * @throws where the first connection can not be made
 */
export const listenOnPostgres =
  (databaseUrl: string, log: Logger): Listen =>
  async (onMessage) => {
    let closed = false
    let client: pg.Client | undefined
    const connect = async () => {
      const current = new pg.Client({
        ...parseDatabaseUrl(databaseUrl),
        connectionTimeoutMillis: limits.connectMs,
        query_timeout: limits.queryMs,
        keepAlive: true,
        application_name: 'tributary events',
      })
      client = current
      current.on('notification', ({ payload }) => payload !== undefined && onMessage(payload))
      // Without a listener, a connection that the server closes would end the process.
      current.on('error', (error) => log.warn({ cause: describeCause(error) }, 'the connection for events was lost'))
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
        if (failed === null) return closed ? void client?.end() : log.info('listening for events again')
        log.warn({ cause: describeCause(failed) }, 'can not listen for events')
        void client?.end().catch(() => {})
      }
    }
    try {
      await connect()
    } catch (error) {
      void client?.end().catch(() => {})
      throw error
    }
    const look = setInterval(() => {
      const looked = client
      looked?.query('select 1').catch(() => cutOff(looked))
    }, lookEveryMs).unref()
    return async () => {
      closed = true
      clearInterval(look)
      await client?.end().catch(() => {})
    }
  }

/** A server that does not answer does not say goodbye either. The end of this connection begins the next. */
const cutOff = (client: pg.Client) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
