import { expect, it } from 'vitest'
import { fileName, writeCsv, writeTsv } from '../../../../src/pages/parts/result/spreadsheet.ts'
import { findTables, type Table } from '../../../../src/pages/parts/result/tables.ts'

const tableOf = (rows: object[]) => findTables({ rows })[0] as Table
const csvOf = (rows: object[]) => writeCsv(tableOf(rows).columns, tableOf(rows).rows).split('\r\n').slice(1, -1)

it('writes CSV with a header and CRLF, money as amount and currency, and full timestamps', () => {
  const { columns, rows } = tableOf([
    {
      email: 'a@example.com',
      at: '2026-01-01T10:00:00.000Z',
      sum: { formatted: '12.30 USD' },
      count: 1234,
      tags: ['a', 'b'],
    },
    { email: null, at: null, sum: null, count: null, tags: [] },
  ])
  expect(writeCsv(columns, rows)).toBe(
    'email,at,sum,sum.currency,count,tags\r\na@example.com,2026-01-01T10:00:00.000Z,12.30,usd,1234,"[""a"",""b""]"\r\n,,,,,[]\r\n',
  )
})

it.each([
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'say "x"', '"say ""x"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['=', '=1+1', "'=1+1"],
  ['+', '+1', "'+1"],
  ['-', '-1', "'-1"],
  ['@', '@x', "'@x"],
])('escapes a CSV text with %s', (_, text, expected) => {
  expect(csvOf([{ text }])).toEqual([expected])
})

it('does not escape negative numbers in CSV', () => {
  expect(csvOf([{ n: -1.5, owed: { formatted: '-20.00 EUR' } }])).toEqual(['-1.5,-20.00,eur'])
})

it('writes rates as fractions and money without separators, so that a spreadsheet can calculate', () => {
  expect(csvOf([{ refundRate: 0.0525, sum: { formatted: '1234567.50 USD' } }])).toEqual(['0.0525,1234567.50,usd'])
})

it('writes tab-separated rows for the clipboard and escapes formulas', () => {
  const { columns, rows } = tableOf([{ name: 'a\tb\nc', sum: { formatted: '-1.00 USD' }, evil: '=A1' }])
  expect(writeTsv(columns, rows)).toBe("name\tsum\tsum.currency\tevil\na b c\t-1.00\tusd\t'=A1")
})

it('names files after the table and the date', () => {
  expect(fileName('analytics.timeSeries.points', 'csv', new Date('2026-03-10T12:00:00Z'))).toBe(
    'analytics.timeseries.points-2026-03-10.csv',
  )
  expect(fileName('analytics.*.points: money', 'csv', new Date('2026-03-10T12:00:00Z'))).toBe(
    'analytics-points-money-2026-03-10.csv',
  )
})
