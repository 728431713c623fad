import { isListOfObjects, isRateName, type Row } from './values.ts'

/** A list as a grid: a row for each entry, and a column for each of its periods. */
export type Grid = { name: string; rows: Row[]; shaded: Set<string> }

/** Ten years of months. People cannot read a longer list as a grid. */
const maxColumns = 120

/**
 * Returns a grid for each measure of a list whose rows contain the same kind of periods, numbered by `index`: cohorts
 * and their months. Rates come first. Returns nothing for other lists.
 * @param rows flat rows, in which a nested list is one value
 */
export function gridsOf(name: string, rows: Row[]): Grid[] {
  const inner = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isListOfObjects(row[key] ?? null))))]
  const [list] = inner
  if (inner.length !== 1 || list === undefined) return []
  const periods = rows.flatMap((row) => (row[list] as Row[] | undefined) ?? [])
  if (!periods.every(({ index }) => Number.isInteger(index))) return []
  if (!rows.every((row) => hasDistinctIndexes((row[list] as Row[] | undefined) ?? []))) return []
  const unit = 'month' in (rows[0] ?? {}) ? 'month' : 'period'
  const last = Math.max(...periods.map(({ index }) => Number(index)))
  if (last > maxColumns) return []
  const columns = Array.from({ length: last + 1 }, (_, index) => `${unit} ${index}`)
  return measuresOf(periods).map((measure) => ({
    name: `${name}: ${measure}`,
    shaded: new Set(columns.map((column) => `${column} ${measure}`)),
    rows: rows.map((row) => {
      const { [list]: _list, ...outer } = row
      const values = new Map(
        ((row[list] as Row[] | undefined) ?? []).map((period) => [Number(period.index), period[measure] ?? null]),
      )
      return {
        ...outer,
        ...Object.fromEntries(columns.map((column, index) => [`${column} ${measure}`, values.get(index) ?? null])),
      }
    }),
  }))
}

const hasDistinctIndexes = (periods: Row[]) => new Set(periods.map(({ index }) => index)).size === periods.length

/** The fields of a period that can fill a grid, rates first: how many customers stayed is the usual question. */
function measuresOf(periods: Row[]): string[] {
  const names = [...new Set(periods.flatMap((period) => Object.keys(period)))]
  const measures = names.filter((name) => name !== 'index' && name !== '__typename')
  return [...measures.filter(isRateName), ...measures.filter((name) => !isRateName(name))]
}
