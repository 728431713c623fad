import type { Server } from 'node:http'
import type { Logger } from 'pino'
import type { Database } from '../database/open.ts'
import type { App } from './app.ts'

/** Orchestrators kill after 10 seconds at the earliest. Connections are cut before that, so that the database can close properly. */
const graceMs = 7_000

/** What is closed on a shutdown. */
export type Running = { server: Server; app: App; database: Database; log: Logger }

/**
 * On SIGTERM or SIGINT: accepts no new connections, finishes running requests, closes the database and exits with 0. A
 * signal during the start waits until the start is complete, so that a migration or the demo is not interrupted.
 */
export function stopOnSignal(starting: Promise<Running>): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    const { server, app, database, log } = await starting
    log.info({ signal }, 'shutdown started')
    app.stop()
    await closed(server)
    await app.flush()
    await database.close()
    log.info('shutdown complete')
    log.flush?.()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((error: unknown) => {
        console.error('Tributary could not shut down properly:', error)
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
