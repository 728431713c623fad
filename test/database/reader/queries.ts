import fc from 'fast-check'
import type { Column, Model, Relation } from '../../../src/database/reader/models.ts'

type Rows = Record<string, unknown>[]
type Query = Record<string, unknown>

/** What the database holds: the rows of each model, from which filters take their values, and its columns of type uuid. */
export type Known = { rows: Map<string, Rows>; uuids: Set<string> }

const one = fc.constantFrom
const chance = fc.boolean()

/** Random arguments of `findMany`. Lists have a complete order, because SQL without one may return rows in any order. */
export const queryOf = (model: Model, known: Known, depth = 2, isList = true): fc.Arbitrary<Query> =>
  fc
    .record({
      selection: selectionOf(model, known, depth),
      where: fc.option(whereOf(model, known, 3), { freq: 4 }),
      orderBy: fc.array(sortOf(model), { maxLength: 2 }),
      take: fc.option(fc.integer({ min: 0, max: 5 })),
      skip: fc.option(fc.integer({ min: 0, max: 3 })),
    })
    .map(({ selection, where, orderBy, take, skip }) => {
      if (!isList) return selection
      const last = [...(model.uniques.values().next().value as string[])].map((name) => ({ [name]: 'asc' }))
      return {
        ...selection,
        ...(where && { where }),
        orderBy: [...orderBy, ...last],
        ...(take !== null && { take }),
        ...(skip !== null && { skip }),
      }
    })

function selectionOf(model: Model, known: Known, depth: number): fc.Arbitrary<Query> {
  const columns = fc.subarray([...model.columns.keys()], { minLength: 1 })
  const selectedColumns = columns.map((names) => Object.fromEntries(names.map((name) => [name, true])))
  if (depth === 0)
    return fc.oneof(
      fc.constant({}),
      selectedColumns.map((select) => ({ select })),
    )
  const relations = fc
    .subarray([...model.relations.values()])
    .chain((all) => {
      const chosen = all.slice(0, 3)
      return fc.record(
        Object.fromEntries(
          chosen.map(({ name, target, isList }) => [
            name,
            isList
              ? queryOf(target, known, depth - 1)
              : fc.oneof(fc.constant(true), queryOf(target, known, depth - 1, false)),
          ]),
        ),
      )
    })
    .map((chosen) => (Object.keys(chosen).length > 0 ? chosen : undefined))
  return fc.oneof(
    relations.map((include) => (include ? { include } : {})),
    fc.tuple(selectedColumns, relations).map(([select, related]) => ({ select: { ...select, ...related } })),
  )
}

function sortOf(model: Model): fc.Arbitrary<Query> {
  const direction = one('asc', 'desc')
  const columns = [...model.columns.values()].filter(({ type }) => type !== 'Json')
  const own = fc.record({ column: one(...columns), direction, nulls: fc.option(one('first', 'last')) }).map((sort) => ({
    [sort.column.name]:
      sort.nulls && !sort.column.isRequired ? { sort: sort.direction, nulls: sort.nulls } : sort.direction,
  }))
  const related = [...model.relations.values()].filter(({ isList }) => !isList)
  if (related.length === 0) return own
  const byRelated = one(...related).chain(({ name, target }) =>
    one(...[...target.columns.values()].filter(({ type }) => type !== 'Json')).chain((column) =>
      direction.map((sort) => ({ [name]: { [column.name]: sort } })),
    ),
  )
  return fc.oneof({ arbitrary: own, weight: 4 }, { arbitrary: byRelated, weight: 1 })
}

export function whereOf(model: Model, known: Known, depth: number): fc.Arbitrary<Query> {
  const columns = [...model.columns.values()].filter(({ type }) => type !== 'Json' && type !== 'Decimal')
  const own = one(...columns).chain((column) =>
    filterOf(model, column, known).map((filter) => ({ [column.name]: filter })),
  )
  if (depth === 0) return own
  const nested = () => whereOf(model, known, depth - 1)
  const combined = fc
    .tuple(one('AND', 'OR', 'NOT'), fc.array(nested(), { maxLength: 3 }), chance)
    .map(([name, list, isAlone]) => ({ [name]: isAlone && name !== 'OR' ? (list[0] ?? {}) : list }))
  const relations = [...model.relations.values()]
  const both = fc.tuple(own, own).map(([left, right]) => ({ ...left, ...right }))
  // Rows that the database derives have no relations.
  const related =
    relations.length > 0 ? [one(...relations).chain((relation) => filterOfRelation(relation, known, depth))] : []
  return fc.oneof(own, own, both, combined, ...related, fc.constant({}))
}

function filterOfRelation(
  { name, target, isList, isRequired }: Relation,
  known: Known,
  depth: number,
): fc.Arbitrary<Query> {
  const inner = whereOf(target, known, depth - 1)
  if (isList) return fc.tuple(one('some', 'every', 'none'), inner).map(([of, where]) => ({ [name]: { [of]: where } }))
  const filters = [inner, fc.tuple(one('is', 'isNot'), inner).map(([of, where]) => ({ [of]: where }))]
  const missing = [fc.constant(null), one('is', 'isNot').map((of) => ({ [of]: null }))]
  return fc.oneof(...filters, ...(isRequired ? [] : (missing as typeof filters))).map((filter) => ({ [name]: filter }))
}

function filterOf(model: Model, { name, column, type, isRequired }: Column, known: Known): fc.Arbitrary<unknown> {
  const found = (known.rows.get(model.name) ?? []).map((row) => row[name]).filter((value) => value !== null)
  const others: Record<string, unknown[]> = {
    Boolean: [true],
    Int: [0, -1],
    BigInt: [3, 5n],
    String: ['a', '%', 'ADA'],
  }
  // Prisma has fewer filters for UUIDs than for text.
  const isId = known.uuids.has(`${model.table}.${column}`)
  const values = [...found, ...(isId ? [] : (others[type] ?? []))]
  const nothing = isRequired ? [] : [fc.constant(null), one({ not: null }, { equals: null })]
  if (values.length === 0) return nothing.length > 0 ? fc.oneof(...nothing) : fc.constant(undefined)
  const value = one(...values)
  const equal = [value, value.map((equals) => ({ equals })), value.map((not) => ({ not }))]
  if (type === 'Boolean') return fc.oneof(...equal, ...nothing)
  const list = fc.array(value, { maxLength: 3 })
  const listed = fc.tuple(one('in', 'notIn'), list).map(([of, given]) => ({ [of]: given }))
  if (type === 'Enum') return fc.oneof(...equal, ...nothing, listed)
  const compared = fc.tuple(one('lt', 'lte', 'gt', 'gte'), value).map(([of, given]) => ({ [of]: given }))
  const negated = fc.oneof(compared, listed).map((not) => ({ not }))
  // PostgreSQL rejects a pattern that ends with a single backslash, but only if it reads a row for it.
  const part = value.map((text) => String(text).slice(0, 2).replaceAll('\\', '\\\\'))
  const contained = fc
    .tuple(one('contains', 'startsWith', 'endsWith', 'equals'), part, one({}, { mode: 'insensitive' }))
    .map(([of, given, mode]) => ({ [of]: given, ...mode }))
  return fc.oneof(...equal, ...nothing, listed, compared, negated, ...(type === 'String' && !isId ? [contained] : []))
}
