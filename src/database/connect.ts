import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaClient } from '../generated/prisma/client.ts'
import type { AppDb, SqlDatabase } from '../kernel/db.ts'
import { usesMechanism } from '../kernel/engine.ts'
import { createAppDb } from './app-db.ts'
import { adapterWithSpans, type Spans, sqlWithSpans } from './client/spans.ts'
import { limits } from './client/timeouts.ts'
import { installReader, readsWithin } from './reader/reader.ts'

/** A database of this process. @param base the database that it is a replica of */
export function connectDb(
  adapter: SqlDriverAdapterFactory,
  sql: SqlDatabase,
  { spans, base }: { spans?: Spans | undefined; base?: AppDb } = {},
): AppDb {
  const prisma = new PrismaClient({
    adapter: spans ? adapterWithSpans(adapter, spans) : adapter,
    transactionOptions: { maxWait: limits.transactionStartMs, timeout: limits.transactionMs },
  })
  const ownSql = spans ? sqlWithSpans(sql, spans) : sql
  const reads = usesMechanism('reader') ? installReader(prisma, ownSql) : readsWithin(prisma)
  return createAppDb(prisma, ownSql, reads, base)
}
