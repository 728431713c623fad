import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { bundlePrograms, programs } from '../../scripts/bundle.mjs'
import { extensions } from '../../src/database/embedded/extensions.ts'
import { readSchema } from '../../src/database/migrations/files.ts'
import { openDatabase } from '../../src/database/open.ts'
import { findPackageRoot } from '../../src/kernel/package-root.ts'

const log = pino({ level: 'silent' })

export type TestDatabases = {
  /** A data directory with an empty, migrated database, to be copied. */
  dataDir: string
  /** The same database as a dump, for databases in memory. It has no templates. */
  dump: string
  /** The server, a migrated database to clone, and the prefix of the clones' names. Only with TEST_DATABASE_URL. */
  postgres?: {
    serverUrl: string
    template: string
    prefix: string
    /** The pooler in transaction mode that databases are opened through. Only with TEST_POOLER_URL. */
    poolerUrl?: string | undefined
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    databases: TestDatabases
    /** The folder of the bundled programs that tests start in their own processes. */
    programs: string
  }
}

/** Prepares each kind of database once, so that tests can copy it quickly. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const serverUrl = process.env.TEST_DATABASE_URL
  const embedded = await prepareEmbedded()
  const postgres = serverUrl ? await preparePostgres(serverUrl) : undefined
  project.provide('databases', { ...embedded, postgres })
  const programs = await bundleTestPrograms()
  project.provide('programs', programs)
  return async () => {
    await rm(programs, { recursive: true, force: true })
    if (postgres) await dropAll(postgres.serverUrl, postgres.prefix)
  }
}

const cacheFolder = () => join(findPackageRoot(), 'node_modules', '.cache', 'tributary-test')

/** Dozens of tests start a process. A bundled program starts much faster than one from source. */
async function bundleTestPrograms(): Promise<string> {
  await mkdir(cacheFolder(), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder(), 'programs-'))
  const entryPoints = [...programs, 'test/support/writer.ts', 'test/support/locker.ts']
  await bundlePrograms(entryPoints, { outdir: folder, outbase: '.', outExtension: { '.js': '.mjs' } })
  return folder
}

/** Caches the database between runs, as creating it takes seconds. The key changes with the schema and PGlite. */
async function prepareEmbedded(): Promise<{ dataDir: string; dump: string }> {
  const versions = [readSchema(), PGlite.defaultStartParams, await packageVersion()]
  const key = createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, 16)
  const cache = cacheFolder()
  const folder = join(cache, key)
  const paths = { dataDir: join(folder, 'data'), dump: join(folder, 'database.tar') }
  if (existsSync(folder)) return paths
  const temporary = await mkdtemp(join(tmpdir(), 'tributary-prepare-'))
  const dataDir = join(temporary, 'data')
  await (await openDatabase({ dataDir, log })).close()
  const pglite = await PGlite.create({ dataDir: join(dataDir, 'db'), extensions })
  const dump = await withoutTemplates(await pglite.dumpDataDir('none'))
  await pglite.close()
  await writeFile(join(temporary, 'database.tar'), Buffer.from(await dump.arrayBuffer()))
  await mkdir(cache, { recursive: true })
  await cp(temporary, `${folder}.${process.pid}`, { recursive: true })
  await rename(`${folder}.${process.pid}`, folder).catch((error) => {
    if (!existsSync(folder)) throw error
  })
  await rm(temporary, { recursive: true, force: true })
  return paths
}

/** A database in memory does not need the templates, which would be half of the files that each test file copies. */
async function withoutTemplates(loadDataDir: Blob): Promise<Blob> {
  const pglite = await PGlite.create({ loadDataDir, extensions })
  await pglite.exec('update pg_database set datistemplate = false')
  for (const template of ['template0', 'template1']) await pglite.exec(`drop database if exists ${template}`)
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  return dump
}

async function packageVersion(): Promise<string> {
  return await readFile(join(findPackageRoot(), 'node_modules', '@electric-sql', 'pglite', 'package.json'), 'utf8')
}

async function preparePostgres(serverUrl: string): Promise<NonNullable<TestDatabases['postgres']>> {
  await dropStale(serverUrl)
  const startedAt = Math.floor(Date.now() / 1000)
  const prefix = `tributary_test_${startedAt}_${randomBytes(4).toString('hex')}_`
  const template = `${prefix}template`
  await withServer(serverUrl, (client) => client.query(`CREATE DATABASE ${template}`))
  const database = await openDatabase({ databaseUrl: databaseUrlOf(serverUrl, template), dataDir: tmpdir(), log })
  await database.close()
  return { serverUrl, template, prefix, poolerUrl: process.env.TEST_POOLER_URL }
}

export function databaseUrlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Drops all databases of this run, including those of failed tests. They share a prefix. */
async function dropAll(serverUrl: string, prefix: string): Promise<void> {
  await withServer(serverUrl, async (client) => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  })
}

/** Drops databases of killed runs. A database older than two hours is no longer in use. */
async function dropStale(serverUrl: string): Promise<void> {
  const before = Date.now() / 1000 - 2 * 60 * 60
  await withServer(serverUrl, async (client) => {
    const { rows } = await client.query(
      String.raw`SELECT datname FROM pg_database WHERE datname ~ '^tributary_test_\d{10}_'`,
    )
    for (const { datname } of rows) {
      if (Number(datname.split('_')[2]) < before) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
    }
  })
}

export async function withServer<T>(serverUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
