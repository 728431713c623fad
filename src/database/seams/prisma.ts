import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { ModelKey } from '../../kernel/db.ts'
import { requireDetails } from '../../kernel/library-details.ts'

const file = 'src/database/seams/prisma.ts'

type RuntimeModel = { dbName: string | null; fields: { name: string; dbName?: string }[] }

/** The names of tables and columns, which are in the client only. Pothos reads them there too. */
export function runtimeModels(prisma: PrismaClient): Readonly<Record<string, RuntimeModel>> {
  const { models } = (prisma as unknown as { _runtimeDataModel?: { models: Record<string, RuntimeModel> } })
    ._runtimeDataModel ?? { models: {} }
  const { dbName, fields } = models.Program ?? {}
  requireDetails('@prisma/client', file, {
    'client._runtimeDataModel.models': dbName === 'programs',
    'client._runtimeDataModel.models[].fields[].dbName': fields?.some(({ dbName }) => dbName === 'created_at') === true,
  })
  return models
}

// biome-ignore lint/suspicious/noExplicitAny: Prisma types the result of each model's methods separately.
type Result = any
type Read = PromiseLike<Result> & Record<string, (args?: unknown) => unknown>
type ReadMethod = (args?: Record<string, unknown>) => Read

/** Replaces a read method of a model by what `replace` makes of Prisma's own. */
export function replaceRead(
  prisma: PrismaClient,
  model: ModelKey,
  method: string,
  relations: Iterable<string>,
  replace: (viaPrisma: ReadMethod) => (args?: Record<string, unknown>) => Promise<unknown>,
): void {
  const delegate = prisma[model as 'program'] as unknown as Record<string, ReadMethod>
  const viaPrisma = (delegate[method] as ReadMethod).bind(delegate)
  const Lazy = lazyReadOf(relations)
  const read = replace(viaPrisma)
  const replaced = (args?: Record<string, unknown>) =>
    new Lazy(
      () => read(args),
      () => viaPrisma(args),
    ) as unknown as Read
  delegate[method] = replaced
  const { [method]: kept } = prisma[model as 'program'] as unknown as Record<string, ReadMethod>
  requireDetails('@prisma/client', file, { 'methods of models that can be replaced': kept === replaced })
}

/** As Prisma's result: it is read when it is awaited, and can be part of `$transaction([…])`. */
class LazyRead implements Promise<Result> {
  readonly [Symbol.toStringTag] = 'PrismaPromise'
  readonly #read: () => Promise<Result>
  readonly viaPrisma: () => Read
  #result: Promise<Result> | undefined

  constructor(read: () => Promise<Result>, viaPrisma: () => Read) {
    this.#read = read
    this.viaPrisma = viaPrisma
  }

  #start(): Promise<Result> {
    this.#result ??= this.#read()
    return this.#result
  }

  // biome-ignore lint/suspicious/noThenProperty: Prisma's results are promises that start when they are awaited.
  then(...args: Parameters<Promise<Result>['then']>): Promise<Result> {
    return this.#start().then(...args)
  }

  catch(...args: Parameters<Promise<Result>['catch']>): Promise<Result> {
    return this.#start().catch(...args)
  }

  finally(...args: Parameters<Promise<Result>['finally']>): Promise<Result> {
    return this.#start().finally(...args)
  }

  requestTransaction(batch: unknown): unknown {
    return this.viaPrisma().requestTransaction?.(batch)
  }
}

/** The class of a model's results. Relations of one row, such as `findUnique(…).campaign()`, are read by Prisma. */
function lazyReadOf(relations: Iterable<string>): typeof LazyRead {
  class ModelRead extends LazyRead {}
  for (const name of relations) {
    const read = function (this: LazyRead, args?: unknown) {
      return this.viaPrisma()[name]?.(args)
    }
    Object.defineProperty(ModelRead.prototype, name, { value: read })
  }
  return ModelRead
}

/** Prisma's adapter for a pool, which ends with it. It depends on other types of pg, which the compiler tells apart. */
export const adapterOf = (pool: pg.Pool, options: ConstructorParameters<typeof PrismaPg>[1] = {}): PrismaPg =>
  new PrismaPg(pool as unknown as ConstructorParameters<typeof PrismaPg>[0], options)

/** Starts a transaction on connections of another pool than the adapter's. */
export function startingOn(
  adapter: SqlDriverAdapter,
  pool: Pick<pg.Pool, 'connect'>,
): SqlDriverAdapter['startTransaction'] {
  requireDetails('@prisma/adapter-pg', file, { 'adapter.client': 'client' in adapter })
  return adapter.startTransaction.bind(Object.create(adapter, { client: { value: pool } }))
}

export function connectionOf(transaction: Transaction): pg.PoolClient {
  const { client } = transaction as Transaction & { client?: pg.PoolClient }
  requireDetails('@prisma/adapter-pg', file, { 'transaction.client': typeof client?.release === 'function' })
  return client as pg.PoolClient
}
