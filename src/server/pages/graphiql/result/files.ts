import { stringify } from 'csv-stringify/browser/esm/sync'
import type { Column } from './tables.ts'
import { textOf, type Value } from './values.ts'

/** A number as it is written, exact to its last digit; or a text, which a spreadsheet must not take for a formula. */
type Cell = { digits: string } | string

const readsAsFormula = (text: string) => /^[=+\-@\t\r]/.test(text)

/** As RFC 4180 has it. What a spreadsheet would take for a formula is written as text; numbers stay numbers. */
export function writeCsv(columns: Column[], rows: Value[][]): string {
  return stringify(cellsOf(columns, rows), {
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { object: ({ digits }) => ({ value: String(digits), escape_formulas: false }) },
  })
}

/** For the clipboard: spreadsheets take tabs and line ends for cells and rows, so a value has none. */
export function writeTsv(columns: Column[], rows: Value[][]): string {
  const text = (cell: Cell) => {
    if (typeof cell !== 'string') return cell.digits
    return (readsAsFormula(cell) ? `'${cell}` : cell).replace(/[\t\r\n]+/g, ' ')
  }
  return cellsOf(columns, rows)
    .map((line) => line.map(text).join('\t'))
    .join('\n')
}

/** Money takes two columns, the amount in major units and its currency, so that a spreadsheet can add it up. */
function cellsOf(columns: Column[], rows: Value[][]): Cell[][] {
  const isMoney = columns.map(({ kind }) => kind === 'money')
  const names = columns.flatMap(({ name }, index) => (isMoney[index] ? [name, `${name}.currency`] : [name]))
  const cells = rows.map((row) => row.flatMap((value, index) => (isMoney[index] ? moneyCells(value) : [cellOf(value)])))
  return [names, ...cells]
}

const moneyCells = (value: Value): Cell[] =>
  value.kind === 'money' ? [{ digits: value.amount }, value.currency] : ['', '']

function cellOf(value: Value): Cell {
  switch (value.kind) {
    case 'number':
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

/** A name for a file: what was asked, and when. */
export const fileName = (asked: string, extension: string, now: Date): string =>
  `${asked.replace(/[^\w.-]+/g, '-').toLowerCase()}-${now.toISOString().slice(0, 10)}.${extension}`
