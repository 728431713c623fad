import { stringify } from 'csv-stringify/sync'
import Negotiator from 'negotiator'
import { invalid } from '../kernel/errors.ts'
import { problem } from '../kernel/input/parse.ts'
import type { LineFormat } from '../modules/exports/lines.ts'

export type Row = Readonly<Record<string, unknown>>

/** A file that is being written: its parts, in order. */
export type ExportFile = {
  head?: string
  rows(rows: readonly Row[]): string | Uint8Array
  end?(): Uint8Array
}

/** A format whose files are texts. The columns are the fields of the row type, in its order. */
export type TextFormat = {
  contentType: string
  extension: LineFormat
  /** The text before the rows. */
  head(columns: readonly string[]): string
  lines(rows: readonly Row[], columns: readonly string[]): string
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
    object: (value: object) => (Array.isArray(value) ? value.join(' ') : String(value)),
  },
}

export const formats = {
  csv: {
    contentType: 'text/csv',
    extension: 'csv',
    head: (columns) => stringify([[...columns]], csvOptions),
    lines: (rows, columns) =>
      stringify(
        rows.map((row) => columns.map((column) => row[column])),
        csvOptions,
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
