import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { readDialect } from './csv-dialect.ts'
import { type Client, endIfGone, giveWay } from './slices.ts'
import { excerpt } from './text.ts'

export type CsvRecord = {
  values: string[]
  /** The line in which the record begins. The first line is 1. */
  line: number
}

export type CsvLimits = {
  /** Of a file, empty lines included. */
  lines: number
  /** Of a record, in characters. */
  recordLength: number
  columns: number
  /** Whether blanks around values, also quoted ones, are dropped. */
  trims?: boolean
}

/** A part of the file is parsed at once. In characters. */
const partLength = 8_192
/** Of a part: a line of another length than the first costs the parser 20 µs. */
const partLines = 50

/** Why a text is not read. The message is for people. */
export class UnreadableCsv extends Error {}

/**
 * Reads the records of a CSV file in any dialect of spreadsheets, until `take` returns false. Empty lines are skipped.
 * Other requests run between parts of the file.
 * @throws UnreadableCsv if the file is no CSV, or exceeds a limit; BAD_REQUEST if the client has gone
 */
export async function readCsv(
  client: Client,
  csv: string,
  limits: CsvLimits,
  take: (record: CsvRecord) => boolean,
): Promise<void> {
  checkLines(csv, limits)
  // The parser counts a CR LF inside quotes as two lines.
  const { text, separator } = readDialect(csv)
  const parser = parse({
    delimiter: separator,
    info: true,
    max_record_size: limits.recordLength,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    trim: limits.trims ?? false,
  })
  try {
    for await (const { record: values, info } of Readable.from(partsOf(text)).pipe(parser)) {
      endIfGone(client.signal)
      if (values.length > limits.columns)
        throw new UnreadableCsv(
          `Line ${info.lines} has ${values.length} values, but a file can have ${limits.columns} columns. Remove the empty columns.`,
        )
      if (!take({ values, line: info.lines - lineFeedsIn(values) })) return
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableCsv(
      error.code === 'CSV_MAX_RECORD_SIZE' ? tooLong(limits) : `The file is not valid CSV: ${excerpt(error.message)}.`,
    )
  }
}

const tooLong = ({ recordLength }: CsvLimits) => `A line has more than ${recordLength} characters. Check the quotes.`

/** Before anything else reads the text, because other steps read all of it at once. */
function checkLines(csv: string, limits: CsvLimits): void {
  const lineEnd = /\r\n?|\n|$/g
  let [start, lines] = [0, 0]
  for (let end = lineEnd.exec(csv); end; end = lineEnd.exec(csv)) {
    lines += 1
    if (lines > limits.lines)
      throw new UnreadableCsv(`The file has more than ${limits.lines} lines, empty ones included. Split the file.`)
    if (end.index - start > limits.recordLength) throw new UnreadableCsv(tooLong(limits))
    start = lineEnd.lastIndex
    if (end[0] === '') return
  }
}

const lineFeedsIn = (values: readonly string[]) => values.join('').split('\n').length - 1

async function* partsOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    const end = endOfPart(text, at)
    yield text.slice(at, end)
    at = end
    // An error of a source does not reach the parser that it is piped into.
    await giveWay()
  }
}

function endOfPart(text: string, start: number): number {
  const longest = start + partLength
  let end = start
  for (let lines = 0; lines < partLines; lines += 1) {
    const at = text.indexOf('\n', end)
    if (at < 0 || at >= longest) return longest
    end = at + 1
  }
  return end
}
