import { Parser } from 'pg-protocol/dist/parser.js'
import { requireDetails } from '../../kernel/library-details.ts'
import type { Wire } from './pg.ts'

/** What the parser of pg does with a message of the server. Its types declare it as private. */
type HandlePacket = (offset: number, code: number, length: number, bytes: Buffer) => object

const dataRow = 0x44
/** Looking at the bytes of a longer value takes more time than to decode it. */
const longText = 64

export function readRowsOf(wire: Wire): void {
  wire.attachListeners = (stream) => {
    const parser = createRowParser()
    const emit = (message: { name: string }) =>
      wire.emit(message.name === 'error' ? 'errorMessage' : message.name, message)
    stream.on('data', (bytes: Buffer) => parser.parse(bytes, emit))
  }
}

/** The parser of pg, but the text of a row is decoded once. @throws if the method is gone */
export function createRowParser(): Parser {
  const parser = new Parser()
  const own = parser as unknown as { handlePacket: HandlePacket }
  requireDetails('pg-protocol', 'src/database/seams/pg-protocol.ts', {
    'parser.handlePacket()': typeof own.handlePacket === 'function',
  })
  const handle = own.handlePacket.bind(parser)
  own.handlePacket = (offset, code, length, bytes) =>
    code === dataRow
      ? { name: 'dataRow', length, ...readRow(bytes, offset, offset + length - 4) }
      : handle(offset, code, length, bytes)
  return parser
}

function readRow(bytes: Buffer, start: number, end: number): { fieldCount: number; fields: (string | null)[] } {
  const text = bytes.toString('latin1', start, end)
  const fieldCount = bytes.readInt16BE(start)
  const fields = new Array<string | null>(fieldCount)
  let at = start + 2
  for (let index = 0; index < fieldCount; index += 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) {
      fields[index] = null
      continue
    }
    const next = at + length
    fields[index] =
      length < longText && isAscii(bytes, at, next)
        ? text.slice(at - start, next - start)
        : bytes.toString('utf8', at, next)
    at = next
  }
  return { fieldCount, fields }
}

function isAscii(bytes: Buffer, start: number, end: number): boolean {
  let bits = 0
  for (let at = start; at < end; at += 1) bits |= bytes[at] as number
  return bits < 0x80
}
