import { type OneSeries, type Pivot, pivotOfSeries } from './pivots.ts'
import type { Row } from './values.ts'

/** A list of a result with its place: the names of the fields that lead to it. */
export type Placed = { path: string[]; rows: Row[] }

/** Lists of one shape as one: side by side if they are series, otherwise one below the other. */
export type Together = { pivots: Pivot[] } | { name: string; rows: Row[] }

/** The name of the column that says which alias a row is of. */
const aliasColumn = 'alias'

/**
 * Finds lists that one query asks for several times, under aliases: places that differ in one name, with the same
 * columns.
 * @param lists with flat rows
 */
export function aliasesTogether(lists: Placed[]): Together[] {
  const groups = new Map<string, { name: string; members: { alias: string; rows: Row[] }[] }>()
  for (const { path, rows } of lists)
    for (const [index, alias] of path.entries()) {
      const place = path.with(index, '*').join('.')
      const key = `${place} ${shapeOf(rows)}`
      const group = groups.get(key) ?? { name: place, members: [] }
      groups.set(key, { ...group, members: [...group.members, { alias, rows }] })
    }
  return [...groups.values()].flatMap(({ name, members }): Together[] => {
    if (members.length < 2) return []
    const pivots = pivotOfSeries(name, members.map(seriesOf))
    if (pivots.length > 0) return [{ pivots }]
    return [{ name, rows: members.flatMap(({ alias, rows }) => rows.map((row) => ({ [aliasColumn]: alias, ...row }))) }]
  })
}

const seriesOf = ({ alias, rows }: { alias: string; rows: Row[] }): OneSeries => ({ label: alias, rows })

const shapeOf = (rows: Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))].sort().join(' ')
