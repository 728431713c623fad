import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../operator-error.ts'

const mebibyte = 2 ** 20

/** Rows have a few hundred bytes. The longest line is the last one, with about 300 bytes for each thousand rows. */
const longestLine = 64 * mebibyte

/** Rows are compressed to a sixth or less. A thousandth is a file that was made to fill a disk or a memory. */
const largestExpansion = 100

/** Below it, any expansion is accepted. */
const smallText = 16 * mebibyte

const lineFeed = 0x0a

export const damaged = (why: string) =>
  new OperatorError(`The file is damaged: ${why}. Nothing was imported. Copy or export it again.`)

const tooLarge = (why: string) =>
  new OperatorError(`The file is not one of export-program: ${why}. Nothing was imported. Be sure where it comes from.`)

/** The lines of a compressed file, in bounded memory. @throws OperatorError if it is unreadable or too large */
export async function* readLines(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file)
  const text = source.pipe(createGunzip())
  source.once('error', (error) => text.destroy(error))
  let parts: Buffer[] = []
  let [length, total] = [0, 0]
  const add = (part: Buffer) => {
    length += part.length
    if (length > longestLine) throw tooLarge(`a line has more than ${longestLine / mebibyte} MiB`)
    parts.push(part)
  }
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > smallText && total > largestExpansion * source.bytesRead)
        throw tooLarge(`it expands to more than ${largestExpansion} times its size`)
      let start = 0
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        add(chunk.subarray(start, end))
        yield Buffer.concat(parts).toString('utf8')
        parts = []
        length = 0
        start = end + 1
      }
      if (start < chunk.length) add(chunk.subarray(start))
    }
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException, file)
  } finally {
    source.destroy()
    text.destroy()
  }
  // What follows the last line feed is a line that was cut off, or somebody added it.
  if (length > 0) yield Buffer.concat(parts).toString('utf8')
}

function failureOf(error: NodeJS.ErrnoException, file: string): Error {
  if (error.code === 'ENOENT') return new OperatorError(`There is no file ${file}.`)
  if (error.code === 'EISDIR') return new OperatorError(`${file} is a folder. Name the file of export-program.`)
  if (error.code === 'Z_BUF_ERROR') return damaged('its end is missing')
  if (error.code?.startsWith('Z_')) return damaged(error.message)
  return error
}
