import { decimalsOf } from '../../../kernel/money/decimals.ts'
import { formatNumber } from '../../parts/locale.ts'
import { type Column, sortRows, type Table } from '../../parts/result/tables.ts'
import { amountOf, formatMoney, formatRate, isPeriod, type Value } from '../../parts/result/values.ts'

/** What of a table a chart draws. Columns are given by name, so that a choice still applies to the next result. */
export type ChartChoice = {
  label: string
  values: string[]
  /** Amounts in different currencies have no common axis, so one currency is drawn at a time. */
  currency?: string
}

export type Series = { name: string; points: (number | null)[]; isComparison: boolean }
export type ChartData = {
  kind: 'line' | 'bar'
  labels: string[]
  series: Series[]
  /** The unit of the axis, if the values are money. */
  currency?: string
  /** The values are fractions, which read as per cent. */
  isRate?: boolean
}

/** The columns and currencies that a table's chart can use. */
export type ChartOptions = { labels: string[]; values: string[]; currencies: string[] }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/
/** A rank or an index can be a label, but is never an amount. */
const isOrdinal = (name: string) => /(^|\.)(rank|index)$/i.test(name)
/** `comparison` is the schema's name for it; the others are common in aliases. */
const isComparison = (name: string, { isPivot }: Table) => !isPivot && /comparison|before|previous/i.test(name)
const isNumeric = ({ kind }: Column) => kind === 'number' || kind === 'rate' || kind === 'money'

/** Returns null if the table has no numbers, no labels or no rows. */
export function chartOptions(table: Table): ChartOptions | null {
  // The columns of a pivot are named by people.
  const values = table.columns.filter((column) => isNumeric(column) && (table.isPivot || !isOrdinal(column.name)))
  const labels = table.columns
    .filter(({ kind, name }) => kind === 'text' || kind === 'date' || kind === 'boolean' || isOrdinal(name))
    .map((column, index) => ({ name: column.name, score: labelScoreOf(column, table), index }))
    .sort((one, other) => other.score - one.score || one.index - other.index)
  if (values.length === 0 || labels.length === 0 || table.rows.length === 0) return null
  return {
    labels: labels.map(({ name }) => name),
    values: values.map(({ name }) => name),
    currencies: currenciesOf(table),
  }
}

/** Rates how well a column labels rows: dates and periods best, then columns with a telling name, ids last. */
function labelScoreOf(column: Column, table: Table): number {
  const values = valuesIn(table, column.name)
  const texts = values.map(textOfLabel)
  const distinct = new Set(texts).size === texts.length ? 1 : 0
  const name = column.name.split('.').at(-1)?.toLowerCase() ?? ''
  if (isTime(values)) return name === 'label' ? 12 : distinct ? 10 : 6
  if (isOrdinal(column.name)) return distinct ? 2 : 0
  if (texts.every((text) => text === '' || uuid.test(text))) return 1
  const nameScore = ['label', 'name', 'title', 'email', 'week', 'month', 'currency', 'state'].includes(name) ? 2 : 0
  return 4 + nameScore + 2 * distinct
}

const valuesIn = ({ columns, rows }: Table, name: string): Value[] => {
  const index = columns.findIndex((column) => column.name === name)
  return index < 0 ? [] : rows.map((row) => row[index] as Value)
}

const isTime = (values: Value[]) =>
  values.length > 1 && isPeriod(values.map((value) => (value.kind === 'date' ? value.iso : textOfLabel(value))))

