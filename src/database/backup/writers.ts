import type { Logger } from 'pino'
import { OperatorError } from '../operator-error.ts'
import type { DatabaseClient } from '../postgres/client.ts'
import { backUpDatabase } from './create.ts'
import { dumpDatabase, requirePgDump } from './dump.ts'

/** How the database of this process is backed up. */
export type BackupWriter = {
  /** How names of its files end. */
  ending: 'tar.gz' | 'dump'
  /** @throws OperatorError if backups cannot be made */
  check(): Promise<void>
  write(file: string, signal: AbortSignal): Promise<void>
  /** Runs it unless another instance is making a backup. */
  alone(run: () => Promise<void>): Promise<void>
}

/** Only one process uses an embedded database. */
export const embeddedWriter = (dataDir: string, log: Logger): BackupWriter => ({
  ending: 'tar.gz',
  check: async () => {},
  write: async (file, signal) => {
    await backUpDatabase(dataDir, file, log, signal)
  },
  alone: (run) => run(),
})

/** The key of the advisory lock of the instance that makes a backup. Any number that is not used for another lock. */
const backupLock = 7_205_759_403_811
const connectMs = 10_000

/** @param databaseUrl the address of PostgreSQL itself, not of a pooler in transaction mode */
export const postgresWriter = (databaseUrl: string): BackupWriter => ({
  ending: 'dump',
  check: () =>
    connected(databaseUrl, async (client) => {
      const { rows } = await client.query<{ version: string }>(
        `select current_setting('server_version_num') as version`,
      )
      await requirePgDump(Math.floor(Number(rows[0]?.version) / 10_000)).catch((error) => {
        throw new OperatorError(`BACKUP_DIR is set, so the service needs pg_dump. ${error.message}`)
      })
    }),
  write: (file, signal) => dumpDatabase(databaseUrl, file, signal),
  alone: (run) =>
    connected(databaseUrl, async (client) => {
      const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
        backupLock,
      ])
      if (rows[0]?.acquired) await run()
    }),
})

/** Its end also ends the lock. */
async function connected<T>(databaseUrl: string, run: (client: DatabaseClient) => Promise<T>): Promise<T> {
  // Imported on demand, because an embedded database does not need it.
  const { DatabaseClient } = await import('../postgres/client.ts')
  const { parseDatabaseUrl } = await import('../postgres/open.ts')
  const client = new DatabaseClient({
    ...parseDatabaseUrl(databaseUrl),
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'tributary backups',
  })
  // A lost connection only ends the lock.
  client.on('error', () => {})
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end().catch(() => {})
  }
}
