import { LRUCache } from 'lru-cache'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Db, ModelKey, Reads, SqlDatabase, Statement, TextRow } from '../../kernel/db.ts'
import { noteSlow } from '../../kernel/slow-paths.ts'
import { plannedOnce, statement } from '../client/sql.ts'
import { compileFirst, compileMany } from './compile.ts'
import type { Model } from './models.ts'
import { type Args, type Plan, type Plans, problemOf } from './plans.ts'

/** How many rows are kept of those that are read again and again. */
const maximumRows = 1_000

export function createReads(prisma: PrismaClient, sql: SqlDatabase, plans: Plans, models: Map<string, Model>): Reads {
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
