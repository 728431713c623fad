import { LRUCache } from 'lru-cache'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Db, ModelKey, Reads, SqlDatabase, Statement, TextRow } from '../../kernel/db.ts'
import { noteSlow } from '../../kernel/slow-paths.ts'
import { plannedOnce, statement } from '../client/sql.ts'
import { replaceRead } from '../seams/prisma.ts'
import { compileCount, compileFirst, compileMany, compileUnique } from './compile.ts'
import { type Model, readModels } from './models.ts'
import { type Args, type Compiler, type Plan, Plans, problemOf } from './plans.ts'

type ViaPrisma = (args?: Args) => PromiseLike<unknown>

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

/**
 * Replaces the read methods of Prisma's models by compiled ones: each shape of arguments becomes one prepared statement
 * and a function that reads its rows, with Prisma's results. Prisma runs all other reads, and all reads in its own
 * transactions.
 * @returns the reads that Prisma's models lack
 */
export function installReader(prisma: PrismaClient, sql: SqlDatabase): Reads {
  const models = readModels(prisma)
  const plans = new Plans()
  for (const model of models.values())
    for (const [name, method] of Object.entries(methods))
      replaceRead(prisma, model.key, name, model.relations.keys(), (viaPrisma) =>
        createRead(sql, plans, model, name, method, viaPrisma),
      )
  return createReads(prisma, sql, plans, models)
}

function createRead(
  sql: SqlDatabase,
  plans: Plans,
  model: Model,
  name: string,
  { compile, result, isByKey }: Method,
  viaPrisma: ViaPrisma,
): (args?: Args) => Promise<unknown> {
  const textsOf = ({ statement }: Plan, parameters: unknown[]) =>
    isByKey ? sql.sharedTextRows(statement, parameters) : sql.textRows(statement, parameters)
  const readByPlan = async (plan: Plan, args: Args, key: string): Promise<unknown> => {
    try {
      const found = result((await textsOf(plan, plan.parameters(args))).map(plan.row))
      return found === undefined ? await viaPrisma(args) : found
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) throw error
      if (problem === 'statement') plans.forget(key)
      return await viaPrisma(args)
    }
  }
  const inTick = isByKey ? createTick(viaPrisma) : undefined
  return async (args = {}) => {
    const { plan, key } = plans.find(model, name, compile, args)
    if (!plan) {
      noteSlow('read by Prisma')
      return await viaPrisma(args)
    }
    const alone = () => readByPlan(plan, args, key)
    return await (inTick ? inTick(key, args, alone) : alone())
  }
}

/** Prisma reads equal look-ups of one tick in one statement. Those are left to it; a single one is not. */
function createTick(viaPrisma: ViaPrisma) {
  type Call = { args: Args; alone: () => Promise<unknown>; settle: (result: PromiseLike<unknown>) => void }
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

/** How many rows are kept of those that are read again and again. */
const maximumRows = 1_000

function createReads(prisma: PrismaClient, sql: SqlDatabase, plans: Plans, models: Map<string, Model>): Reads {
  const byKey = new Map([...models.values()].map((model) => [model.key, model]))
  const compiled = (model: ModelKey, query: Args) =>
    plans.find(byKey.get(model) as Model, 'findMany', compileMany, query).plan
  const slow = readsWithin(prisma)
  const rows = new LRUCache<string, { row: TextRow; value: object }>({ max: maximumRows })
  return {
    async counted<Row>(model: ModelKey, query: object, count: Prisma.Sql) {
      const plan = compiled(model, query as Args)
      try {
        if (plan) {
          const found = await sql.textRows(...withColumn(plan, query as Args, count, plannedOnce))
          return { rows: found.map(plan.row) as Row[], count: Number(found[0]?.at(-1) ?? 0) }
        }
      } catch (error) {
        if (!problemOf(error)) throw error
      }
      noteSlow('read by Prisma')
      return await slow.counted<Row>(model, query, count)
    },
    async asText(model, given, column) {
      const { include: _, ...query } = { ...given, select: { id: true } } as Args
      const plan = compiled(model, query)
      if (!plan) return undefined
      try {
        // It costs this process little for any number of rows.
        return joined(await sql.textRows(...withColumn(plan, query, column, inParts)))
      } catch (error) {
        if (problemOf(error) === 'value') return undefined
        throw error
      }
    },
    async again<Row extends object>(name: ModelKey, query: object) {
      const { plan, key } = plans.find(byKey.get(name) as Model, 'findFirst', compileFirst, query as Args)
      if (!plan) return await slow.again<Row>(name, query)
      const parameters = plan.parameters(query as Args)
      const [row] = await sql.sharedTextRows(plan.statement, parameters)
      if (!row) return null
      const place = `${key} ${parameters.join()}`
      const before = rows.get(place)
      if (before?.row.every((cell, index) => cell === row[index])) return before.value as Row
      const value = plan.row(row) as Row
      rows.set(place, { row, value })
      return value
    },
    async row({ text, values }) {
      const [row = []] = await sql.sharedTextRows(keptStatement(text), values)
      return row
    },
  }
}

/** The same reads by Prisma, in a transaction of it or for what is not compiled. */
export const readsWithin = (db: Db): Reads => {
  const tableOf = (model: ModelKey) => db[model as 'program'] as unknown as Record<string, (query: object) => never>
  return {
    async counted<Row>(model: ModelKey, query: object, count: Prisma.Sql) {
      const [found] = await this.row(count)
      return { rows: (await tableOf(model).findMany?.(query)) as unknown as Row[], count: Number(found) }
    },
    asText: async () => undefined,
    again: async (model, query) => (await tableOf(model).findFirst?.(query)) ?? null,
    row: async (query) => Object.values((await db.$queryRaw<[object]>(query))[0]),
  }
}

const joined = (rows: TextRow[]) => {
  const parts = rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))
  return {
    text: parts.map((part) => part[1]).join(''),
    count: parts.reduce((sum, part) => sum + Number(part[2]), 0),
    lastId: parts.at(-1)?.[3] ?? null,
  }
}

const inParts = (rows: string) =>
  statement(`select part, string_agg(text, ''), count(*), (array_agg(id))[count(*)]
    from (select *, row_number() over () / 100 as part from (${rows}) written(id, text)) parts group by part`)

/** The statement of rows with the value of a query as one more column, and its parameters. */
function withColumn(
  plan: Plan,
  query: Args,
  { strings, values }: Prisma.Sql,
  declare: (text: string) => Statement<unknown>,
): [Statement<unknown>, unknown[]] {
  const column = (parameters: number) => strings.reduce((text, next, index) => `${text}$${parameters + index}${next}`)
  return [plan.withColumn(column, declare), [...plan.parameters(query), ...values]]
}

const keptStatements = new LRUCache<string, Statement<unknown>>({ max: 500 })

function keptStatement(text: string): Statement<unknown> {
  const known = keptStatements.get(text) ?? plannedOnce(text)
  keptStatements.set(text, known)
  return known
}
