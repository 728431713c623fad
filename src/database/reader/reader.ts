import { LRUCache } from 'lru-cache'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { plannedOnce, type Statement, sqlOf, type TextRow } from '../client/sql.ts'
import { type Compiler, compileCount, compileFirst, compileMany, compileUnique, type Plan } from './compile.ts'
import { type Counted, countedBy, type Written, writtenBy } from './counted.ts'
import { lazyReadOf, type PrismaRead } from './lazy-read.ts'
import { type Model, NotCompiled, readModels } from './models.ts'
import { type Args, shapeOf } from './shape.ts'

type Method = {
  compile: Compiler
  /** The method's result. Undefined stands for a row that does not exist, which is Prisma's to report. */
  result: (rows: unknown[]) => unknown
  /** Whether a unique key finds the row. Prisma reads all such calls of one tick in one statement. */
  isByKey?: boolean
}

const firstOrNull = (rows: unknown[]) => rows[0] ?? null
const firstRow = (rows: unknown[]) => rows[0]
const methods: Record<string, Method> = {
  findMany: { compile: compileMany, result: (rows) => rows },
  findFirst: { compile: compileFirst, result: firstOrNull },
  findFirstOrThrow: { compile: compileFirst, result: firstRow },
  findUnique: { compile: compileUnique, result: firstOrNull, isByKey: true },
  findUniqueOrThrow: { compile: compileUnique, result: firstRow, isByKey: true },
  count: { compile: compileCount, result: firstRow },
}

/** More shapes than this service has. Clients can select and filter in any number of ways. */
const maximumPlans = 2_000

/**
 * Replaces the read methods of Prisma's models by compiled ones: each shape of arguments becomes one prepared statement
 * and a function that reads its rows, with Prisma's results. Prisma runs all other reads, and all reads in its own
 * transactions.
 */
export function installReader(db: PrismaClient): void {
  const plans = new LRUCache<string, Plan | 'not compiled'>({ max: maximumPlans })
  for (const model of readModels(db).values()) {
    const delegate = db[model.delegate as 'program'] as unknown as Record<string, (args?: Args) => PrismaRead>
    const Read = lazyReadOf(model)
    for (const [name, method] of Object.entries(methods)) {
      const viaPrisma = (delegate[name] as (args?: Args) => PrismaRead).bind(delegate)
      const read = createRead(db, plans, model, name, method, viaPrisma)
      delegate[name] = (args) =>
        new Read(
          () => read(args),
          () => viaPrisma(args),
        ) as unknown as PrismaRead
    }
    Object.assign(delegate, {
      findManyCounted: createCountedRead(db, plans, model),
      findManyAsText: createTextRead(db, plans, model),
      findFirstAgain: createReadAgain(db, plans, model),
      rowAs: (query: Prisma.Sql) => rowAs(db, query),
    })
  }
}

type Plans = LRUCache<string, Plan | 'not compiled'>

function createRead(
  db: PrismaClient,
  plans: Plans,
  model: Model,
  name: string,
  { compile, result, isByKey }: Method,
  viaPrisma: (args?: Args) => PrismaRead,
): (args?: Args) => Promise<unknown> {
  const prefix = `${model.name}.${name}:`
  const textsOf = ({ statement }: Plan, parameters: unknown[]) =>
    isByKey ? sqlOf(db).sharedTextRows(statement, parameters) : sqlOf(db).textRows(statement, parameters)
  const readByPlan = async (plan: Plan, args: Args, key: string): Promise<unknown> => {
    let parameters: unknown[]
    try {
      parameters = plan.parameters(args)
    } catch {
      return await viaPrisma(args)
    }
    try {
      const found = result((await textsOf(plan, parameters)).map(plan.row))
      return found === undefined ? await viaPrisma(args) : found
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      if (problem === 'statement') plans.set(key, 'not compiled')
      return await viaPrisma(args)
    }
  }
  const inTick = isByKey ? createTick(viaPrisma) : undefined
  return async (args = {}) => {
    const shape = shapeOf(args)
    if (shape === undefined) return await viaPrisma(args)
    const key = prefix + shape
    const plan = planOf(plans, key, () => compile(model, args))
    if (plan === 'not compiled') return await viaPrisma(args)
    const alone = () => readByPlan(plan, args, key)
    return await (inTick ? inTick(key, args, alone) : alone())
  }
}

/** An additional method: `findMany`, with the result of `count`, a query of one value, in the same statement. */
function createCountedRead(db: PrismaClient, plans: Plans, model: Model) {
  const { findMany } = db[model.delegate as 'program'] as unknown as { findMany(args: Args): Promise<unknown[]> }
  const apart = async (args: Args, count: Prisma.Sql): Promise<Counted> => {
    const [found] = await db.$queryRaw<[Record<string, number>]>(count)
    const rows = await findMany(args)
    return { rows, count: Object.values(found)[0] ?? null }
  }
  return async (args: Args, count: Prisma.Sql): Promise<Counted> => {
    const shape = shapeOf(args)
    if (shape === undefined) return await apart(args, count)
    const plan = planOf(plans, `${model.name}.findMany:${shape}`, () => compileMany(model, args))
    if (plan === 'not compiled') return await apart(args, count)
    let counted: ReturnType<typeof countedBy>
    try {
      counted = countedBy(plan, args, count)
    } catch {
      return await apart(args, count)
    }
    try {
      return counted.read(await sqlOf(db).textRows(counted.statement, counted.parameters))
    } catch (error) {
      if (!problemOf(error)) throw error
      return await apart(args, count)
    }
  }
}

