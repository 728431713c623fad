import { LRUCache } from 'lru-cache'
import type { Compiler, Plan } from './compile.ts'
import { type Model, NotCompiled } from './models.ts'
import { type Args, shapeOf } from './shape.ts'

/** More shapes than this service has. Clients can select and filter in any number of ways. */
const maximumPlans = 2_000

/** The compiled queries of a database. */
export class Plans {
  readonly #plans = new LRUCache<string, Plan | 'not compiled'>({ max: maximumPlans })

  /** The plan of a shape of arguments, compiled when it is first needed. Undefined if it is not compiled. */
  find(model: Model, method: string, compile: Compiler, args: Args): { key: string; plan: Plan | undefined } {
    const shape = shapeOf(args)
    if (shape === undefined) return { key: '', plan: undefined }
    const key = `${model.name}.${method}:${shape}`
    const known = this.#plans.get(key)
    if (known) return { key, plan: known === 'not compiled' ? undefined : known }
    const plan = compileIfPossible(() => compile(model, args))
    this.#plans.set(key, plan ?? 'not compiled')
    return { key, plan }
  }

  /** From now on, Prisma runs the query. */
  forget(key: string): void {
    this.#plans.set(key, 'not compiled')
  }
}

function compileIfPossible(compile: () => Plan): Plan | undefined {
  try {
    return compile()
  } catch (error) {
    if (error instanceof NotCompiled) return undefined
    throw error
  }
}

/** What is wrong with a value, such as a malformed id, or with the statement. Prisma then runs the query. */
export function problemOf(error: unknown): 'value' | 'statement' | undefined {
  if (error instanceof NotCompiled) return 'value'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  if (code.startsWith('22')) return 'value'
  // A prepared statement that the server no longer has, or a column whose type was changed.
  if (code.startsWith('26') || code === '0A000') return 'value'
  return code.startsWith('42') ? 'statement' : undefined
}
