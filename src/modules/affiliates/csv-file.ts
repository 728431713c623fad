import { CsvError, parse } from 'csv-parse/sync'
import { invalid, type Problem } from '../../kernel/errors.ts'

/** The columns of a file of affiliates, and what each is called as an input. */
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
  /** Where it begins in the file, counted from 1 for the header. */
  line: number
  fields: Partial<Record<(typeof importColumns)[Column], string>>
  problems: Problem[]
}

/** Two seconds of work in one transaction; a larger file can be imported in parts, as whoever is there already is passed over. */
const mostLines = 2_000
const unreadable = (message: string) => invalid([{ field: 'csv', message }])

/**
 * Reads a CSV file with a header, as spreadsheets write it: with a byte order mark or without, separated by commas or
 * semicolons, lines that end in any way. Lines without any value are passed over.
 *
 * @throws INVALID_INPUT where the file can not be read as a whole
 */
export function readImportFile(csv: string): FileLine[] {
  const records = readRecords(csv)
  const [header, ...lines] = records
  if (!header) throw unreadable('The file is empty.')
  const columns = readHeader(header.record)
  if (lines.length > mostLines) {
    throw unreadable(`The file has ${lines.length} lines; at most ${mostLines} can be imported at once: split it.`)
  }
  return lines.map(({ record, info }) => {
    const values = columns.map((column, index) => [importColumns[column], record[index] ?? ''] as const)
    const isTooLong = record.slice(columns.length).some((value) => value.trim() !== '')
    const message = `The line has ${record.length} values, and the header names ${columns.length} columns.`
    const linesInside = record.join('').split('\n').length - 1
    return {
      line: info.lines - linesInside,
      fields: Object.fromEntries(values),
      problems: isTooLong ? [{ message }] : [],
    }
  })
}

function readRecords(csv: string): { record: string[]; info: { lines: number } }[] {
  // The parser counts a line that ends in CR LF inside quotes twice.
  const text = csv.replace(/\r\n?/g, '\n')
  const [firstLine = ''] = text.trimStart().split('\n', 1)
  try {
    return parse(text, {
      bom: true,
      delimiter: firstLine.includes(';') ? ';' : ',',
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as never
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(`The file is no CSV: ${error.message}.`)
    throw error
  }
}

function readHeader(names: string[]): Column[] {
  const columns = names.map((name) => name.trim().toLowerCase())
  const known = Object.keys(importColumns)
  const problems = [
    ...columns.filter((name) => !known.includes(name)).map((name) => `Unknown column: "${name}".`),
    ...columns
      .filter((name, index) => columns.indexOf(name) !== index)
      .map((name) => `The column "${name}" is named twice.`),
    ...(columns.includes('email') ? [] : ['There is no column "email".']),
  ]
  if (problems.length > 0) {
    const hint = `The first line names the columns; they can be ${known.join(', ')}.`
    throw invalid([...problems, hint].map((message) => ({ field: 'csv', message })))
  }
  return columns as Column[]
}
