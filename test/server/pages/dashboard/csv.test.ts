import { describe, expect, it } from 'vitest'
import { partsOf, readImportFile } from '../../../../src/server/pages/dashboard/affiliates/import/read-lines.ts'
import { centsOf } from '../../../../src/server/pages/dashboard/campaigns/values.ts'
import { readCsv, readFileText } from '../../../../src/server/pages/dashboard/csv/read.ts'
import { writeCsv } from '../../../../src/server/pages/dashboard/csv/write.ts'

describe('CSV files in the dashboard', () => {
  it('are read with quotes, line breaks, semicolons, a byte order mark and any line endings', () => {
    const { delimiter, records } = readCsv('\uFEFFemail;name\r\n\r\na@x.test;"A; ""B""\r\nC"\r\n;\r\nb@x.test;D')
    expect(delimiter).toBe(';')
    expect(records.map(({ line, values }) => [line, ...values])).toEqual([
      [1, 'email', 'name'],
      [3, 'a@x.test', 'A; "B"\nC'],
      [6, 'b@x.test', 'D'],
    ])
  })

  it('are read in the encoding of spreadsheets on Windows, if they are not UTF-8', async () => {
    expect(await readFileText(new Blob([Uint8Array.from([0x5a, 0x6f, 0xeb])]))).toBe('Zoë')
    expect(await readFileText(new Blob(['Zoë']))).toBe('Zoë')
  })

  it('are sent in parts whose lines lead back to those of the file', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `"n${index}\n",x\n\n`).join('')
    const file = readImportFile('a.csv', `email,name\n${lines}`)
    if (!file) throw new Error('The file has a header.')
    const [first, second] = partsOf(file)
    expect([first?.count, second?.count]).toEqual([250, 50])
    expect([first?.lineOf(2), first?.lineOf(4), second?.lineOf(2)]).toEqual([2, 5, 2 + 250 * 3])
    expect(second?.csv.startsWith('email,name\n"n250\n",x\n"n251')).toBe(true)
  })

  it('are written so that a spreadsheet reads text as text', () => {
    expect(
      writeCsv([
        ['a', 'b'],
        ['=1+1', 'x, "y"\nz'],
        [-1, null],
      ]),
    ).toBe('\uFEFFa,b\r\n\'=1+1,"x, ""y""\nz"\r\n-1,\r\n')
  })
})

describe('amounts in forms', () => {
  it.each([
    ['15', 'usd', 1500],
    ['15,5', 'usd', 1550],
    ['0.01', 'usd', 1],
    ['1500', 'jpy', 1500],
    ['1.234', 'kwd', 1234],
    ['1.234', 'usd', Number.NaN],
    ['15.', 'usd', Number.NaN],
    ['-1', 'usd', Number.NaN],
    ['', 'usd', Number.NaN],
  ])('%s %s is %d minor units', (text, currency, cents) => expect(centsOf(text, currency)).toBe(cents))
})
