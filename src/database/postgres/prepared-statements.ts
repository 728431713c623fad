import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { statement } from '../client/sql.ts'

/** The most statements that are kept prepared on one connection. PostgreSQL holds the plan of each in memory. */
const maximumStatements = 256

/** Statements of Prisma that were seen. From the second time on, they have a name. */
const seen = new LRUCache<string, { name?: string }>({ max: 2_000 })

/**
 * What Prisma writes itself, and raw statements that ask for it by a comment. Other raw statements can select `*`, which
 * fails when a column is added to a prepared one.
 */
const isGenerated = /^\s*(?:\/\* prepared \*\/|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) (?:"|[A-Z]+\())/

/** The name under which Prisma's adapter prepares a statement; empty if it is not prepared. */
export function preparedName({ sql, args }: { sql: string; args: readonly unknown[] }): string {
  if (args.length === 0 || !isGenerated.test(sql)) return ''
  const known = seen.get(sql)
  if (!known) seen.set(sql, {})
  else known.name ??= statement(sql).name
  return known?.name ?? ''
}

type Query = { text?: unknown; name?: string; values?: unknown[] }
/** Several statements that are sent together: see read-batch.ts. */
type Batch = { names: readonly string[]; isUnnamed: boolean }

/** The connection below a client. The types of pg do not declare it. */
type WireConnection = {
  parsedStatements: Record<string, string | undefined>
  close(message: { type: 'S'; name: string }): void
}

/**
 * Closes the least recently used statements of the connection when it has too many. The close is a message of the protocol,
 * which PgBouncer knows.
 */
export function keepPrepared(client: pg.PoolClient): void {
  const { connection } = client as pg.PoolClient & { connection: WireConnection }
  const prepared = new LRUCache<string, true>({
    max: maximumStatements,
    dispose: (_, name, reason) => {
      if (reason !== 'evict' || connection.parsedStatements[name] === undefined) return
      delete connection.parsedStatements[name]
      connection.close({ type: 'S', name })
    },
  })
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((given: Query | Batch, ...more: unknown[]) => {
    if (typeof given === 'object' && 'names' in given) {
      for (const name of given.names) prepared.set(name, true)
      return query(given, ...more)
    }
    if (typeof given === 'object' && given.name) prepared.set(given.name, true)
    return query(given, ...more)
  }) as typeof client.query
}

/** Sends statements without names, for poolers that give each transaction another session and do not keep the names. */
export function sendUnnamed(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((given: Query | Batch, ...more: unknown[]) => {
    if (typeof given !== 'object') return query(given, ...more)
    if ('names' in given) {
      given.isUnnamed = true
      return query(given, ...more)
    }
    const { name: _, ...unnamed } = given
    return query(unnamed, ...more)
  }) as typeof client.query
}
