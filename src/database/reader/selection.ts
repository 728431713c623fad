import { condition } from './condition.ts'
import { kindOf } from './convert-values.ts'
import { type Column, type Model, NotCompiled, type Relation } from './models.ts'
import { order } from './order.ts'
import { type Args, isPlain } from './plans.ts'
import { columnOf, joined, type Place, type Scope, tableOf, within } from './scope.ts'

/** The fields of a row, in the order of Prisma's object: the value of each, as JavaScript. */
type Parts = ReadonlyMap<string, string>

export const objectOf = (parts: Parts): string => `{${[...parts].map(([name, value]) => `${name}:${value}`)}}`

/** Rows of a table: their SQL, and their fields. */
export type Rows = { columns: string[]; from: string; orderBy: string; parts: Parts }

/** What differs between the rows of the statement, whose columns are text, and nested rows, which are JSON arrays. */
type Format = {
  add: (sql: string, column?: Column) => number
  read: (column: Column, cell: string) => string
}

/** Compiles a query for rows. `where` is their condition, as SQL that uses `alias`. */
export function rows(
  scope: Scope,
  model: Model,
  alias: string,
  where: string,
  args: Args,
  place: Place,
  isNested = false,
): Rows {
  const columns: string[] = []
  const format = isNested ? jsonFormat(columns) : textFormat(columns)
  const joins: string[] = []
  const parts = selected({ scope, format, joins, isNested }, model, alias, args, place)
  const orderBy = order(scope, model, alias, args.orderBy)
  const limit = window(scope, args, place)
  const filter = where && ` where ${where}`
  const table = `${tableOf(model, alias)}${filter}`
  // Without a page, or without relations, one level is enough. Otherwise relations are read for the rows of the page
  // only.
  if (joins.length === 0 && !columns.some((sql) => sql.startsWith('(select'))) {
    return { columns, from: table, orderBy: `${orderBy && ` order by ${orderBy}`}${limit}`, parts }
  }
  const sort = orderBy && ` order by ${orderBy}`
  const source = limit
    ? `(select ${alias}.* from ${table}${sort}${limit}) ${alias}${joins.join('')}`
    : `${tableOf(model, alias)}${joins.join('')}${filter}`
  return { columns, from: source, orderBy: sort, parts }
}

const textFormat = (columns: string[]): Format => ({
  add: (sql) => columns.push(sql) - 1,
  read: (column, cell) => kindOf(column).fromText(cell),
})

const jsonFormat = (columns: string[]): Format => ({
  add: (sql, column) => columns.push(column ? (kindOf(column).toJson?.(sql) ?? sql) : sql) - 1,
  read: (column, cell) => kindOf(column).fromJson(cell),
})

/** LIMIT is part of the statement, so that the plan of a prepared statement knows it. */
function window(scope: Scope, { take, skip }: Args, place: Place): string {
  if (take !== undefined && !(Number.isInteger(take) && (take as number) >= 0)) throw new NotCompiled('this take')
  const limit = take === undefined ? '' : ` limit ${take}`
  return skip === undefined || skip === 0 ? limit : `${limit} offset ${scope.parameter(within(place, 'skip'))}`
}

type Target = {
  scope: Scope
  format: Format
  joins: string[]
  isNested: boolean
  /** Whether the row itself may be missing: then joins to it must not require their own rows. */
  isOptional?: boolean
}

const cellAt = (index: number) => `row[${index}]`

/** The fields of a row. Adds what they need to the columns and joins. */
function selected(target: Target, model: Model, alias: string, args: Args, place: Place): Parts {
  const { select, include } = args
  if (select !== undefined && include !== undefined) throw new NotCompiled('select and include')
  const selection = select ?? include ?? {}
  if (!isPlain(selection)) throw new NotCompiled('this selection')
  const chosen = within(place, select === undefined ? 'include' : 'select')
  const names = Object.keys(selection).filter((name) => selection[name])
  if (select === undefined && names.some((name) => model.columns.has(name))) throw new NotCompiled('an included column')
  const columns = [...model.columns.values()].filter(({ name }) => select === undefined || selection[name] === true)
  const fields = new Map(columns.map((column) => [column.name, columnPart(target.format, column, alias)]))
  for (const name of names) {
    if (model.columns.has(name)) {
      if (selection[name] !== true) throw new NotCompiled(`${model.name}.${name}`)
      continue
    }
    const given = selection[name] === true ? {} : (selection[name] as Args)
    const at = within(chosen, name)
    if (name === '_count') fields.set(name, counts(target, model, alias, given))
    else fields.set(name, related(target, relationOf(model, name), alias, given, at))
  }
  if (fields.size === 0) throw new NotCompiled('an empty selection')
  return fields
}

