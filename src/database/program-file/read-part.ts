import { createHash } from 'node:crypto'
import { OperatorError } from '../operator-error.ts'
import { fileKinds, formatVersion, type Header, type Trailer } from './format.ts'
import { readHeaderLine, readTrailerLine } from './header.ts'
import { damaged, readLines } from './lines.ts'
import { programColumnOf } from './tables.ts'

const batchRows = 500
const batchCharacters = 4 * 2 ** 20

/** What is read, in this order: the header, rows and ranges of the tables in the order of the header, the trailer. */
export type Part =
  | { header: Header }
  | { table: string; rows: string[] }
  | { table: string; ranges: string[] }
  | { trailer: Trailer }

/**
 * Reads a program's file, which can be larger than the memory. Whether it is complete is known only at the end. Rows
 * are checked to be of the header's program.
 * @throws OperatorError if the file is not a program file, is of another version, is damaged or truncated, or has a row
 *   of another program
 */
export async function* readProgramFile(file: string): AsyncGenerator<Part> {
  const hash = createHash('sha256')
  const lines = readLines(file)
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw damaged('its end is missing')
    return value
  }
  const first = await next()
  const line = parse<Record<string, unknown>>(first)
  if (!line || !Object.values<unknown>(fileKinds).includes(line.file))
    throw new OperatorError(`${file} is not the file of a program.`)
  if (line.format !== formatVersion)
    throw new OperatorError(
      `The file has format ${line.format}, and this version reads ${formatVersion}. Import it with the version that wrote it, or with a newer one.`,
    )
  const header = readHeaderLine(line)
  hash.update(`${first}\n`)
  yield { header }
  async function* readBatches(count: number, check: (line: string) => void) {
    for (let left = count; left > 0; ) {
      const batch: string[] = []
      for (let size = 0; left > 0 && batch.length < batchRows && size < batchCharacters; left -= 1) {
        const line = await next()
        check(line)
        hash.update(`${line}\n`)
        batch.push(line)
        size += line.length
      }
      yield batch
    }
  }
  for (const { name, count, ranges } of header.tables) {
    for await (const rows of readBatches(count, (row) => checkRow(header, name, row))) yield { table: name, rows }
    for await (const lines of readBatches(ranges, (range) => parseLine(name, range)))
      yield { table: name, ranges: lines }
  }
  const trailer = readTrailerLine(parse(await next()))
  if (trailer.end.sha256 !== hash.digest('hex')) throw damaged('its checksum is not that of its rows')
  if (!(await lines.next()).done) throw damaged('something follows its end')
  yield { trailer }
}

/** Reads a whole file, and returns its first line and its last. @throws OperatorError as readProgramFile */
export async function readEnds(file: string): Promise<{ header: Header; trailer: Trailer }> {
  let header: Header | undefined
  for await (const part of readProgramFile(file)) {
    if ('header' in part) header = part.header
    if ('trailer' in part) return { header: header as Header, trailer: part.trailer }
  }
  throw damaged('its end is missing')
}

/** A row that names another program would become one of that program. */
function checkRow({ program }: Header, table: string, row: string): void {
  const named = parseLine(table, row)[programColumnOf(table)]
  if (named !== program.id)
    throw new OperatorError(
      `The file is not one of export-program: it is of the program ${program.id}, and a row of ${table} is of ${JSON.stringify(named)?.slice(0, 100)}. Nothing was imported. Be sure where the file comes from.`,
    )
}

/** A line is one JSON object: two of them in a line would be two rows. */
function parseLine(table: string, line: string): Record<string, unknown> {
  const value = parse<Record<string, unknown>>(line)
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw damaged(`a line of ${table} is not a row`)
  return value
}

function parse<T>(line: string): T | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
