import { PrismaPg } from '@prisma/adapter-pg'
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'

const charType = 18
/** The adapter reads every type with an id from here on as text. */
const firstOwnType = 16_384

/** Prisma's adapter does not support PostgreSQL's internal "char" type, which the migration engine reads in the catalog. */
export function createShadowFactory(url: string): SqlMigrationAwareDriverAdapterFactory {
  const connect = async (): Promise<SqlDriverAdapter> => {
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    let charColumns: boolean[] = []
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>
    pool.query = (async (...args: unknown[]) => {
      const result = await query(...args)
      if (Array.isArray(result)) return result
      charColumns = result.fields.map((field) => field.dataTypeID === charType)
      for (const field of result.fields) if (field.dataTypeID === charType) field.dataTypeID = firstOwnType
      return result
    }) as typeof pool.query
    const adapter = await new PrismaPg(pool as unknown as ConstructorParameters<typeof PrismaPg>[0]).connect()
    return {
      provider: 'postgres',
      adapterName: adapter.adapterName,
      executeRaw: adapter.executeRaw.bind(adapter),
      // The adapter splits a script at each semicolon, also in texts and bodies of functions.
      executeScript: async (script) => void (await query(script)),
      startTransaction: adapter.startTransaction.bind(adapter),
      getConnectionInfo: adapter.getConnectionInfo.bind(adapter),
      dispose: () => pool.end(),
      queryRaw: async (sql: Parameters<typeof adapter.queryRaw>[0]) => {
        const result = await adapter.queryRaw(sql)
        const isChar = charColumns
        const columnTypes = result.columnTypes.map((type, n) => (isChar[n] ? ColumnTypeEnum.Character : type))
        return { ...result, columnTypes }
      },
    }
  }
  return { provider: 'postgres', adapterName: 'shadow', connect, connectToShadowDb: connect }
}
