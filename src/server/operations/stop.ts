import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Backups } from '../../database/backup/schedule.ts'
import type { Database } from '../../database/open.ts'
import type { App } from '../app.ts'
import type { Tracing } from '../traces/tracing.ts'
import type { Drain } from './drain.ts'

/** Orchestrators kill after 10 seconds at the earliest. Requests get most of that time, the database the rest. */
const limits = { requestsMs: 8_500, tracesMs: 1_000, totalMs: 9_600 }

export type Running = {
  drain: Drain
  app: App
  database: Database
  backups: Pick<Backups, 'stop'> | undefined
  tracing: Tracing | undefined
  log: Logger
}

/** On SIGTERM or SIGINT: finishes requests, closes the database, exits 0. The end of a start is awaited. */
export function stopOnSignal(starting: Promise<Running>): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    const running = await starting
    const { log } = running
    log.info({ signal }, 'shutdown started')
    // A database that does not respond must not delay the end. Whatever was acknowledged is already stored.
    const isComplete = await Promise.race([close(running), pause(limits.totalMs, false)])
    if (isComplete) log.info('shutdown complete')
    else log.warn('shutdown incomplete, database did not close in time')
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

async function close({ drain, app, database, backups, tracing, log }: Running): Promise<true> {
  app.stop()
  const backupEnds = backups?.stop()
  const cut = await drain(limits.requestsMs)
  if (cut > 0) log.warn({ connections: cut }, 'connections cut off, requests took too long')
  await app.flush()
  await backupEnds
  await Promise.all([database.close(), tracing && Promise.race([tracing.stop(), pause(limits.tracesMs)])])
  return true
}
