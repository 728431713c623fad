import { Prisma } from '../generated/prisma/client.ts'
import { snakeCase } from '../kernel/text.ts'

const { join, raw, sql } = Prisma

/** What is true of some columns: null, a value, a time until now, or one after it. */
type Facts = Readonly<Record<string, 'null' | 'value' | 'until' | 'after'>>

type Where = Record<string, unknown>

/** A time as a value, or in SQL as an expression. */
type Moment = Date | Prisma.Sql

const never = new Date(0)

type Test = (row: Readonly<Record<string, unknown>>, now: Date) => boolean

function testOf([column, fact]: [string, Facts[string]]): Test {
  const tests: Record<Facts[string], Test> = {
    null: (row) => row[column] == null,
    value: (row) => row[column] != null,
    until: (row, now) => (row[column] as Date) <= now,
    after: (row, now) => (row[column] as Date) > now,
  }
  return tests[fact]
}

function whereOf(facts: Facts, now: Date): Where {
  const conditions = { null: null, value: { not: null }, until: { lte: now }, after: { gt: now } }
  return Object.fromEntries(Object.entries(facts).map(([column, fact]) => [column, conditions[fact]]))
}

function sqlOf(facts: Facts, now: Moment, table: string): Prisma.Sql {
  const time = now instanceof Date ? sql`${now.toISOString()}::timestamptz` : now
  const conditions = { null: sql`is null`, value: sql`is not null`, until: sql`<= ${time}`, after: sql`> ${time}` }
  const parts = Object.entries(facts).map(
    ([column, fact]) => sql`${raw(`${table}${snakeCase(column)}`)} ${conditions[fact]}`,
  )
  return join(parts, ' and ')
}

/** The states of a row by its facts: the value, the Prisma `where` and the SQL of each follow. */
export function statesOf<State extends string>(rules: Readonly<Record<State, readonly Facts[]>>) {
  const states = Object.keys(rules) as State[]
  const alternatives = states.flatMap((state) =>
    rules[state].map((facts) => ({ state, tests: Object.entries(facts).map(testOf) })),
  )
  const toSql = (state: State, now: Moment = never, table = '') =>
    join(
      rules[state].map((facts) => sqlOf(facts, now, table)),
      ' or ',
    )
  return {
    of: (row: object, now = never): State =>
      alternatives.find(({ tests }) => tests.every((isTrue) => isTrue(row as never, now)))?.state as State,
    where: (state: State, now = never): Where => {
      const wheres = rules[state].map((facts) => whereOf(facts, now))
      return wheres.length === 1 ? (wheres[0] as Where) : { OR: wheres }
    },
    sql: (state: State, now?: Moment): Prisma.Sql => sql`(${toSql(state, now)})`,
    /** The state as an expression. */
    case: (now?: Moment, table = 't1.'): Prisma.Sql => {
      const cases = states.map((state) => sql`when ${toSql(state, now, table)} then ${raw(`'${state}'`)}`)
      return sql`case ${join(cases, ' ')} end`
    },
  }
}
