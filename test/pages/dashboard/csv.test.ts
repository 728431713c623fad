import { describe, expect, it } from 'vitest'
import { partsOf, readImportFile } from '../../../src/pages/dashboard/affiliates/import/read-lines.ts'
import { readCsv, readFileText } from '../../../src/pages/dashboard/csv/read.ts'
import { writeCells } from '../../../src/pages/parts/result/spreadsheet.ts'

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

  it.each([
    ['sep=;\nemail;name, given\na@x.test;A', ';'],
    ['email\tname\na@x.test\tA', '\t'],
    ['"e;m;a;i;l",name\na@x.test,A', ','],
  ])('have the separator that is named, or is the most frequent of the header: %j', (csv, separator) => {
    const { delimiter, records } = readCsv(csv)
    expect(delimiter).toBe(separator)
    expect(records.at(-1)?.values).toEqual(['a@x.test', 'A'])
  })

  it('are read in the encoding of spreadsheets on Windows, if they are not UTF-8', async () => {
    expect(await readFileText(new Blob([Uint8Array.from([0x5a, 0x6f, 0xeb])]))).toBe('Zoë')
    expect(await readFileText(new Blob(['Zoë']))).toBe('Zoë')
    expect(await readFileText(new Blob([Uint8Array.from([0xff, 0xfe, 0x5a, 0x00, 0xeb, 0x00])]))).toBe('Zë')
    expect(await readFileText(new Blob([Uint8Array.from([0xfe, 0xff, 0x00, 0x5a, 0x00, 0xeb])]))).toBe('Zë')
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
      writeCells(
        [
          ['a', 'b'],
          ['=1+1', 'x, "y"\nz'],
          [{ digits: '-1' }, ''],
        ],
        { bom: true },
      ),
    ).toBe('\uFEFFa,b\r\n\'=1+1,"x, ""y""\nz"\r\n-1,\r\n')
  })
})
