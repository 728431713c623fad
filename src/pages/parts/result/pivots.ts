import { isListOfObjects, isPeriod, type Kind, type Row, readValue, type Value } from './values.ts'

/** A table with a row for each interval, and a column for each series: revenue by campaign and month. */
export type Pivot = { name: string; columns: { name: string; kind: Kind; currency?: string }[]; rows: Value[][] }

/** People cannot read more columns, and a chart cannot show as many lines. */
const maxSeries = 60

/** Intervals of one series. `label` is its column. */
export type OneSeries = { label: string; rows: Row[] }

/**
 * Returns a pivot for each measure of a list whose rows are named, and have a list of intervals each: the groups of a
 * time series. Returns nothing for other lists.
 * @param rows flat rows, in which a nested list is one value
 */
export function pivotsOf(name: string, rows: Row[]): Pivot[] {
  const lists = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isListOfObjects(row[key]))))]
  const [list] = lists
  const title = firstOf(rows, ['label', 'name'], isTitle)
  if (lists.length !== 1 || list === undefined || title === undefined) return []
  return pivotOfSeries(
    name,
    rows.map((row) => ({ label: String(row[title]), rows: (row[list] as Row[] | undefined) ?? [] })),
  )
}

/** Puts series with the same intervals side by side: a pivot for each of their measures. */
export function pivotOfSeries(name: string, series: OneSeries[]): Pivot[] {
  const all = series.flatMap(({ rows }) => rows)
  const interval = firstOf(all, ['label', 'start'], isPeriod)
  if (interval === undefined || series.length > maxSeries) return []
  const intervals = [...new Set(all.map((row) => String(row[interval])))]
  if (series.some(({ rows }) => new Set(rows.map((row) => row[interval])).size < rows.length)) return []
  const labels = distinct(series.map(({ label }) => label))
  const measures = [...new Set(all.flatMap((row) => Object.keys(row)))].filter((measure) =>
    all.some((row) => isAmount(readValue(row[measure], measure))),
  )
  return measures.map((measure) => {
    const values = series.map(({ rows }) => {
      const byInterval = new Map(rows.map((row) => [String(row[interval]), readValue(row[measure], measure)]))
      return intervals.map((one) => byInterval.get(one) ?? ({ kind: 'empty' } as const))
    })
    const columns = labels.map((label, n) => ({ name: label, ...sharedBy(values[n] ?? []) }))
    return {
      name: `${name}: ${measure}`,
      columns: [{ name: interval, kind: readValue(intervals[0], interval).kind }, ...columns],
      rows: intervals.map((one, row) => [readValue(one, interval), ...values.map((column) => column[row] as Value)]),
    }
  })
}

const isAmount = ({ kind }: Value) => kind === 'number' || kind === 'rate' || kind === 'money'

const isTitle = (values: unknown[]) => values.every((value) => typeof value === 'string' && value !== '')

/** The first field whose values are as asked, those with a usual name before others. */
function firstOf(rows: Row[], usual: string[], is: (values: unknown[]) => boolean): string | undefined {
  const names = Object.keys(rows[0] ?? {})
  return [...usual.filter((name) => names.includes(name)), ...names].find((name) => is(rows.map((row) => row[name])))
}

/** The kind of a column's values, and their currency if it is the same. */
function sharedBy(values: Value[]): { kind: Kind; currency?: string } {
  const known = values.filter(({ kind }) => kind !== 'empty')
  const [first] = known
  if (!first || known.some(({ kind }) => kind !== first.kind)) return { kind: first ? 'text' : 'empty' }
  if (first.kind !== 'money') return { kind: first.kind }
  const isShared = known.every((value) => value.kind === 'money' && value.currency === first.currency)
  return { kind: 'money', ...(isShared && { currency: first.currency }) }
}

/** Two affiliates can have the same name, but columns cannot. */
function distinct(labels: string[]): string[] {
  const counts = new Map<string, number>()
  return labels.map((label) => {
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    return count === 1 ? label : `${label} (${count})`
  })
}
