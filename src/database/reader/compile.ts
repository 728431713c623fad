import { LRUCache } from 'lru-cache'
import type { Statement, TextRow } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import { condition, uniqueCondition } from './condition.ts'
import type { Model } from './models.ts'
import { type Args, Scope, tableOf, within } from './scope.ts'
import { objectOf, requireKnown, rows } from './selection.ts'
import { compileFunction } from './values.ts'

/** A compiled query: its statement, and how its parameters and rows are read. */
export type Plan = {
  statement: Statement<unknown>
  parameters: (args: Args) => unknown[]
  row: (row: TextRow) => unknown
  /**
   * The same statement with one more column at the end of each row: the value of another query. Its parameters come after
   * those of `parameters`, so the text of the query depends on how many these are. `declare` makes a statement of the text,
   * always the same of one query.
   */
  withColumn: (
    query: (parameters: number) => string,
    declare: (text: string) => Statement<unknown>,
  ) => Statement<unknown>
}

export type Compiler = (model: Model, args: Args) => Plan

export const compileMany: Compiler = (model, args) => {
  requireKnown(args, ['select', 'include', 'where', 'orderBy', 'take', 'skip'])
  return compileRows(model, args, false)
}

export const compileFirst: Compiler = (model, args) => {
  requireKnown(args, ['select', 'include', 'where', 'orderBy', 'skip'])
  return compileRows(model, { ...args, take: 1 }, false)
}

export const compileUnique: Compiler = (model, args) => {
  requireKnown(args, ['select', 'include', 'where'])
  return compileRows(model, args, true)
}

export const compileCount: Compiler = (model, args) => {
  requireKnown(args, ['where'])
  const scope = new Scope()
  const alias = scope.alias()
  const where = condition(scope, model, alias, args.where ?? {}, within('args', 'where'))
  return plan(scope, ['count(*)'], `${tableOf(model, alias)} where ${where || 'true'}`, '+row[0]')
}

function compileRows(model: Model, args: Args, isUnique: boolean): Plan {
  const scope = new Scope()
  const alias = scope.alias()
  const compileWhere = isUnique ? uniqueCondition : condition
  const where = compileWhere(scope, model, alias, args.where ?? {}, within('args', 'where'))
  const { columns, from, orderBy, parts } = rows(scope, model, alias, where, args, 'args')
  return plan(scope, columns, `${from}${orderBy}`, objectOf(parts))
}

/** A plan has few variants: the numbers of a list are counted in few ways. */
const maximumVariants = 20

function plan(scope: Scope, columns: string[], from: string, object: string): Plan {
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