function relationOf(model: Model, name: string): Relation {
  const relation = model.relations.get(name)
  if (!relation) throw new NotCompiled(`${model.name}.${name}`)
  return relation
}

function columnPart(format: Format, column: Column, alias: string): string {
  const cell = cellAt(format.add(columnOf(alias, column), column))
  const read = format.read(column, cell)
  return column.isRequired || read === cell ? read : `(${cell}===null?null:${read})`
}

function related(target: Target, relation: Relation, alias: string, args: Args, place: Place): string {
  return relation.isList
    ? relatedRows(target, relation, alias, args, place)
    : relatedRow(target, relation, alias, args, place)
}

/** Related rows are one JSON array: PostgreSQL spends little more on them than on the rows. */
function relatedRows(
  { scope, format, isNested }: Target,
  relation: Relation,
  alias: string,
  args: Args,
  place: Place,
): string {
  requireKnown(args, ['select', 'include', 'where', 'orderBy', 'take', 'skip'])
  const other = scope.alias()
  const { where: given = {} } = args
  const own = condition(scope, relation.target, other, given, within(place, 'where'))
  const where = `${joined(relation, alias, other)}${own && ` and ${own}`}`
  const { columns, from, orderBy, parts } = rows(scope, relation.target, other, where, args, place, true)
  const list = scope.alias()
  const query = `select json_build_array(${columns.join(', ')}) as row from ${from}${orderBy}`
  const cell = cellAt(format.add(`(select coalesce(json_agg(${list}.row), '[]') from (${query}) ${list})`))
  return `list(${isNested ? cell : `JSON.parse(${cell})`},(row)=>(${objectOf(parts)}))`
}

/** One related row is joined; its columns are columns of the statement. */
function relatedRow(target: Target, relation: Relation, alias: string, args: Args, place: Place): string {
  requireKnown(args, ['select', 'include'])
  const other = target.scope.alias()
  const isSure = relation.isRequired && relation.isOwner
  const isInner = isSure && !target.isOptional
  const join = `${isInner ? ' join' : ' left join'} ${tableOf(relation.target, other)} on ${joined(relation, alias, other)}`
  target.joins.push(join)
  const row = { ...target, isOptional: !isInner }
  if (!target.isNested) {
    const object = objectOf(selected(row, relation.target, other, args, place))
    if (isSure) return object
    return `(${cellAt(target.format.add(columnOf(other, relation.target.id)))}===null?null:${object})`
  }
  // In JSON, nested in another array: a function of PostgreSQL has at most 100 arguments.
  const columns: string[] = []
  const object = objectOf(selected({ ...row, format: jsonFormat(columns) }, relation.target, other, args, place))
  const array = `json_build_array(${columns.join(', ')})`
  const id = columnOf(other, relation.target.id)
  const cell = cellAt(target.format.add(isSure ? array : `case when ${id} is not null then ${array} end`))
  return `(${isSure ? '' : `${cell}===null?null:`}((row)=>(${object}))(${cell}))`
}

/** The numbers of related rows: `_count: { select: { links: true } }`. */
function counts({ scope, format }: Target, model: Model, alias: string, args: Args): string {
  requireKnown(args, ['select'])
  if (!isPlain(args.select)) throw new NotCompiled('all counts')
  const fields = Object.entries(args.select).flatMap(([name, value]) => {
    if (!value) return []
    const relation = relationOf(model, name)
    if (!relation.isList || value !== true) throw new NotCompiled(`a count of ${name}`)
    const other = scope.alias()
    const from = `${tableOf(relation.target, other)} where ${joined(relation, alias, other)}`
    return [`${name}:+${cellAt(format.add(`(select count(*) from ${from})`))}`]
  })
  if (fields.length === 0) throw new NotCompiled('an empty selection')
  return `{${fields.join(',')}}`
}

/** @throws NotCompiled if arguments have others than these */
export function requireKnown(args: Args, known: string[]): void {
  for (const name in args) {
    if (args[name] !== undefined && !known.includes(name)) throw new NotCompiled(name)
  }
}
