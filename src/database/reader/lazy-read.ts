import type { Model } from './models.ts'

// biome-ignore lint/suspicious/noExplicitAny: Prisma types the result of each model's methods separately.
type Result = any
export type PrismaRead = PromiseLike<Result> & Record<string, (args?: unknown) => unknown>

/** As Prisma's result: it is read when it is awaited, and can be part of `$transaction([…])`. */
class LazyRead implements Promise<Result> {
  readonly [Symbol.toStringTag] = 'PrismaPromise'
  readonly #read: () => Promise<Result>
  readonly viaPrisma: () => PrismaRead
  #result: Promise<Result> | undefined

  constructor(read: () => Promise<Result>, viaPrisma: () => PrismaRead) {
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
export function lazyReadOf({ relations }: Model): typeof LazyRead {
  class ModelRead extends LazyRead {}
  for (const name of relations.keys()) {
    const read = function (this: LazyRead, args?: unknown) {
      return this.viaPrisma()[name]?.(args)
    }
    Object.defineProperty(ModelRead.prototype, name, { value: read })
  }
  return ModelRead
}
