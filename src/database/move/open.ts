import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import { openEmbedded } from '../embedded/open.ts'
import { applyMigrations } from '../migrations/migrate.ts'
import { embeddedTarget, postgresTarget } from '../migrations/targets.ts'
import { connectEmbedded, type Database, openDatabase } from '../open.ts'
import { OperatorError } from '../operator-error.ts'
import { DatabaseClient } from '../postgres/client.ts'
import { checkServer, createPool, parseDatabaseUrl } from '../postgres/open.ts'
import type { Query } from '../tables.ts'
import { copyAll, type Moved, type MoveProgress, markTarget, unmarkTarget } from './move.ts'

type MoveOptions = {
  dataDir: string
  databaseUrl: string
  log: Logger
  onProgress: (progress: MoveProgress) => void
  /** Checks what must hold for both databases before the target may be used. */
  check: (source: Database['db'], target: Database['db']) => Promise<void>
}

/** Moves a stopped embedded database into an empty PostgreSQL database, and compares. @throws OperatorError */
export async function moveToPostgres({ dataDir, databaseUrl, log, onProgress, check }: MoveOptions): Promise<Moved> {
  await checkTarget(databaseUrl, log)
  const { pglite, close } = await openEmbedded({ dataDir, log })
  const client = new DatabaseClient({ ...parseDatabaseUrl(databaseUrl), application_name: 'tributary move' })
  const source = (async (text, values = []) => (await pglite.query(text, [...values])).rows) as Query
  const target = (async (text, values = []) => (await client.query(text, [...values])).rows) as Query
  try {
    await client.connect()
    await applyMigrations(embeddedTarget(pglite), { log })
    await pglite.exec(`set timezone = 'UTC'`)
    await markTarget(source, target)
    await applyMigrations(postgresTarget(databaseUrl), { log })
    const moved = await copyAll(source, target, onProgress)
    await checkBoth(pglite, { dataDir, databaseUrl, log }, check)
    await unmarkTarget(target)
    return moved
  } finally {
    await client.end()
    await close()
  }
}

/** Messages of an address name the setting that has it: here, an option. */
async function checkTarget(databaseUrl: string, log: Logger): Promise<void> {
  try {
    const pool = createPool({ databaseUrl, log })
    await checkServer(pool, databaseUrl).finally(() => pool.end())
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(error.message.replaceAll('DATABASE_URL', '--to'))
  }
}

async function checkBoth(
  pglite: PGlite,
  options: Pick<MoveOptions, 'dataDir' | 'databaseUrl' | 'log'>,
  check: MoveOptions['check'],
): Promise<void> {
  // The engine is closed by its owner.
  const source = await connectEmbedded(pglite, async () => {})
  const target = await openDatabase({ ...options, isMoveTarget: true })
  try {
    await check(source.db, target.db)
  } finally {
    await target.close()
    await source.close()
  }
}
