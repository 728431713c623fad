import { type Column, type Model, NotCompiled, type Relation } from './models.ts'
import { isPlain } from './plans.ts'
import { columnOf, joined, type Place, type Scope, tableOf, within } from './scope.ts'

/** No condition. As in Prisma, it is left out wherever it appears. */
const empty = ''

/** Compiles Prisma's `where`. As in Prisma's SQL, comparisons with null are neither true nor false. */
export function condition(scope: Scope, model: Model, alias: string, where: unknown, place: Place): string {
  if (!isPlain(where)) throw new NotCompiled('this where')
  const parts: string[] = []
  for (const [name, value] of Object.entries(where)) {
    if (value === undefined) continue
    const at = within(place, name)
    const column = model.columns.get(name)
    const relation = model.relations.get(name)
    if (column) parts.push(comparison(scope, column, columnOf(alias, column), value, at))
    else if (relation) parts.push(relatedCondition(scope, relation, alias, value, at))
    else parts.push(combination(scope, model, alias, name, value, at))
  }
  return all(parts)
}

/** Compiles the `where` of a query for one row, which has to name the value of a unique key. */
export function uniqueCondition(scope: Scope, model: Model, alias: string, where: unknown, place: Place): string {
  if (!isPlain(where)) throw new NotCompiled('this where')
  const keys = [...model.uniques].filter(([name]) => where[name] !== undefined && where[name] !== null)
  if (keys.length === 0) throw new NotCompiled('a where without a unique key')
  const parts = keys.map(([name, fields]) => {
    const value = where[name]
    const at = within(place, name)
    if (fields.length === 1 && !isPlain(value)) return condition(scope, model, alias, { [name]: value }, place)
    const isComplete = isPlain(value) && fields.every((field) => !isPlain(value[field]) && value[field] != null)
    if (!isComplete || Object.keys(value).length !== fields.length) throw new NotCompiled('this unique key')
    return condition(scope, model, alias, value, at)
  })
  const others = Object.fromEntries(Object.entries(where).filter(([name]) => !model.uniques.has(name)))
  return all([...parts, condition(scope, model, alias, others, place)])
}

const all = (parts: string[]) => parts.filter((part) => part !== empty).join(' and ')

const negated = (part: string) => (part === empty ? empty : `not (${part})`)

function combination(scope: Scope, model: Model, alias: string, name: string, value: unknown, place: Place): string {
  const compiled = (one: unknown, at: Place) =>
    scope.compile(scope.isNegated || name === 'NOT', () => condition(scope, model, alias, one, at))
  const each = Array.isArray(value)
    ? value.map((one, index) => compiled(one, within(place, index)))
    : [compiled(value, place)]
  if (name === 'AND') return all(each)
  if (name === 'NOT') return all(each.map(negated))
  if (name !== 'OR') throw new NotCompiled(`${model.name}.${name}`)
  const possible = each.filter((part) => part !== empty)
  // Prisma decides by the place of an empty OR whether it matches no row or every row.
  if (possible.length === 0) throw new NotCompiled('an empty OR')
  return `(${possible.map((part) => `(${part})`).join(' or ')})`
}

const ofLists = ['some', 'none', 'every']
const ofOne = ['is', 'isNot']

function relatedCondition(scope: Scope, relation: Relation, alias: string, value: unknown, place: Place): string {
  const quantifiers = relation.isList ? ofLists : ofOne
  const isQuantified = isPlain(value) && Object.keys(value).some((name) => quantifiers.includes(name))
  if (!isQuantified) {
    if (relation.isList) throw new NotCompiled(`${relation.name} without a quantifier`)
    return value === null ? isMissing(scope, relation, alias) : exists(scope, relation, alias, value, place)
  }
  const parts = Object.entries(value).flatMap(([name, where]) => {
    if (where === undefined) return []
    const at = within(place, name)
    // With `isNot`, Prisma leaves out rows whose related row has a null in the comparison.
    if (!quantifiers.includes(name) || (name === 'isNot' && where !== null))
      throw new NotCompiled(`${relation.name}.${name}`)
    if (where === null && !relation.isList) {
      const missing = isMissing(scope, relation, alias)
      return [name === 'is' ? missing : negated(missing)]
    }
    const found = exists(scope, relation, alias, where, at, name === 'every')
    return [name === 'some' || name === 'is' ? found : negated(found)]
  })
  return all(parts)
}

/** Whether a related row matches or, negated, does not match. */
function exists(scope: Scope, relation: Relation, alias: string, where: unknown, at: Place, isNegated = false): string {
  const other = scope.alias()
  // Prisma negates a condition on one related row inside of a join, where null counts for both outcomes as no match.
  if (!relation.isList && scope.isNegated) throw new NotCompiled('a negated condition on one related row')
  const inner = scope.compile(isNegated, () => condition(scope, relation.target, other, where, at))
  if (!relation.isList && inner === empty) throw new NotCompiled('an empty condition on one related row')
  const matches = isNegated ? `not (${inner || 'true'})` : inner
  const needed = all([joined(relation, alias, other), matches])
  return `exists (select from ${tableOf(relation.target, other)} where ${needed})`
}

function isMissing(scope: Scope, relation: Relation, alias: string): string {
  // For a foreign key of several columns, Prisma asks whether all of them are null, and finds nothing.
  if (relation.isRequired || relation.isOwner) throw new NotCompiled(`null for ${relation.name}`)
  const other = scope.alias()
  return `not exists (select from ${tableOf(relation.target, other)} where ${joined(relation, alias, other)})`
}

