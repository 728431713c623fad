import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { readDialect } from '../../kernel/csv-dialect.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { repeated } from '../../kernel/input/entries.ts'
import { giveWay } from '../../kernel/slices.ts'
import { excerpt, snakeCase } from '../../kernel/text.ts'
import { affiliates } from '../../resources/affiliates.ts'
import { namesWith } from '../../resources/resource.ts'

/** The fields of the columns, by the names of the columns. */
export const importColumns: Readonly<Record<string, string>> = Object.fromEntries(
  ['email', ...namesWith(affiliates.fields, 'inCsv'), 'token', 'coupon', 'campaign', 'groups'].map((name) => [
    snakeCase(name),
    name,
  ]),
)

/** Other names of columns, in the form of `compact`: those of the convention, and those that people write. */
const columnAliases: Record<string, string> = {
  mail: 'email',
  firstname: 'first_name',
  givenname: 'first_name',
  forename: 'first_name',
  lastname: 'last_name',
  surname: 'last_name',
  familyname: 'last_name',
  linktoken: 'token',
  via: 'token',
  paypalemail: 'wallet_a_email',
  paypal: 'wallet_a_email',
  wiseemail: 'wallet_b_email',
  wise: 'wallet_b_email',
  stripecustomerid: 'billing_customer_id',
  couponcode: 'coupon',
  coupontoken: 'coupon',
  campaignid: 'campaign',
  campaignname: 'campaign',
  group: 'groups',
}

/** "First Name", "FirstName" and "FIRST_NAME *" are one column, so are "PayPal E-mail address" and "paypal_email". */
const compact = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/emailaddress$/, 'email')

const columnsByName = new Map([
  ...Object.entries(columnAliases),
  ...Object.keys(importColumns).map((name): [string, string] => [compact(name), name]),
])

export type FileLine = {
  /** The number of the line on which the record begins. The header is line 1. */
  line: number
  fields: Readonly<Record<string, string>>
  problems: Problem[]
}

/** Keeps the transaction to about two seconds. Larger files can be split, since existing affiliates are skipped. */
const maximumLines = 2_000
/** In characters. No line of valid values is longer. */
const maximumLineLength = 10_000
/** In characters. Other requests are handled between two parts of the file. */
const partLength = 8_192
/** How many problems of the header are reported. */
const maximumHeaderProblems = 3
const unreadable = (message: string) => invalid([{ field: 'csv', message }])

/** Reads a CSV file with a header. Lines without values are skipped. @throws INVALID_INPUT if it is unreadable */
export async function readImportFile(csv: string): Promise<FileLine[]> {
  let columns: string[] | undefined
  const lines: FileLine[] = []
  await readRecords(csv, (record) => {
    if (columns) lines.push(readLine(columns, record))
    else columns = readHeader(record.record)
    return lines.length <= maximumLines
  })
  if (!columns) throw unreadable('The file is empty.')
  if (lines.length > maximumLines) {
    throw unreadable(
      `The file has more than ${maximumLines} lines, but at most ${maximumLines} can be imported at once. Split the file.`,
    )
  }
  return lines
}

function readLine(columns: readonly string[], { record, info }: CsvRecord): FileLine {
  const values = columns.map((column, index) => [importColumns[column] as string, record[index] ?? ''] as const)
  const isTooLong = record.slice(columns.length).some((value) => value.trim() !== '')
  const message = `The line has ${record.length} values, but the header has ${columns.length} columns.`
  const linesInside = record.join('').split('\n').length - 1
  return {
    line: info.lines - linesInside,
    fields: Object.fromEntries(values),
    problems: isTooLong ? [{ message }] : [],
  }
}

type CsvRecord = { record: string[]; info: { lines: number } }

/** Reads records until `take` returns false. Other requests are handled meanwhile. */
async function readRecords(csv: string, take: (record: CsvRecord) => boolean): Promise<void> {
  // The parser counts a CR LF inside quotes as two lines.
  const { text, separator } = readDialect(csv)
  const parser = parse({
    delimiter: separator,
    info: true,
    max_record_size: maximumLineLength,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  try {
    for await (const record of Readable.from(partsOf(text)).pipe(parser)) if (!take(record as CsvRecord)) return
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw unreadable(`A line has more than ${maximumLineLength} characters. Check the quotes.`)
    throw unreadable(`The file is not valid CSV: ${excerpt(error.message)}.`)
  }
}

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += partLength) {
    yield text.slice(at, at + partLength)
    await giveWay()
  }
}

function readHeader(names: string[]): string[] {
  const columns = names.map((name) => columnsByName.get(compact(name)) ?? name.trim())
  const known = Object.keys(importColumns)
  const isRepeated = repeated(columns)
  const repeatedColumns = columns.filter((_name, index) => isRepeated[index])
  const problems = [
    ...columns.filter((name) => !known.includes(name)).map((name) => `Unknown column: "${excerpt(name, 30)}".`),
    ...repeatedColumns.map((name) => `Duplicate column: "${excerpt(name, 30)}".`),
    ...(columns.includes('email') ? [] : ['The column "email" is missing.']),
  ]
  if (problems.length > 0) {
    const hint = `The first line must be a header. The columns can be ${known.join(', ')}.`
    throw invalid([...problems.slice(0, maximumHeaderProblems), hint].map((message) => ({ field: 'csv', message })))
  }
  return columns
}