/**
 * An additional method: aggregates the rows of `findMany` by `column` to one text. In the query, the table's alias is
 * `t1`. Undefined if the arguments cannot be compiled.
 */
function createTextRead(db: PrismaClient, plans: Plans, model: Model) {
  return async (args: Args, column: Prisma.Sql): Promise<Written | undefined> => {
    const { include: _, ...query } = { ...args, select: { id: true } } as Args
    const shape = shapeOf(query)
    if (shape === undefined) return undefined
    const plan = planOf(plans, `${model.name}.findMany:${shape}`, () => compileMany(model, query))
    if (plan === 'not compiled') return undefined
    try {
      const { statement, parameters, read } = writtenBy(plan, query, column)
      return read(await sqlOf(db).textRows(statement, parameters))
    } catch (error) {
      if (problemOf(error) === 'value') return undefined
      throw error
    }
  }
}

/** An additional method: the columns of the one row of a short query of kept counts, as text. */
async function rowAs(db: PrismaClient, { text, values }: Prisma.Sql): Promise<TextRow> {
  const [row = []] = await sqlOf(db).sharedTextRows(keptStatement(text), values)
  return row
}

/** Kept numbers are read in few ways. */
const keptStatements = new LRUCache<string, Statement<unknown>>({ max: 500 })

function keptStatement(text: string): Statement<unknown> {
  const known = keptStatements.get(text) ?? plannedOnce(text)
  keptStatements.set(text, known)
  return known
}

/** How many rows are kept of those that are read again and again. */
const maximumRows = 1_000

/** An additional method: `findFirst` by a unique key. An unchanged row is the same object, converted once. */
function createReadAgain(db: PrismaClient, plans: Plans, model: Model) {
  const { findFirst } = db[model.delegate as 'program'] as unknown as { findFirst(args: Args): Promise<unknown> }
  const rows = new LRUCache<string, { row: TextRow; value: object }>({ max: maximumRows })
  return async (args: Args): Promise<unknown> => {
    const key = `${model.name}.findFirst:${shapeOf(args)}`
    const plan = planOf(plans, key, () => compileFirst(model, args))
    if (plan === 'not compiled') return await findFirst(args)
    const parameters = plan.parameters(args)
    const [row] = await sqlOf(db).sharedTextRows(plan.statement, parameters)
    if (!row) return null
    const place = `${key} ${parameters.join()}`
    const before = rows.get(place)
    if (before?.row.every((cell, index) => cell === row[index])) return before.value
    const value = plan.row(row) as object
    rows.set(place, { row, value })
    return value
  }
}

/** The plan of a shape of arguments, which is compiled when it is first needed. */
function planOf(plans: Plans, key: string, compile: () => Plan): Plan | 'not compiled' {
  const known = plans.get(key)
  if (known) return known
  const plan = compileIfPossible(compile)
  plans.set(key, plan)
  return plan
}

function compileIfPossible(compile: () => Plan): Plan | 'not compiled' {
  try {
    return compile()
  } catch (error) {
    if (error instanceof NotCompiled) return 'not compiled'
    throw error
  }
}

/** Prisma reads equal look-ups of one tick in one statement. Those are left to it; a single one is not. */
function createTick(viaPrisma: (args: Args) => PrismaRead) {
  type Call = { args: Args; alone: () => Promise<unknown>; settle: (result: Promise<unknown> | PrismaRead) => void }
  let waiting: Map<string, Call[]> | undefined
  const flush = () => {
    const calls = waiting as Map<string, Call[]>
    waiting = undefined
    for (const group of calls.values()) {
      for (const { args, alone, settle } of group) settle(group.length === 1 ? alone() : viaPrisma(args))
    }
  }
  return (key: string, args: Args, alone: () => Promise<unknown>) =>
    new Promise<unknown>((settle) => {
      if (!waiting) {
        waiting = new Map()
        process.nextTick(flush)
      }
      const group = waiting.get(key)
      if (group) group.push({ args, alone, settle })
      else waiting.set(key, [{ args, alone, settle }])
    })
}

/** PostgreSQL's problem with a value, such as a malformed id, or the statement. Prisma then runs the query. */
function problemOf(error: unknown): 'value' | 'statement' | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined
  if (code.startsWith('22')) return 'value'
  // A prepared statement that the server no longer has, or a column whose type was changed.
  if (code.startsWith('26') || code === '0A000') return 'value'
  return code.startsWith('42') ? 'statement' : undefined
}
