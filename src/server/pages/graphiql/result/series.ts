import { type Column, sortRows, type Table } from './tables.ts'
import { amountOf, type Value } from './values.ts'

/** What of a table a chart draws. Columns are named, so that a choice outlives the next answer. */
export type ChartChoice = {
  label: string
  values: string[]
  /** Amounts of several currencies have no common axis, so one is drawn at a time. */
  currency?: string
}

export type Series = { name: string; points: (number | null)[]; isComparison: boolean }
export type ChartData = {
  kind: 'line' | 'bar'
  labels: string[]
  series: Series[]
  /** The unit of the axis, where it is money. */
  currency?: string
}

/** What can be chosen for a table's chart; null where there is nothing to draw. */
export type ChartOptions = { labels: string[]; values: string[]; currencies: string[] }

/** Days, weeks, months, quarters and years, as the analytics label them. */
const period = /^\d{4}(-(\d{2}(-\d{2})?|W\d{2}|Q[1-4]))?$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/
/** A place in a row of things is a label or nothing, never an amount. */
const isOrdinal = (name: string) => /(^|\.)(rank|index)$/i.test(name)
const isRatio = (name: string) => /(rate|ratio|percent|retention)$/i.test(name)
/** `comparison` is the schema's own name for it; the others are how an alias says it. */
const isComparison = (name: string) => /comparison|before|previous/i.test(name)
const isAmount = ({ name, kind }: Column) => (kind === 'number' || kind === 'money') && !isOrdinal(name)

export function chartOptions(table: Table): ChartOptions | null {
  const values = table.columns.filter(isAmount)
  const labels = table.columns
    .filter(({ kind, name }) => kind === 'text' || kind === 'date' || kind === 'boolean' || isOrdinal(name))
    .map((column, index) => ({ name: column.name, merit: meritOf(column, table), index }))
    .sort((one, other) => other.merit - one.merit || one.index - other.index)
  if (values.length === 0 || labels.length === 0 || table.rows.length === 0) return null
  return {
    labels: labels.map(({ name }) => name),
    values: values.map(({ name }) => name),
    currencies: currenciesOf(table),
  }
}

/** How well a column says which row is which: a date or a period best, then what is called so, an id last. */
function meritOf(column: Column, table: Table): number {
  const values = valuesIn(table, column.name)
  const texts = values.map(textOfLabel)
  const distinct = new Set(texts).size === texts.length ? 1 : 0
  const name = column.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (isPeriod(values)) return name === 'label' ? 12 : distinct ? 10 : 6
  if (isOrdinal(column.name)) return distinct ? 2 : 0
  if (texts.every((text) => text === '' || uuid.test(text))) return 1
  const called = ['label', 'name', 'title', 'email', 'week', 'month', 'currency', 'state'].includes(name) ? 2 : 0
  return 4 + called + 2 * distinct
}

const valuesIn = ({ columns, rows }: Table, name: string): Value[] => {
  const index = columns.findIndex((column) => column.name === name)
  return index < 0 ? [] : rows.map((row) => row[index] as Value)
}

const isPeriod = (values: Value[]) =>
  values.length > 1 &&
  values.every((value) => value.kind === 'date' || (value.kind === 'text' && period.test(value.text)))

function currenciesOf({ rows }: Table): string[] {
  const counts = new Map<string, number>()
  for (const value of rows.flat())
    if (value.kind === 'money') counts.set(value.currency, (counts.get(value.currency) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
}

/** The first amount and what it is compared to; or, where there are several counts, up to four of them side by side. */
export function defaultChoice(table: Table, options: ChartOptions): ChartChoice {
  const kindOf = (name: string) => table.columns.find((column) => column.name === name)?.kind
  const plain = options.values.filter((name) => !isComparison(name))
  const [first = options.values[0] as string] = [...plain.filter((name) => !isRatio(name)), ...plain]
  const label = options.labels[0] as string
  const compared = options.values.filter((name) => isComparison(name) && kindOf(name) === kindOf(first))
  const beside = plain.filter((name) => name !== first && !isRatio(name) && kindOf(name) === kindOf(first))
  const values = [first, ...(compared.length > 0 ? compared : kindOf(first) === 'number' ? beside.slice(0, 3) : [])]
  return { label, values, currency: options.currencies[0] }
}

/** The choice as far as the table has what was chosen. */
export function chartOf(table: Table, options: ChartOptions, wanted: Partial<ChartChoice>): [ChartData, ChartChoice] {
  const usual = defaultChoice(table, options)
  const label = wanted.label && options.labels.includes(wanted.label) ? wanted.label : usual.label
  const known = wanted.values?.filter((name) => options.values.includes(name)) ?? []
  const values = known.length > 0 ? known : usual.values
  const currency = wanted.currency && options.currencies.includes(wanted.currency) ? wanted.currency : usual.currency
  const choice = { label, values, currency }
  return [dataOf(table, choice), choice]
}

function dataOf(table: Table, { label, values, currency }: ChartChoice): ChartData {
  const isMoney = values.some((name) => table.columns.find((column) => column.name === name)?.kind === 'money')
  const drawn = {
    ...table,
    // A row of another currency has its place in another chart.
    rows: isMoney
      ? table.rows.filter((row) => row.every((value) => value.kind !== 'money' || value.currency === currency))
      : table.rows,
  }
  const isOverTime = isPeriod(valuesIn(drawn, label))
  // Time runs from left to right, however the list was ordered; a ranking is in the order of the answer.
  const shown = isOverTime ? { ...drawn, rows: sortRows(drawn, { column: label, descending: false }) } : drawn
  return {
    kind: isOverTime ? 'line' : 'bar',
    labels: valuesIn(shown, label).map(textOfLabel),
    series: values.map((name) => ({
      name,
      points: valuesIn(shown, name).map(amountOf),
      isComparison: isComparison(name),
    })),
    ...(isMoney && { currency }),
  }
}

function textOfLabel(value: Value): string {
  switch (value.kind) {
    case 'date':
      // Midnight is a day.
      return value.iso.replace(/T00:00(:00(\.0+)?)?Z$/, '').replace(/T(\d{2}:\d{2}).*$/, ' $1')
    case 'text':
      return value.text
    case 'number':
      return String(value.number)
    case 'boolean':
      return value.truth ? 'yes' : 'no'
    default:
      return ''
  }
}

/** What the chart shows, in words, for those who can not see it. */
export function describeChart({ kind, labels, series, currency }: ChartData): string {
  const shape = kind === 'line' ? 'Line chart' : 'Bar chart'
  const unit = currency ? ` ${currency.toUpperCase()}` : ''
  const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 4 }) + unit
  const parts = series.map(({ name, points }) => {
    const known = points.flatMap((point, index) => (point === null ? [] : [{ point, label: labels[index] ?? '' }]))
    if (known.length === 0) return `${name}: nothing to draw.`
    const lowest = known.reduce((one, other) => (other.point < one.point ? other : one))
    const highest = known.reduce((one, other) => (other.point > one.point ? other : one))
    return `${name}: lowest ${number(lowest.point)} (${lowest.label}), highest ${number(highest.point)} (${highest.label}).`
  })
  const range = labels.length > 1 ? `, from ${labels[0]} to ${labels.at(-1)}` : ''
  return `${shape} with ${labels.length} ${labels.length === 1 ? 'point' : 'points'}${range}. ${parts.join(' ')}`
}
