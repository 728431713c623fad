import { condition, uniqueCondition } from './condition.ts'
import type { Model } from './models.ts'
import { type Args, type Compiler, type Plan, plan } from './plans.ts'
import { Scope, tableOf, within } from './scope.ts'
import { objectOf, requireKnown, rows } from './selection.ts'

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
