import { stringify } from 'csv-stringify/sync'
import Negotiator from 'negotiator'
import { invalid } from '../kernel/errors.ts'
import { problem } from '../kernel/input/parse.ts'

/** How rows are written. The columns are the fields of the row type, in its order. */
export type ExportFormat = {
  contentType: string
  extension: string
  /** The text before the rows. */
  head(columns: readonly string[]): string
  lines(rows: readonly Row[], columns: readonly string[]): string
}
type Row = Readonly<Record<string, unknown>>

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
} satisfies Record<string, ExportFormat>

/** JSON lines have two names. */
export const formatNames = [...Object.keys(formats), 'jsonl']

const offered = Object.values(formats).map(({ contentType }) => contentType)

/** The query's `format`, else Accept's, else CSV: many clients always accept JSON. @throws INVALID_INPUT */
export function chooseFormat(name: unknown, accept: string | null): ExportFormat {
  if (name !== undefined && name !== '') {
    const format = name === 'jsonl' ? 'ndjson' : name
    if (format === 'csv' || format === 'ndjson') return formats[format]
    throw invalid([problem('format', `must be one of: ${formatNames.join(', ')}`)])
  }
  const chosen = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaType(offered)
  return Object.values(formats).find(({ contentType }) => contentType === chosen) ?? formats.csv
}
