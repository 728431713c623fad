import { Prisma } from '../generated/prisma/client.ts'
import { snakeCase } from '../kernel/snake-case.ts'

const { join, raw, sql } = Prisma

/** What can be true of a column: null, a value, a time until now, or one after it. */
const opposites = { null: 'value', value: 'null', until: 'after', after: 'until' } as const
type Kind = keyof typeof opposites
type Fact = readonly [column: string, kind: Kind]

function holds(row: object, [column, kind]: Fact, now: Date): boolean {
  const value: unknown = row[column as keyof typeof row]
  if (kind === 'null' || kind === 'value') return (value === null) === (kind === 'null')
  return (value as Date) <= now === (kind === 'until')
}

const whereOf = ([column, kind]: Fact, now: Date) => ({
  [column]: { null: null, value: { not: null }, until: { lte: now }, after: { gt: now } }[kind],
})

/** A time as a value, or in SQL as an expression. */
type Moment = Date | Prisma.Sql

function sqlOf([column, kind]: Fact, now: Moment, table: string): Prisma.Sql {
  const name = raw(`${table}${snakeCase(column)}`)
  if (kind === 'null' || kind === 'value') return sql`${name} ${raw(kind === 'null' ? 'is null' : 'is not null')}`
  const time = now instanceof Date ? sql`${now.toISOString()}::timestamptz` : now
  return sql`${name} ${raw(kind === 'until' ? '<=' : '>')} ${time}`
}

const never = new Date(0)

/**
 * The states of a row: it is in the first one whose facts are true of it, and the last state has no facts. The value,
 * the Prisma `where` and the SQL follow. `now` matters only if a fact is about a time.
 */
export function statesOf<State extends string>(rules: Readonly<Record<State, Readonly<Record<string, Kind>>>>) {
  const states = Object.keys(rules) as State[]
  const factsOf = (state: State) => Object.entries(rules[state]) as Fact[]
  const entries = states.map((state) => ({ state, facts: factsOf(state) }))

  /** A row of the state has all facts of `every`, and one of `some` unless there is none. */
  const conditionsOf = (state: State): { every: Fact[]; some: Fact[] } => {
    const denied = entries
      .slice(0, states.indexOf(state))
      .map(({ facts }) => facts.map(([column, kind]): Fact => [column, opposites[kind]]))
    return {
      every: [...denied.filter(({ length }) => length === 1).flat(), ...factsOf(state)],
      some: denied.filter(({ length }) => length > 1).flat(),
    }
  }

  return {
    of: (row: object, now = never): State =>
      entries.find(({ facts }) => facts.every((fact) => holds(row, fact, now)))?.state as State,
    where: (state: State, now = never): object => {
      const { every, some } = conditionsOf(state)
      const alternatives = some.map((fact) => whereOf(fact, now))
      return Object.assign({}, ...every.map((fact) => whereOf(fact, now)), some.length > 0 && { OR: alternatives })
    },
    sql: (state: State, now: Moment = never): Prisma.Sql => {
      const { every, some } = conditionsOf(state)
      const [all, any] = [every, some].map((facts) => facts.map((fact) => sqlOf(fact, now, '')))
      return join([...(all ?? []), ...(any?.length ? [sql`(${join(any, ' or ')})`] : [])], ' and ')
    },
    /** The state as an expression. */
    case: (now: Moment = never, table = 't1.'): Prisma.Sql => {
      const cases = entries.slice(0, -1).map(({ state, facts }) => {
        const condition = facts.map((fact) => sqlOf(fact, now, table))
        return sql`when ${join(condition, ' and ')} then ${raw(`'${state}'`)}`
      })
      return sql`case ${join(cases, ' ')} else ${raw(`'${states.at(-1)}'`)} end`
    },
  }
}