function currenciesOf({ rows }: Table): string[] {
  const counts = new Map<string, number>()
  for (const value of rows.flat())
    if (value.kind === 'money') counts.set(value.currency, (counts.get(value.currency) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
}

/** As many lines as people can tell apart: the largest groups and the rest. */
const maxLines = 11

/**
 * Returns the first amount and its comparison. Without a comparison, up to three more counts are added. A pivot shows
 * all of its series.
 */
export function defaultChoice(table: Table, options: ChartOptions): ChartChoice {
  const kindOf = (name: string) => table.columns.find((column) => column.name === name)?.kind
  const primary = options.values.filter((name) => !isComparison(name, table))
  const [first = options.values[0] as string] = [...primary.filter((name) => kindOf(name) !== 'rate'), ...primary]
  const label = options.labels[0] as string
  if (table.isPivot) {
    const alike = options.values.filter((name) => kindOf(name) === kindOf(first))
    return { label, values: alike.slice(0, maxLines), currency: options.currencies[0] }
  }
  const comparisons = options.values.filter((name) => isComparison(name, table) && kindOf(name) === kindOf(first))
  const moreCounts = primary.filter((name) => name !== first && kindOf(name) === kindOf(first))
  const values = [
    first,
    ...(comparisons.length > 0 ? comparisons : kindOf(first) === 'number' ? moreCounts.slice(0, 3) : []),
  ]
  return { label, values, currency: options.currencies[0] }
}

/** Applies a choice to a table. What the table does not have is replaced by the default. */
export function chartOf(
  table: Table,
  options: ChartOptions,
  requested: Partial<ChartChoice>,
): [ChartData, ChartChoice] {
  const defaults = defaultChoice(table, options)
  const label = requested.label && options.labels.includes(requested.label) ? requested.label : defaults.label
  const known = requested.values?.filter((name) => options.values.includes(name)) ?? []
  const values = known.length > 0 ? known : defaults.values
  const currency =
    requested.currency && options.currencies.includes(requested.currency) ? requested.currency : defaults.currency
  const choice = { label, values, currency }
  return [dataOf(table, choice), choice]
}

function dataOf(table: Table, { label, values, currency }: ChartChoice): ChartData {
  const kinds = values.map((name) => table.columns.find((column) => column.name === name)?.kind)
  const isMoney = kinds.includes('money')
  const filtered = {
    ...table,
    // Rows in another currency are left out.
    rows: isMoney
      ? table.rows.filter((row) => row.every((value) => value.kind !== 'money' || value.currency === currency))
      : table.rows,
  }
  const isOverTime = isTime(valuesIn(filtered, label))
  // Time runs from left to right. Bars keep the order of the result.
  const sorted = isOverTime ? { ...filtered, rows: sortRows(filtered, { column: label, descending: false }) } : filtered
  return {
    kind: isOverTime ? 'line' : 'bar',
    labels: valuesIn(sorted, label).map(textOfLabel),
    series: values.map((name) => ({
      name,
      points: valuesIn(sorted, name).map(amountOf),
      isComparison: isComparison(name, table),
    })),
    ...(isMoney && { currency }),
    ...(kinds.every((kind) => kind === 'rate') && { isRate: true }),
  }
}

function textOfLabel(value: Value): string {
  switch (value.kind) {
    case 'date':
      // A time of midnight means the whole day.
      return value.iso.replace(/T00:00(:00(\.0+)?)?Z$/, '').replace(/T(\d{2}:\d{2}).*$/, ' $1')
    case 'text':
      return value.text
    case 'number':
    case 'rate':
      return String(value.number)
    case 'boolean':
      return value.truth ? 'yes' : 'no'
    default:
      return ''
  }
}

/** Formats a value of the chart as the table does. */
export function formatPoint(value: number, { currency, isRate }: Pick<ChartData, 'currency' | 'isRate'>): string {
  if (isRate) return formatRate(value)
  if (currency) return formatMoney(value.toFixed(decimalsOf(currency)), currency)
  return formatNumber(value, { maximumFractionDigits: 4 })
}

/** Describes the chart in words, for screen readers. */
export function describeChart(data: ChartData): string {
  const { kind, labels, series } = data
  const shape = kind === 'line' ? 'Line chart' : 'Bar chart'
  const number = (value: number) => formatPoint(value, data)
  const parts = series.map(({ name, points }) => {
    const known = points.flatMap((point, index) => (point === null ? [] : [{ point, label: labels[index] ?? '' }]))
    if (known.length === 0) return `${name}: no data.`
    const lowest = known.reduce((one, other) => (other.point < one.point ? other : one))
    const highest = known.reduce((one, other) => (other.point > one.point ? other : one))
    return `${name}: lowest ${number(lowest.point)} (${lowest.label}), highest ${number(highest.point)} (${highest.label}).`
  })
  const range = labels.length > 1 ? `, from ${labels[0]} to ${labels.at(-1)}` : ''
  return `${shape} with ${labels.length} ${labels.length === 1 ? 'point' : 'points'}${range}. ${parts.join(' ')}`
}
