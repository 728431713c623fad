import { stringify } from 'csv-stringify/sync'
import Negotiator from 'negotiator'
import { invalid, TributaryError } from '../kernel/errors.ts'
import { problem } from '../kernel/input/parse.ts'

/** How rows become lines. The columns are those of the operation's row type, in its order. */
export type FileFormat = {
  contentType: string
  extension: string
  /** What stands before the rows. */
  head(columns: readonly string[]): string
  lines(rows: readonly Row[], columns: readonly string[]): string
}
type Row = Readonly<Record<string, unknown>>

/** As RFC 4180 has it; what a spreadsheet would take for a formula is written as text, numbers stay numbers. */
const csvOptions = {
  record_delimiter: '\r\n',
  quoted_match: /[\r\n]/,
  escape_formulas: true,
  cast: {
    boolean: (value: boolean) => String(value),
    date: (value: Date) => value.toISOString(),
    // Tokens have no blanks, so that a cell can be split again.
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
} satisfies Record<string, FileFormat>

const offered = Object.values(formats).map(({ contentType }) => contentType)

/**
 * The format that a request asks for: by `format` in its query, else by its Accept header; CSV unless it says.
 *
 * @throws INVALID_INPUT for another format; NOT_ACCEPTABLE where the caller takes neither
 */
export function chooseFormat(asked: unknown, accept: string | null): FileFormat {
  if (asked !== undefined && asked !== '') {
    if (asked === 'csv' || asked === 'ndjson') return formats[asked]
    throw invalid([problem('format', `must be one of: ${Object.keys(formats).join(', ')}`)])
  }
  const chosen = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaType(offered)
  const format = Object.values(formats).find(({ contentType }) => contentType === chosen)
  if (format) return format
  throw new TributaryError('NOT_ACCEPTABLE', `An export is ${offered.join(' or ')}. Name one of them in Accept.`)
}
