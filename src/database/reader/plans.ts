import { LRUCache } from 'lru-cache'
import type { Statement, TextRow } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import { compileFunction } from './convert-values.ts'
import { type Model, NotCompiled } from './models.ts'
import type { Scope } from './scope.ts'

export type Args = Record<string, unknown>

/** A compiled query: its statement, and how its parameters and rows are read. */
export type Plan = {
  statement: Statement<unknown>
  parameters: (args: Args) => unknown[]
  row: (row: TextRow) => unknown
  /**
   * The same statement with one more column at the end of each row: the value of another query. Its parameters come
   * after those of `parameters`, so the text of the query depends on how many these are. `declare` makes a statement of
   * the text, always the same of one query.
   */
  withColumn: (
    query: (parameters: number) => string,
    declare: (text: string) => Statement<unknown>,
  ) => Statement<unknown>
}

export type Compiler = (model: Model, args: Args) => Plan

/** A plan has few variants: the numbers of a list are counted in few ways. */
const maximumVariants = 20

/** @param object JavaScript that makes the object of a row */
export function plan(scope: Scope, columns: string[], from: string, object: string): Plan {
  const variants = new LRUCache<string, Statement<unknown>>({ max: maximumVariants })
  return {
    statement: statement(`select ${columns.join(', ')} from ${from}`),
    withColumn: (query, declare) => {
      const column = query(scope.parameters.length)
      const variant = variants.get(column) ?? declare(`select ${columns.join(', ')}, (${column}) from ${from}`)
      variants.set(column, variant)
      return variant
    },
    parameters: compileFunction('args', `[${scope.parameters.join(',')}]`) as Plan['parameters'],
    row: compileFunction<TextRow>('row', object),
  }
}

/** More shapes than this service has. Clients can select and filter in any number of ways. */
const maximumPlans = 2_000

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

/** An object of the caller's own, not an instance of a class such as Decimal. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** What a query's SQL depends on: of compared values, only the type. Undefined for what is never compiled. */
function shapeOf(args: Args | undefined): string | undefined {
  return args === undefined ? '' : argsShape(args)
}

function argsShape(args: Args): string | undefined {
  let shape = ''
  for (const name in args) {
    const value = args[name]
    if (value === undefined) continue
    const part =
      name === 'select' || name === 'include'
        ? selectionShape(value)
        : name === 'where'
          ? conditionShape(value)
          : name === 'skip'
            ? skipShape(value)
            : name === 'take' || name === 'orderBy'
              ? JSON.stringify(value)
              : undefined
    if (part === undefined) return undefined
    shape += `${name}(${part})`
  }
  return shape
}

function selectionShape(selection: unknown): string | undefined {
  if (!isPlain(selection)) return undefined
  let shape = ''
  for (const name in selection) {
    const value = selection[name]
    if (value === undefined || value === false) continue
    if (value === true) {
      shape += `${name},`
      continue
    }
    const nested = isPlain(value) ? argsShape(value) : undefined
    if (nested === undefined) return undefined
    shape += `${name}{${nested}}`
  }
  return shape
}

const skipShape = (skip: unknown) => (skip === 0 ? '0' : typeof skip === 'number' ? 'n' : undefined)

function conditionShape(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return 's'
    case 'number':
      return 'n'
    case 'bigint':
      return 'b'
    case 'boolean':
      return value ? 'T' : 'F'
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return '0'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : 'd'
  if (Array.isArray(value)) return listShape(value)
  if (!isPlain(value)) return undefined
  let shape = '{'
  for (const name in value) {
    const operand = value[name]
    if (operand === undefined) continue
    const part = name === 'mode' ? String(operand) : conditionShape(operand)
    if (part === undefined) return undefined
    shape += `${name}:${part},`
  }
  return `${shape}}`
}

function listShape(list: unknown[]): string | undefined {
  const first = list[0]
  const isList = typeof first === 'object' && !(first instanceof Date)
  if (list.length > 0 && !isList) {
    // A list of values is one parameter, whatever its length.
    const shape = conditionShape(first)
    return list.every((value) => conditionShape(value) === shape) ? `*${shape}` : undefined
  }
  let shape = '['
  for (const value of list) {
    const part = conditionShape(value)
    if (part === undefined) return undefined
    shape += `${part},`
  }
  return `${shape}]`
}
