import { type Model, NotCompiled } from './models.ts'
import { isPlain } from './plans.ts'
import { columnOf, joined, type Scope, tableOf } from './scope.ts'

const directions: unknown[] = ['asc', 'desc']

/** Compiles Prisma's `orderBy` to the expressions of ORDER BY; empty without an order. */
export function order(scope: Scope, model: Model, alias: string, orderBy: unknown): string {
  if (orderBy === undefined) return ''
  const keys = [orderBy].flat().flatMap((sort) => {
    if (!isPlain(sort)) throw new NotCompiled('this orderBy')
    return Object.entries(sort).flatMap(([name, direction]) =>
      direction === undefined ? [] : [key(scope, model, alias, name, direction)],
    )
  })
  return keys.join(', ')
}

function key(scope: Scope, model: Model, alias: string, name: string, value: unknown): string {
  const { expression, direction } = sorted(scope, model, alias, name, value)
  return `${expression} ${direction}`
}

function sorted(scope: Scope, model: Model, alias: string, name: string, value: unknown): Sorted {
  const column = model.columns.get(name)
  if (column) {
    if (column.type === 'Json') throw new NotCompiled('an order by JSON')
    return { expression: columnOf(alias, column), direction: directionOf(value) }
  }
  const relation = model.relations.get(name)
  if (!relation || relation.isList || !isPlain(value)) throw new NotCompiled(`an order by ${name}`)
  const [[next, of] = [], ...more] = Object.entries(value)
  if (next === undefined || more.length > 0) throw new NotCompiled(`an order by several fields of ${name}`)
  const other = scope.alias()
  const { expression, direction } = sorted(scope, relation.target, other, next, of)
  const from = `${tableOf(relation.target, other)} where ${joined(relation, alias, other)}`
  return { expression: `(select ${expression} from ${from})`, direction }
}

type Sorted = { expression: string; direction: string }

function directionOf(value: unknown): string {
  if (!isPlain(value)) {
    if (!directions.includes(value)) throw new NotCompiled('this direction')
    return String(value)
  }
  const { sort, nulls, ...unknown } = value
  const isKnown = directions.includes(sort) && (nulls === undefined || nulls === 'first' || nulls === 'last')
  if (!isKnown || Object.keys(unknown).length > 0) throw new NotCompiled('this direction')
  return nulls ? `${sort} nulls ${nulls}` : String(sort)
}
