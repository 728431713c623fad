import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { statement } from './sql.ts'

/** The most statements that are kept prepared on one connection. PostgreSQL holds the plan of each in memory. */
const maximumStatements = 256

/** Statements of Prisma that were seen. From the second time on, they have a name. */
const seen = new LRUCache<string, { name?: string }>({ max: 2_000 })

/** Prisma's own statements, and raw ones that ask for it. `select *` fails prepared after a column was added. */
const isGenerated = /^\s*(?:\/\* prepared \*\/|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM) (?:"|[A-Z]+\())/

type Query = { text?: unknown; name?: string; values?: unknown[] }
/** Several statements that are sent together: see read-batch.ts. */
type Batch = { names: readonly string[]; isUnnamed: boolean }

/** The connection below a client. The types of pg do not declare it. */
type WireConnection = {
  parsedStatements: Record<string, string | undefined>
  close(message: { type: 'S'; name: string }): void
}

/** Names the statements that Prisma repeats, and closes the least recently used ones, as PgBouncer supports it. */
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
    const named = typeof given === 'object' ? withName(given) : given
    if (named.name !== undefined) prepared.set(named.name, true)
    return query(named, ...more)
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

function withName(query: Query): Query {
  const { text, name, values } = query
  if (name !== undefined || typeof text !== 'string' || !values?.length || !isGenerated.test(text)) return query
  const known = seen.get(text)
  if (!known) seen.set(text, {})
  else known.name ??= statement(text).name
  return known ? { ...query, name: known.name } : query
}
