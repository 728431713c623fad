import type { Column } from '../../parts/table.tsx'
import type { ListSearch } from './search.ts'

/** A column's name in the address, and in saved views: "conversions". */
export const keyOf = ({ name, key = name }: { name: string; key?: string }): string =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The columns that a person can hide. The first one names the row, and buttons stay. */
export const choosable = <Node>(columns: readonly Column<Node>[]): readonly Column<Node>[] =>
  columns.slice(1).filter(({ csv }) => csv)

/** The columns that a list shows: those that the address names, else those that are not shown on demand only. */
export function shownColumns<Node>(columns: readonly Column<Node>[], { columns: named }: ListSearch) {
  const chosen = named === undefined ? undefined : new Set(named.split(','))
  const hidden = choosable(columns).filter((column) => (chosen ? !chosen.has(keyOf(column)) : column.isExtra))
  return columns.filter((column) => !hidden.includes(column))
}

/** What the address says once a column is shown or hidden; undefined for the usual columns. */
export function withColumn<Node>(
  columns: readonly Column<Node>[],
  search: ListSearch,
  column: Column<Node>,
): string | undefined {
  const shown = shownColumns(columns, search)
  const isShown = (one: Column<Node>) => (one === column ? !shown.includes(one) : shown.includes(one))
  const all = choosable(columns)
  if (all.every((one) => isShown(one) === !one.isExtra)) return undefined
  return all.filter(isShown).map(keyOf).join(',') || 'none'
}
