import { stringify } from 'csv-stringify/browser/esm/sync'
import type { Column } from './tables.ts'
import { textOf, type Value } from './values.ts'

/** The exact digits of a number, or a text that a spreadsheet must not interpret as a formula. */
export type Cell = { digits: string } | string

const isFormulaLike = (text: string) => /^[=+\-@\t\r]/.test(text)

/** Writes CSV as of RFC 4180. Text that looks like a formula is escaped; numbers stay numbers. */
export const writeCsv = (columns: Column[], rows: Value[][]): string => writeCells(cellsOf(columns, rows))

/** The same for cells. @param bom whether it begins with the byte order mark, by which spreadsheets know UTF-8 */
export const writeCells = (cells: readonly (readonly Cell[])[], { bom = false } = {}): string =>
  stringify(cells as Cell[][], {
    bom,
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { object: ({ digits }) => ({ value: String(digits), escape_formulas: false }) },
  })

/**
 * Writes tab-separated values for the clipboard. Tabs and line breaks in values become spaces, because they separate
 * cells and rows.
 */
export function writeTsv(columns: Column[], rows: Value[][]): string {
  const text = (cell: Cell) => {
    if (typeof cell !== 'string') return cell.digits
    return (isFormulaLike(cell) ? `'${cell}` : cell).replace(/[\t\r\n]+/g, ' ')
  }
  return cellsOf(columns, rows)
    .map((line) => line.map(text).join('\t'))
    .join('\n')
}

/**
 * Money becomes two columns, the amount in major units and the currency, so that a spreadsheet can add amounts up. If a
 * column has one currency, its heading names it instead.
 */
function cellsOf(columns: Column[], rows: Value[][]): Cell[][] {
  const names = columns.flatMap(({ name, kind, currency }) =>
    kind !== 'money' ? [name] : currency ? [`${name} (${currency.toUpperCase()})`] : [name, `${name}.currency`],
  )
  const cells = rows.map((row) =>
    row.flatMap((value, index) => {
      const { kind, currency } = columns[index] as Column
      return kind === 'money' ? moneyCells(value).slice(0, currency ? 1 : 2) : [cellOf(value)]
    }),
  )
  return [names, ...cells]
}

const moneyCells = (value: Value): Cell[] =>
  value.kind === 'money' ? [{ digits: value.amount }, value.currency] : ['', '']

function cellOf(value: Value): Cell {
  switch (value.kind) {
    case 'number':
    case 'rate':
      return { digits: String(value.number) }
    case 'boolean':
      return String(value.truth)
    case 'date':
      return value.iso
    case 'list':
      return JSON.stringify(value.items)
    default:
      return textOf(value)
  }
}

/** Returns a file name with the date. */
export const fileName = (title: string, extension: string, now: Date): string =>
  `${title.replace(/[^\w-]*[^\w.-][^\w-]*/g, '-').toLowerCase()}-${now.toISOString().slice(0, 10)}.${extension}`
