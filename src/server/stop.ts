import type { Server } from 'node:http'
import type { Logger } from 'pino'
import type { Database } from '../database/open.ts'
import type { App } from './app.ts'

/** An orchestrator kills after 10 seconds or later; what still runs then is cut off while the database can close in peace. */
const graceMs = 7_000

/** What has to be closed. */
export type Running = { server: Server; app: App; database: Database; log: Logger }

/**
 * On SIGTERM or SIGINT: take nothing new, finish what runs, close the database, exit 0. One that comes during the start
 * waits for its end, as what has begun (a migration, the demo) is best finished.
 */
export function stopOnSignal(starting: Promise<Running>): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    const { server, app, database, log } = await starting
    log.info({ signal }, 'Stopping.')
    app.stop()
    await closed(server)
    await app.flush()
    await database.close()
    log.info('Stopped.')
    log.flush?.()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        console.error('Stopping failed.', error)
        process.exit(1)
      })
    })
  }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cutOff)
      resolve()
    })
    server.closeIdleConnections()
  })
}
