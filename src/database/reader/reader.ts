import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Reads, SqlDatabase } from '../../kernel/db.ts'
import { noteSlow } from '../../kernel/slow-paths.ts'
import { replaceRead } from '../seams/prisma.ts'
import { compileCount, compileFirst, compileMany, compileUnique } from './compile.ts'
import { type Model, readModels } from './models.ts'
import { type Args, type Compiler, type Plan, Plans, problemOf } from './plans.ts'
import { createReads } from './reads.ts'

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
