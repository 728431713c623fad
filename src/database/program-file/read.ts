import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../operator-error.ts'
import { fileKinds, formatVersion, type Header, type Trailer } from './format.ts'

/** The most rows that are given at a time. */
const batchRows = 500

const damaged = (why: string) =>
  new OperatorError(`The file is damaged: ${why}. Nothing was imported. Copy or export it again.`)

/** What is read, in this order: the header, rows and ranges of the tables in the order of the header, the trailer. */
export type Part =
  | { header: Header }
  | { table: string; rows: string[] }
  | { table: string; ranges: string[] }
  | { trailer: Trailer }

/**
 * Reads a program's file, which can be larger than the memory. Only at the end is it known that the file is whole.
 *
 * @throws OperatorError if the file is none of a program, or of another version, damaged or truncated
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
  const header = parse<Header>(first)
  if (!header || !Object.values(fileKinds).includes(header.file))
    throw new OperatorError(`${file} is not the file of a program.`)
  if (header.format !== formatVersion)
    throw new OperatorError(
      `The file has format ${header.format}, and this version reads ${formatVersion}. Import it with the version that wrote it, or with a newer one.`,
    )
  hash.update(`${first}\n`)
  yield { header }
  async function* readBatches(name: string, count: number) {
    for (let left = count; left > 0; left -= batchRows) {
      const rows: string[] = []
      while (rows.length < Math.min(left, batchRows)) rows.push(await next())
      hash.update(`${rows.join('\n')}\n`)
      if (rows.some((row) => !row.startsWith('{'))) throw damaged(`a row of ${name} is none`)
      yield rows
    }
  }
  for (const { name, count, ranges } of header.tables) {
    for await (const rows of readBatches(name, count)) yield { table: name, rows }
    for await (const lines of readBatches(name, ranges)) yield { table: name, ranges: lines }
  }
  const trailer = parse<Trailer>(await next())
  if (trailer?.end?.sha256 !== hash.digest('hex')) throw damaged('its checksum is not that of its rows')
  if (!(await lines.next()).done) throw damaged('something follows its end')
  yield { trailer }
}

/**
 * Reads a whole file, and gives its first line and its last.
 *
 * @throws OperatorError as readProgramFile
 */
export async function readEnds(file: string): Promise<{ header: Header; trailer: Trailer }> {
  let header: Header | undefined
  for await (const part of readProgramFile(file)) {
    if ('header' in part) header = part.header
    if ('trailer' in part) return { header: header as Header, trailer: part.trailer }
  }
  throw damaged('its end is missing')
}

/** Reads the first line of a file. @throws OperatorError as readProgramFile */
export async function readHeader(file: string): Promise<Header> {
  for await (const part of readProgramFile(file)) if ('header' in part) return part.header
  throw damaged('its start is missing')
}

async function* readLines(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file)
  const text = source.pipe(createGunzip())
  source.once('error', (error) => text.destroy(error))
  // Errors of the stream are not thrown by readline in every version of Node.
  let failure: NodeJS.ErrnoException | undefined
  const lines = createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })
  text.once('error', (error) => {
    failure = error
    lines.close()
  })
  try {
    for await (const line of lines) yield line
  } catch (error) {
    failure = error as Error
  } finally {
    source.destroy()
  }
  if (failure?.code === 'ENOENT') throw new OperatorError(`There is no file ${file}.`)
  if (failure?.code === 'Z_BUF_ERROR') throw damaged('its end is missing')
  if (failure?.code?.startsWith('Z_')) throw damaged(failure.message)
  if (failure) throw failure
}

function parse<T>(line: string): T | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
