import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { type Database, openDatabase } from '../src/database/open.ts'
import type { AppDb } from '../src/kernel/db.ts'

export const log = pino({ level: 'silent' })

export const operatorCtx = (db: AppDb) => ({
  db,
  now: () => new Date(),
  log,
  requestId: 'bench',
  actor: { kind: 'operator' } as const,
})

export type BenchDatabase = Database & { databaseUrl?: string; drop(): Promise<void> }

/** An empty database: on the server that BENCH_DATABASE_URL or TEST_DATABASE_URL names, else embedded in a temporary folder. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  if (process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL) return await createPostgresBenchDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  const database = await openDatabase({ dataDir, log })
  return { ...database, drop: () => database.close().then(() => rm(dataDir, { recursive: true, force: true })) }
}

/** For benchmarks that measure PostgreSQL only. */
export async function createPostgresBenchDatabase(): Promise<BenchDatabase & { databaseUrl: string }> {
  const serverUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  if (!serverUrl)
    throw new Error(
      'Set BENCH_DATABASE_URL or TEST_DATABASE_URL to a PostgreSQL server. A database is created there and dropped.',
    )
  const name = `tributary_bench_${randomBytes(4).toString('hex')}`
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const dropDatabase = () =>
    withClient(serverUrl, async (client) => void (await client.query(`drop database if exists ${name} with (force)`)))
  await withClient(serverUrl, (client) => client.query(`create database ${name}`))
  try {
    const database = await openDatabase({ dataDir: tmpdir(), databaseUrl, log })
    return { ...database, databaseUrl, drop: () => database.close().finally(dropDatabase) }
  } catch (error) {
    await dropDatabase()
    throw error
  }
}

export async function withClient<T>(connectionString: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, options: '-c TimeZone=UTC' })
  await client.connect()
  return await run(client).finally(() => client.end())
}
