import { stringify } from 'csv-stringify/sync'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import { flag, oneOf, optional } from '../kernel/input/fields.ts'
import { parseInput, problem } from '../kernel/input/parse.ts'
import { toMajorUnits } from '../kernel/money/decimals.ts'
import { decimalMarks, delimiterOf, type LineFormat, type LineStyle, unitsOf } from '../modules/exports/lines.ts'
import { byteOrderMark } from '../modules/payout-methods/csv.ts'

export type Row = Readonly<Record<string, unknown>>

/** A file that is being written: its parts, in order. */
export type ExportFile = {
  head?: string
  rows(rows: readonly Row[]): string | Uint8Array
  end?(): Uint8Array
}

/** What a request can choose of a CSV file. */
export type CsvChoice = Pick<LineStyle, 'decimal'> & { hasMark: boolean }

/** A format whose files are texts. The columns are the fields of the row type, in its order. */
export type TextFormat = {
  contentType: string
  extension: LineFormat
  /** The text before the rows. */
  head(columns: readonly string[], choice?: CsvChoice): string
  lines(rows: readonly Row[], columns: readonly string[], choice?: CsvChoice): string
}

export type ExportFormat = TextFormat | typeof parquet

/** Its parts are bytes: see `parquetFile`. */
export const parquet = { contentType: 'application/vnd.apache.parquet', extension: 'parquet' } as const

/** RFC 4180. Texts that a spreadsheet would run as a formula are escaped; numbers are not. */
const csvOptions = {
  record_delimiter: '\r\n',
  quoted_match: /[\r\n]/,
  escape_formulas: true,
  cast: {
    boolean: (value: boolean) => String(value),
    date: (value: Date) => value.toISOString(),
    // Lists hold tokens, which contain no spaces, so a cell can be split again.
    object: (value: object) => {
      if ('amount' in value) return { value: String(value.amount), escape_formulas: false }
      return Array.isArray(value) ? value.join(' ') : String(value)
    },
  },
}

const plain: CsvChoice = { hasMark: false }

const csvLines = (cells: unknown[][], { decimal }: CsvChoice) =>
  stringify(cells, { ...csvOptions, delimiter: delimiterOf(decimal) })

/** With a decimal mark, an amount is in units. It is no text, so it is not escaped if it is negative. */
function csvCell(row: Row, column: string, { decimal }: CsvChoice): unknown {
  const value = row[column]
  const units = decimal && unitsOf(column)
  const isAmount = units && value !== null && value !== undefined
  if (!isAmount && !(decimal === 'comma' && typeof value === 'number')) return value
  const amount = isAmount ? toMajorUnits(BigInt(value as number), String(row[units.currency])) : String(value)
  return { amount: decimal === 'comma' ? amount.replace('.', ',') : amount }
}

export const formats = {
  csv: {
    contentType: 'text/csv',
    extension: 'csv',
    head: (columns, choice = plain) =>
      (choice.hasMark ? byteOrderMark : '') +
      csvLines([columns.map((column) => (choice.decimal && unitsOf(column)?.name) || column)], choice),
    lines: (rows, columns, choice = plain) =>
      csvLines(
        rows.map((row) => columns.map((column) => csvCell(row, column, choice))),
        choice,
      ),
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    lines: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
} satisfies Record<LineFormat, TextFormat>

const byName: Record<string, ExportFormat> = { ...formats, jsonl: formats.ndjson, parquet }

/** The values of `format`. JSON lines have two names. */
export const formatNames = Object.keys(byName)

const offered = [formats.csv, formats.ndjson, parquet]

/** The query's `format`, else Accept's, else CSV: many clients always accept JSON. @throws INVALID_INPUT */
export function chooseFormat(name: unknown, accept: string | null): ExportFormat {
  if (name !== undefined && name !== '') {
    const format = Object.hasOwn(byName, String(name)) ? byName[String(name)] : undefined
    if (format) return format
    throw invalid([problem('format', `must be one of: ${formatNames.join(', ')}`)])
  }
  const types = offered.map(({ contentType }) => contentType)
  const chosen = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaType(types)
  return offered.find(({ contentType }) => contentType === chosen) ?? formats.csv
}

const csvChoices = z.object({
  bom: optional(flag()),
  decimal: optional(oneOf('DecimalMark', decimalMarks)),
})

/** What a request chooses of a CSV file. @throws INVALID_INPUT */
export async function chooseCsv(bom: unknown, decimal: unknown, format: ExportFormat): Promise<CsvChoice> {
  const chosen = await parseInput(csvChoices, { bom, decimal })
  const isGiven = chosen.bom !== undefined || chosen.decimal !== undefined
  if (isGiven && format !== formats.csv) throw invalid([problem('format', 'must be csv for bom and decimal')])
  return { hasMark: chosen.bom ?? false, decimal: chosen.decimal }
}
