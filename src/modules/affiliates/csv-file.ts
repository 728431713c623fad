import { type CsvRecord, readCsv, UnreadableCsv } from '../../kernel/csv.ts'
import { invalid, type Problem } from '../../kernel/errors.ts'
import { repeated } from '../../kernel/input/entries.ts'
import type { Client } from '../../kernel/slices.ts'
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
/** No line of valid values is longer. Wider files take long to read; older spreadsheets have as many columns. */
const limits = { lines: 5 * maximumLines, recordLength: 10_000, columns: 256 }
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
  await readCsv(client, csv, limits, (record) => {
    if (record.values.every((value) => value.trim() === '')) return true
    if (columns) lines.push(readLine(columns, known, record))
    else columns = readHeader(record.values, known)
    return lines.length <= maximumLines
  }).catch((error) => {
    throw error instanceof UnreadableCsv ? unreadable(error.message) : error
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

function readLine(columns: readonly string[], known: FileColumns, { values: given, line }: CsvRecord): FileLine {
  const values = columns.map((column, index) => [known.fields[column] as string, given[index] ?? ''] as const)
  const isTooLong = given.slice(columns.length).some((value) => value.trim() !== '')
  const message = `The line has ${given.length} values, but the header has ${columns.length} columns.`
  return { line, fields: Object.fromEntries(values), problems: isTooLong ? [{ message }] : [] }
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
