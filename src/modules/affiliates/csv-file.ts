import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { readDialect } from '../../kernel/csv-dialect.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { repeated } from '../../kernel/input/entries.ts'
import { type Client, endIfGone, giveWay } from '../../kernel/slices.ts'
import { excerpt } from '../../kernel/text.ts'
import { columnsWith, type FileColumns, type NamedField } from './csv-columns.ts'

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
/** Of a line, empty ones included: as many as older spreadsheets have. More take long to read. */
const maximumColumns = 256
/** In characters. Other requests are handled between two parts of the file. */
const partLength = 8_192
/** How many problems of the header are reported. */
const maximumHeaderProblems = 3
const unreadable = (message: string) => invalid([{ field: 'csv', message }])

/**
 * Reads a CSV file with a header. Lines without values are skipped.
 * @param ownFields whose columns it can have
 * @throws INVALID_INPUT if it is unreadable
 */
export async function readImportFile(
  client: Client,
  csv: string,
  ownFields: readonly NamedField[],
): Promise<FileLine[]> {
  const known = columnsWith(ownFields)
  let columns: string[] | undefined
  const lines: FileLine[] = []
  await readRecords(client, csv, (record) => {
    if (record.record.length > maximumColumns) throw tooWide(record)
    if (record.record.every((value) => value.trim() === '')) return true
    if (columns) lines.push(readLine(columns, known, record))
    else columns = readHeader(record.record, known)
    return lines.length <= maximumLines
  })
  if (!columns) throw unreadable('The file is empty.')
  if (csv.includes('\uFFFD'))
    throw unreadable(
      'The file has lost characters (\uFFFD): it was read in another encoding than its own. Save the table as "CSV UTF-8", and import that file.',
    )
  if (lines.length > maximumLines) {
    throw unreadable(
      `The file has more than ${maximumLines} lines, but at most ${maximumLines} can be imported at once. Split the file.`,
    )
  }
  return lines
}

function readLine(columns: readonly string[], known: FileColumns, { record, info }: CsvRecord): FileLine {
  const values = columns.map((column, index) => [known.fields[column] as string, record[index] ?? ''] as const)
  const isTooLong = record.slice(columns.length).some((value) => value.trim() !== '')
  const message = `The line has ${record.length} values, but the header has ${columns.length} columns.`
  const linesInside = record.join('').split('\n').length - 1
  return {
    line: info.lines - linesInside,
    fields: Object.fromEntries(values),
    problems: isTooLong ? [{ message }] : [],
  }
}

const tooWide = ({ record, info }: CsvRecord) =>
  unreadable(
    `Line ${info.lines} has ${record.length} values, but a file can have ${maximumColumns} columns. Remove the empty columns.`,
  )

type CsvRecord = { record: string[]; info: { lines: number } }

/** Reads records until `take` returns false. Other requests are handled meanwhile. */
async function readRecords(client: Client, csv: string, take: (record: CsvRecord) => boolean): Promise<void> {
  // The parser counts a CR LF inside quotes as two lines.
  const { text, separator } = readDialect(csv)
  const parser = parse({
    delimiter: separator,
    info: true,
    max_record_size: maximumLineLength,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
  })
  try {
    for await (const record of Readable.from(partsOf(text)).pipe(parser)) {
      endIfGone(client.signal)
      if (!take(record as CsvRecord)) return
    }
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
    // An error of a source does not reach the parser that it is piped into.
    await giveWay()
  }
}

function readHeader(names: string[], { fields, columnOf }: FileColumns): string[] {
  const columns = names.map(columnOf)
  const known = Object.keys(fields)
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
