import { CsvError, parse } from 'csv-parse/sync'
import { invalid, type Problem } from '../../kernel/errors.ts'

/** The columns of the file, each with its input field. */
export const importColumns = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  token: 'token',
  wallet_a_email: 'walletAEmail',
  wallet_b_email: 'walletBEmail',
  billing_customer_id: 'billingCustomerId',
  coupon: 'coupon',
  campaign: 'campaign',
} as const

type Column = keyof typeof importColumns
export type FileLine = {
  /** The number of the line on which the record begins. The header is line 1. */
  line: number
  fields: Partial<Record<(typeof importColumns)[Column], string>>
  problems: Problem[]
}

/** Keeps the transaction to about two seconds. Larger files can be split, since existing affiliates are skipped. */
const maximumLines = 2_000
const unreadable = (message: string) => invalid([{ field: 'csv', message }])

/**
 * Reads a CSV file with a header as spreadsheets write it: with or without a byte order mark, separated by commas or
 * semicolons, with any line endings. Lines without values are skipped.
 *
 * @throws INVALID_INPUT if the file as a whole cannot be read
 */
export function readImportFile(csv: string): FileLine[] {
  const records = readRecords(csv)
  const [header, ...lines] = records
  if (!header) throw unreadable('The file is empty.')
  const columns = readHeader(header.record)
  if (lines.length > maximumLines) {
    throw unreadable(
      `The file has ${lines.length} lines, but at most ${maximumLines} can be imported at once. Split the file.`,
    )
  }
  return lines.map(({ record, info }) => {
    const values = columns.map((column, index) => [importColumns[column], record[index] ?? ''] as const)
    const isTooLong = record.slice(columns.length).some((value) => value.trim() !== '')
    const message = `The line has ${record.length} values, but the header has ${columns.length} columns.`
    const linesInside = record.join('').split('\n').length - 1
    return {
      line: info.lines - linesInside,
      fields: Object.fromEntries(values),
      problems: isTooLong ? [{ message }] : [],
    }
  })
}

type CsvRecord = { record: string[]; info: { lines: number } }

function readRecords(csv: string): CsvRecord[] {
  // The parser counts a CR LF inside quotes as two lines.
  const text = csv.replace(/\r\n?/g, '\n')
  const [firstLine = ''] = text.trimStart().split('\n', 1)
  try {
    // csv-parse's types ignore the option `info`, which changes what a record is.
    const records: unknown = parse(text, {
      bom: true,
      delimiter: firstLine.includes(';') ? ';' : ',',
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    })
    return records as CsvRecord[]
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(`The file is not valid CSV: ${error.message}.`)
    throw error
  }
}

function readHeader(names: string[]): Column[] {
  const columns = names.map((name) => name.trim().toLowerCase())
  const known = Object.keys(importColumns)
  const problems = [
    ...columns.filter((name) => !known.includes(name)).map((name) => `Unknown column: "${name}".`),
    ...columns.filter((name, index) => columns.indexOf(name) !== index).map((name) => `Duplicate column: "${name}".`),
    ...(columns.includes('email') ? [] : ['The column "email" is missing.']),
  ]
  if (problems.length > 0) {
    const hint = `The first line must be a header. The columns can be ${known.join(', ')}.`
    throw invalid([...problems, hint].map((message) => ({ field: 'csv', message })))
  }
  return columns as Column[]
}