const operators: Record<string, string> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }
const patterns: Record<string, (value: string) => string> = {
  contains: (value) => `'%'+${value}+'%'`,
  startsWith: (value) => `${value}+'%'`,
  endsWith: (value) => `'%'+${value}`,
}

/** Compiles the condition for one column: a value, null, or an object of comparisons. */
function comparison(scope: Scope, column: Column, sql: string, value: unknown, place: Place): string {
  if (column.type === 'Json') return valueInside(scope, sql, value, place)
  if (value === null) return isNull(column, sql)
  if (!isPlain(value)) return equal(scope, column, sql, value, place)
  const { mode = 'default', ...filters } = value
  if (mode !== 'default' && (mode !== 'insensitive' || column.type !== 'String')) throw new NotCompiled('this mode')
  const like = mode === 'insensitive' ? 'ilike' : 'like'
  const parts = Object.entries(filters).flatMap(([name, operand]) => {
    if (operand === undefined) return []
    const at = within(place, name)
    const pattern = patterns[name]
    if (pattern && column.type === 'String' && typeof operand === 'string')
      return [`${sql}::text ${like} ${scope.parameter(pattern(at))}`]
    if (name === 'equals' && operand === null) return [isNull(column, sql)]
    if (name === 'not' && operand === null) return [`not (${isNull(column, sql)})`]
    if (name === 'not' && isPlain(operand) && mode === 'default')
      return [negated(comparison(scope, column, sql, operand, at))]
    if (mode === 'insensitive' && name === 'equals' && typeof operand === 'string')
      return [`${sql} ilike ${scope.parameter(at)}`]
    if (mode === 'insensitive') throw new NotCompiled(`${name} without regard to case`)
    if (name === 'equals') return [equal(scope, column, sql, operand, at)]
    if (name === 'not') return [negated(equal(scope, column, sql, operand, at))]
    if (name === 'in' || name === 'notIn') return [listed(scope, column, sql, operand, at, name === 'notIn')]
    const operator = operators[name]
    if (!operator || typeof operand === 'boolean') throw new NotCompiled(`the filter ${name}`)
    return [`${sql} ${operator} ${parameter(scope, column, operand, at)}`]
  })
  return all(parts)
}

/** Compiles a condition on a value inside of a column of JSON. Others are left to Prisma. */
function valueInside(scope: Scope, sql: string, value: unknown, place: Place): string {
  const { path, mode = 'default', ...filters } = isPlain(value) ? value : {}
  const given = Object.entries(filters).filter(([, operand]) => operand !== undefined)
  const [name = '', operand] = given[0] ?? []
  if (!Array.isArray(path) || given.length !== 1) throw new NotCompiled('this value of JSON')
  const at = within(place, name)
  const steps = within(place, 'path')
  if (typeof operand !== 'string' && typeof operand !== 'number') throw new NotCompiled('this value of JSON')
  const inside = () => `${sql} #> ${scope.parameter(steps)}::text[]`
  if (name === 'string_contains' && mode === 'insensitive' && typeof operand === 'string') {
    const text = `${sql} #>> ${scope.parameter(steps)}::text[]`
    return `(${text} ilike ${scope.parameter(`'%'+${at}+'%'`)} and jsonb_typeof(${inside()}) = 'string')`
  }
  if (mode !== 'default') throw new NotCompiled('this mode')
  const json = () => `${scope.parameter(`JSON.stringify(${at})`)}::jsonb`
  if (name === 'equals') return `${inside()} = ${json()}`
  const operator = operators[name]
  if (!operator) throw new NotCompiled(`the filter ${name}`)
  return `(${inside()} ${operator} ${json()} and jsonb_typeof(${inside()}) = '${typeof operand}')`
}

function isNull(column: Column, sql: string): string {
  if (column.isRequired) throw new NotCompiled(`null for ${column.name}`)
  return `${sql} is null`
}

function equal(scope: Scope, column: Column, sql: string, value: unknown, place: Place): string {
  if (typeof value !== 'boolean') return `${sql} = ${parameter(scope, column, value, place)}`
  // Part of the statement, so that partial indexes match.
  if (column.type !== 'Boolean') throw new NotCompiled(`a boolean for ${column.name}`)
  return value ? sql : `not ${sql}`
}

function listed(scope: Scope, column: Column, sql: string, list: unknown, place: Place, isNegated: boolean): string {
  if (!Array.isArray(list) || column.type === 'Boolean') throw new NotCompiled('this list')
  if (list.length === 0) return String(isNegated)
  requireType(column, list[0])
  const values = list[0] instanceof Date ? `${place}.map(time)` : place
  return `${sql} ${isNegated ? '<> all' : '= any'}(${scope.parameter(values)})`
}

function parameter(scope: Scope, column: Column, value: unknown, place: Place): string {
  requireType(column, value)
  return scope.parameter(value instanceof Date ? `time(${place})` : place)
}

const types: Record<string, string[]> = {
  String: ['string'],
  Enum: ['string'],
  Int: ['number'],
  BigInt: ['bigint', 'number'],
}

/** A value of another type is left to Prisma, which rejects or converts it. */
function requireType({ name, type }: Column, value: unknown): void {
  const fits = type === 'DateTime' ? value instanceof Date : types[type]?.includes(typeof value)
  if (!fits) throw new NotCompiled(`this value for ${name}`)
}
