import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { Logger } from 'pino'
import { describeCause, OperatorError } from '../operator-error.ts'
import { findMigrationsFolder, type MigrationFile, readSchema, type Schema, type SqlFile } from './files.ts'

export type AppliedMigration = { name: string; checksum: string; isFinished: boolean }

/**
 * What a database has of prisma/sql: the checksum of each file, and the version that applied them, with the settings
 * that it knew. Early builds did not note them.
 */
export type AppliedSql = { version: string; files: Record<string, string>; settings?: readonly string[] }

export type Applied = { migrations: AppliedMigration[]; sql: AppliedSql | undefined }

/**
 * `inTransaction` passes a connection with an open transaction, under a lock against other migrating processes. It
 * commits, or rolls back when `apply` throws: a migration is applied and recorded atomically.
 */
export type MigrationTarget = {
  readApplied(): Promise<Applied>
  inTransaction(apply: (connection: MigrationConnection) => Promise<void>): Promise<void>
}

export type MigrationConnection = Pick<SqlDriverAdapter, 'queryRaw' | 'executeRaw' | 'executeScript'> & {
  readApplied(): Promise<Applied>
}

type MigrateOptions = { folder?: string; version?: string; log: Logger }

/** Applies the pending migrations, then the files of prisma/sql. Returns the names of the migrations. */
export async function applyMigrations(
  target: MigrationTarget,
  { folder = findMigrationsFolder(), version, log }: MigrateOptions,
): Promise<string[]> {
  const schema = readSchema(folder, version)
  if (schema.migrations.length === 0)
    throw new OperatorError(`There are no migrations in ${folder}; the installation is incomplete.`)
  const done: Pending[] = []
  const namesOfDone = () => done.flatMap(({ migration }) => migration?.name ?? [])
  try {
    // One transaction for each migration, because a new enum value can be used only after a commit.
    while (findPending(schema, await target.readApplied())) {
      const step = await applyPending(target, schema, folder)
      if (step) done.push(step)
    }
  } finally {
    // Also when one failed: those before it stay applied.
    const migrations = namesOfDone()
    if (migrations.length > 0) log.info({ count: migrations.length, migrations }, 'migrations applied')
    const files = done.flatMap(({ sql }) => sql.map(({ name }) => name))
    if (files.length > 0) log.info({ files }, 'functions, triggers and views replaced')
  }
  return namesOfDone()
}

/** Applies what is pending first, and returns it, or undefined if another instance applied it meanwhile. */
async function applyPending(target: MigrationTarget, schema: Schema, folder: string): Promise<Pending | undefined> {
  let step: Pending | undefined
  await target.inTransaction(async (connection) => {
    step = findPending(schema, await connection.readApplied())
    if (!step) return
    const { migration, sql } = step
    if (migration) {
      const { migrations } = schema
      await applyNext(connection, folder, migrations.slice(0, migrations.indexOf(migration) + 1))
    }
    if (sql.length > 0) await applySql(connection, schema, sql)
  })
  return step
}

/** What one transaction applies: a migration, files of prisma/sql, or both. */
export type Pending = { migration: MigrationFile | undefined; sql: SqlFile[] }

/**
 * What is to be applied first; undefined if nothing is. The last migration and prisma/sql are one step, so that no
 * instance sees tables without their functions. After a migration all files are applied, because it may have dropped
 * some of what they have.
 * @throws OperatorError if this version cannot continue the database's history
 */
export function findPending(schema: Schema, applied: Applied): Pending | undefined {
  const migration = findPendingMigration(schema.migrations, applied.migrations)
  const isLast = migration === schema.migrations.at(-1)
  const sql = migration ? schema.sql.filter(() => isLast) : findPendingSql(schema, applied.sql)
  return migration || sql.length > 0 ? { migration, sql } : undefined
}

/** What a newer version has applied stays: a rolling upgrade may restart an older instance. */
function findPendingSql({ version, sql }: Schema, applied: AppliedSql | undefined): SqlFile[] {
  if (applied && applied.version.localeCompare(version, 'en', { numeric: true }) > 0) return []
  return sql.filter(({ name, checksum }) => applied?.files[name] !== checksum)
}

function findPendingMigration(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile | undefined {
  const known = new Map(files.map((file) => [file.name, file]))
  for (const { name, checksum, isFinished } of applied) {
    const file = known.get(name)
    if (!file) {
      const what = `The database has the migration ${name}, which this version does not know`
      throw new OperatorError(`${what}: ${explainUnknown(name, files)}`)
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

/** Names begin with the time at which a migration was made. */
function explainUnknown(name: string, files: MigrationFile[]): string {
  const [first = '', last = ''] = [files[0]?.name, files.at(-1)?.name]
  if (name > last) return 'a newer version migrated it. Run that version, or restore a backup from before the upgrade.'
  if (name < first)
    return `it is older than the first one of this version, ${first}. An earlier version made the database, whose migrations were replaced, and this version cannot upgrade it. Nothing was changed. Run the version that made it. To move its programs, start this version with an empty database, and import each from the running old server: tributary import --from ADDRESS (docs/importing.md).`
  return 'a version of another line of development migrated it. Run that version, or restore a backup.'
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

async function applySql(
  connection: MigrationConnection,
  { version, settings, sql }: Schema,
  files: SqlFile[],
): Promise<void> {
  for (const { name, script } of files) {
    try {
      await connection.executeScript(script)
    } catch (error) {
      throw new OperatorError(`prisma/sql/${name} failed and was rolled back: ${describeCause(error)}`)
    }
  }
  const applied: AppliedSql = {
    version,
    files: Object.fromEntries(sql.map(({ name, checksum }) => [name, checksum])),
    settings,
  }
  // A comment of Prisma's table of migrations, which is in dumps and belongs to no program.
  await connection.executeScript(
    `COMMENT ON TABLE _prisma_migrations IS '${JSON.stringify(applied).replaceAll("'", "''")}'`,
  )
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
