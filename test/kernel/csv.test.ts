import { expect, it } from 'vitest'
import { type CsvRecord, readCsv } from '../../src/kernel/csv.ts'

const limits = { lines: 10_000, recordLength: 1_000, columns: 20 }

/** The records, and how many turns of the event loop others had meanwhile. */
async function read(csv: string) {
  const records: CsvRecord[] = []
  let [turns, isOver] = [0, false]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await readCsv({}, csv, limits, (record) => records.push(record) > 0).finally(() => {
    isOver = true
  })
  return { records, turns }
}

it('each record has the line in which it begins', async () => {
  const { records } = await read('a;b\r\n\r\n"1\r\n2";3\r\n4')
  expect(records).toEqual([
    { values: ['a', 'b'], line: 1 },
    { values: ['1\n2', '3'], line: 3 },
    { values: ['4'], line: 5 },
  ])
})

it.each([
  ['of few values', 'a\n'],
  ['of another length than the first', ',,\n'],
  ['in quotes', '"a","b"\n'],
])('others have a turn after each fifty lines %s', async (_name, line) => {
  const { records, turns } = await read(`email\n${line.repeat(5_000)}`)
  expect(records).toHaveLength(5_001)
  expect(turns).toBeGreaterThanOrEqual(100)
})

it.each([
  ['lines, also empty ones', '\n'.repeat(10_001), 'The file has more than 10000 lines, empty ones included.'],
  ['values in a line', `a\n${','.repeat(20)}`, 'Line 2 has 21 values, but a file can have 20 columns.'],
  ['lines of an old computer', '\r'.repeat(10_001), 'The file has more than 10000 lines'],
  ['values without characters', `a\n${','.repeat(1_001)}`, 'A line has more than 1000 characters.'],
  ['characters in a line', `a\n"${'b\n'.repeat(600)}`, 'A line has more than 1000 characters. Check the quotes.'],
])('a file with too many %s is not read', async (_name, csv, message) => {
  await expect(read(csv)).rejects.toThrow(message)
})
