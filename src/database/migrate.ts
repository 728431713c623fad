import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Logger } from 'pino'
import { findMigrationsFolder, type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { describeCause, OperatorError } from './operator-error.ts'

export type AppliedMigration = { name: string; checksum: string; isFinished: boolean }

/**
 * `inTransaction` passes a connection with an open transaction, under a lock against other migrating processes. It
 * commits, or rolls back when `apply` throws: a migration is applied and recorded atomically.
 */
export type MigrationTarget = {
  readApplied(): Promise<AppliedMigration[]>
  inTransaction(apply: (connection: MigrationConnection) => Promise<void>): Promise<void>
}

export type MigrationConnection = Pick<SqlDriverAdapter, 'queryRaw' | 'executeRaw' | 'executeScript'> & {
  readApplied(): Promise<AppliedMigration[]>
}

type MigrateOptions = { folder?: string; log: Logger }

export async function applyMigrations(
  target: MigrationTarget,
  { folder = findMigrationsFolder(), log }: MigrateOptions,
): Promise<string[]> {
  const files = readMigrationFiles(folder)
  if (files.length === 0)
    throw new OperatorError(`There are no migrations in ${folder}; the installation is incomplete.`)
  const names: string[] = []
  try {
    // One transaction for each migration, because a new enum value can be used only after a commit.
    while (findPending(files, await target.readApplied())) {
      const name = await applyPending(target, files, folder)
      if (name) names.push(name)
    }
  } finally {
    // Also when one failed: those before it stay applied.
    log.info({ count: names.length, migrations: names }, 'migrations applied')
  }
  return names
}

/** Applies the first pending migration and returns its name, or undefined if another instance applied it meanwhile. */
async function applyPending(
  target: MigrationTarget,
  files: MigrationFile[],
  folder: string,
): Promise<string | undefined> {
  let name: string | undefined
  await target.inTransaction(async (connection) => {
    const next = findPending(files, await connection.readApplied())
    if (!next) return
    await applyNext(connection, folder, files.slice(0, files.indexOf(next) + 1))
    name = next.name
  })
  return name
}

/**
 * The first migration that is not applied.
 * @throws OperatorError if this version cannot continue the database's history
 */
export function findPending(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile | undefined {
  const known = new Map(files.map((file) => [file.name, file]))
  for (const { name, checksum, isFinished } of applied) {
    const file = known.get(name)
    if (!file) {
      throw new OperatorError(
        `The database has the migration ${name}, which this version does not know: a newer version migrated it. Run that version, or restore a backup from before the upgrade.`,
      )
    }
    if (!isFinished) {
      throw new OperatorError(
        `The migration ${name} failed earlier and was left unfinished. Restore a backup, or repair the database and run: npx prisma migrate resolve --rolled-back ${name}`,
      )
    }
    if (file.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${name} was changed after it was applied to this database. Restore prisma/migrations/${name}/migration.sql as it was and put the change into a new migration.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return files.find(({ name }) => !done.has(name))
}

async function applyNext(connection: MigrationConnection, folder: string, files: MigrationFile[]): Promise<void> {
  const { createSchemaEngine, toMigrationList } = await import('./schema-engine.ts')
  let failure: unknown
  const factory = onConnection(connection, (error) => {
    failure ??= error
  })
  const { engine } = await createSchemaEngine(factory)
  try {
    await engine.applyMigrations({
      migrationsList: toMigrationList(folder, files),
      filters: { externalTables: [], externalEnums: [] },
    })
  } catch (error) {
    // Later errors only report the aborted transaction, so the first error is the cause.
    throw new OperatorError(
      `The migration ${files.at(-1)?.name} failed and was rolled back: ${describeCause(failure ?? error)}`,
    )
  } finally {
    engine.free()
  }
}

/** The adapter for the migration engine, which runs everything on the one connection of the transaction. */
function onConnection(
  connection: MigrationConnection,
  onError: (error: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const capturing =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    (...args: A) =>
      run(...args).catch((error) => {
        onError(error)
        throw error
      })
  const adapter: SqlDriverAdapter = {
    provider: 'postgres',
    adapterName: 'tributary-migrations',
    queryRaw: capturing((query) => connection.queryRaw(query)),
    executeRaw: capturing((query) => connection.executeRaw(query)),
    executeScript: capturing((script) => connection.executeScript(script)),
    startTransaction: () => Promise.reject(new Error('the migration engine already runs inside a transaction')),
    dispose: async () => {},
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
  }
  return {
    provider: 'postgres',
    adapterName: 'tributary-migrations',
    connect: async () => adapter,
    connectToShadowDb: () => Promise.reject(new Error('applying migrations needs no shadow database')),
  }
}
