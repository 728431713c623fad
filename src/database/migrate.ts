import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Logger } from 'pino'
import { findMigrationsFolder, type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { describeCause, OperatorError } from './operator-error.ts'

export type AppliedMigration = { name: string; checksum: string; isFinished: boolean }

/**
 * What applying migrations asks of a database. `inTransaction` gives one connection in a transaction that no other
 * process migrates beside, and commits it, or rolls it back when `apply` throws: a migration is applied and recorded as
 * a whole or not at all, also when the process dies in between.
 */
export type MigrationTarget = {
  readApplied(): Promise<AppliedMigration[]>
  inTransaction(apply: (connection: MigrationConnection) => Promise<void>): Promise<void>
}

export type MigrationConnection = Pick<SqlDriverAdapter, 'queryRaw' | 'executeRaw' | 'executeScript'> & {
  readApplied(): Promise<AppliedMigration[]>
}

type MigrateOptions = { folder?: string; log: Logger }

/** Applies what the database lacks of this version's migrations; answers the names of those it applied. */
export async function applyMigrations(
  target: MigrationTarget,
  { folder = findMigrationsFolder(), log }: MigrateOptions,
): Promise<string[]> {
  const files = readMigrationFiles(folder)
  if (files.length === 0)
    throw new OperatorError(`There are no migrations in ${folder}; the installation is incomplete.`)
  const names: string[] = []
  // One transaction for each migration, as a value added to an enum can be used only after a commit.
  while (findPending(files, await target.readApplied())) {
    await target.inTransaction(async (connection) => {
      // Looked up again under the lock: another instance may have applied it meanwhile.
      const next = findPending(files, await connection.readApplied())
      if (!next) return
      await applyNext(connection, folder, files.slice(0, files.indexOf(next) + 1))
      names.push(next.name)
      log.info({ migration: next.name }, 'migration applied')
    })
  }
  return names
}

/** The first migration that is not applied. Refuses a history that this version can not continue. */
export function findPending(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile | undefined {
  const known = new Map(files.map((file) => [file.name, file]))
  for (const { name, checksum, isFinished } of applied) {
    const file = known.get(name)
    if (!file) {
      throw new OperatorError(
        `The database has the migration ${name}, which this version does not know: a newer version migrated it. Run that version, or restore a backup made before.`,
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
    // After the first failure the engine meets only the aborted transaction, so the first is the cause.
    throw new OperatorError(
      `The migration ${files.at(-1)?.name} failed and was rolled back: ${describeCause(failure ?? error)}`,
    )
  } finally {
    engine.free()
  }
}

/** The engine's adapter: everything it does, it does on the one connection that is in the transaction. */
function onConnection(
  connection: MigrationConnection,
  onError: (error: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const noting =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    (...args: A) =>
      run(...args).catch((error) => {
        onError(error)
        throw error
      })
  const adapter: SqlDriverAdapter = {
    provider: 'postgres',
    adapterName: 'tributary-migrations',
    queryRaw: noting((query) => connection.queryRaw(query)),
    executeRaw: noting((query) => connection.executeRaw(query)),
    executeScript: noting((script) => connection.executeScript(script)),
    startTransaction: () => Promise.reject(new Error('the migration engine runs inside a transaction already')),
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
