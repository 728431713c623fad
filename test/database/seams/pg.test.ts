import { expect, it } from 'vitest'
import { createRowParser } from '../../../src/database/seams/pg.ts'

const message = (code: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(code, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function rowMessage(values: readonly (string | null)[]): Buffer {
  const parts = values.map((value) => {
    const bytes = Buffer.from(value ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(value === null ? -1 : bytes.length)
    return Buffer.concat([length, bytes])
  })
  const count = Buffer.alloc(2)
  count.writeInt16BE(values.length)
  return message('D', Buffer.concat([count, ...parts]))
}

const rows = [
  ['a', null, '', 'long text without a character of its own '.repeat(5), '{"json":[1,"x"]}'],
  ['ä', 'short', '漢字', `${'long text '.repeat(20)}😀`, '\u0000\u007f\u0080'],
  [],
]
const sent = Buffer.concat([...rows.map(rowMessage), message('C', Buffer.from('SELECT 3\0'))])

it.each([sent.length, 1, 7, 100])(
  'pg-protocol still lets its parser be replaced: it reads rows whose bytes arrive %i at a time',
  (size) => {
    const parser = createRowParser()
    const messages: { name: string; fields?: unknown; text?: string }[] = []
    for (let at = 0; at < sent.length; at += size)
      parser.parse(sent.subarray(at, at + size), (message) => messages.push(message as (typeof messages)[number]))
    expect(messages.map(({ name, fields, text }) => ({ name, value: fields ?? text }))).toEqual([
      ...rows.map((value) => ({ name: 'dataRow', value })),
      { name: 'commandComplete', value: 'SELECT 3' },
    ])
  },
)
