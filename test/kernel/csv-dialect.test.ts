import { expect, it } from 'vitest'
import { decodeText } from '../../src/kernel/csv-dialect.ts'

const csv = 'email;first_name;last_name\r\njürgen@x.test;Jürgen;Müller – „Größe" 10 €'
const utf16 = Buffer.from(csv, 'utf16le')
const windows = Buffer.from(
  [...csv].map((letter) => ({ '–': 0x96, '„': 0x84, '€': 0x80 })[letter] ?? letter.charCodeAt(0)),
)

it.each([
  ['UTF-8', Buffer.from(csv)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${csv}`)],
  ['Windows-1252', windows],
  ['UTF-16 of Excel', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
  ['UTF-16, big endian', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
  ['UTF-16 without a mark', utf16],
  ['UTF-16, big endian, without a mark', Buffer.from(utf16).swap16()],
])('a file in %s is read', (_name, bytes) => {
  expect(decodeText(bytes)).toBe(csv)
})

it.each([
  ['a workbook', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x81])],
  ['half of UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16.subarray(0, 9)])],
  ['bytes of no letter', Buffer.from([0x61, 0x81, 0x8d])],
])('%s is not read as a text', (_name, bytes) => {
  expect(decodeText(bytes)).toBeNull()
})
