import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import { enterProgram, leaveProgram } from './row-security.ts'
import { registerSql, type SqlDatabase, sqlOf } from './sql.ts'

type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>
type Options = NonNullable<Parameters<PrismaClient['$transaction']>[1]>
type Call = (...args: unknown[]) => Promise<unknown>

/** Names of the client's models: "affiliateLink". */
const models: ReadonlySet<string | symbol> = new Set(
  Object.keys(Prisma.ModelName).map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
)
const writes = /^(create|update|upsert|delete)/

const clients = new WeakMap<PrismaClient, Map<string, PrismaClient>>()

/**
 * The client for the data of one program. With row-level security, its transactions run as the role that sees only this
 * program. Reads outside of transactions do not: see bench/notes/sales-and-events.md.
 * @param programId a UUID
 */
export function clientOfProgram(db: PrismaClient, programId: string): PrismaClient {
  const sql = sqlOf(db)
  if (sql.programRole === null) return db
  const known = clients.get(db) ?? new Map<string, PrismaClient>()
  clients.set(db, known)
  const client = known.get(programId) ?? createClient(db, sql, sql.programRole, programId)
  known.set(programId, client)
  return client
}

function createClient(db: PrismaClient, sql: SqlDatabase, role: string, programId: string): PrismaClient {
  const transaction = <T>(run: Run<T>, options: Options = {}): Promise<T> =>
    db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(enterText(role, programId))
      const result = await run(tx)
      // What follows in the same transaction can be of another program.
      if (sql.isWithin) await tx.$executeRawUnsafe(leaveProgram)
      return result
    }, options)
  const own: Record<string | symbol, unknown> = {
    $transaction: transaction,
    $executeRaw: (...args: unknown[]) => transaction((tx) => (tx.$executeRaw as Call)(...args)),
    $executeRawUnsafe: (...args: unknown[]) => transaction((tx) => (tx.$executeRawUnsafe as Call)(...args)),
  }
  const guarded = (model: string | symbol) =>
    new Proxy(Reflect.get(db, model) as Record<string | symbol, unknown>, {
      get(target, method) {
        const value = Reflect.get(target, method)
        if (typeof method !== 'string' || !writes.test(method)) return value
        return (...args: unknown[]) =>
          transaction((tx) => (Reflect.get(tx, model) as Record<string, Call>)[method]?.(...args) as Promise<unknown>)
      },
    })
  const client = new Proxy(db, {
    get(target, name) {
      if (models.has(name)) own[name] ??= guarded(name)
      return own[name] ?? Reflect.get(target, name)
    },
  })
  registerSql(client, { ...sql, transaction: (run, end) => sql.transaction(run, end, programId) }, db)
  return client
}

/** Without parameters, so that it can be sent together with BEGIN. */
const enterText = (role: string, programId: string): string =>
  enterProgram.replace('$1', () => literal(role)).replace('$2', () => literal(programId))

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
