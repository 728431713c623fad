import { decodeText, readDialect } from '../../../kernel/csv-dialect.ts'

/** A record of a CSV file. */
export type CsvRecord = {
  /** The line on which it begins. The header is on line 1. */
  line: number
  /** As it is in the file. */
  text: string
  values: string[]
}

/**
 * Reads the records of a CSV file, so that a page can show and split it. Separators are found as the import of the
 * service finds them. Records without values are left out.
 */
export function readCsv(csv: string): { delimiter: string; records: CsvRecord[] } {
  const { text, separator: delimiter } = readDialect(csv)
  const records: CsvRecord[] = []
  let [line, start, isQuoted] = [1, 0, false]
  let startLine = line
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    const isEnd = at === text.length || (character === '\n' && !isQuoted)
    if (isEnd) {
      const record = text.slice(start, at)
      const values = valuesOf(record, delimiter)
      if (values.some((value) => value.trim() !== '')) records.push({ line: startLine, text: record, values })
      start = at + 1
      startLine = line + 1
    }
    if (character === '\n') line += 1
  }
  return { delimiter, records }
}

function valuesOf(record: string, delimiter: string): string[] {
  const values: string[] = []
  let [value, isQuoted] = ['', false]
  for (let at = 0; at < record.length; at++) {
    const character = record[at] as string
    if (character === '"') {
      if (isQuoted && record[at + 1] === '"') value += record[++at]
      else isQuoted = !isQuoted
    } else if (character === delimiter && !isQuoted) {
      values.push(value)
      value = ''
    } else value += character
  }
  return [...values, value]
}

/** Null if it is no text file. */
export const readFileText = async (file: Blob): Promise<string | null> =>
  decodeText(new Uint8Array(await file.arrayBuffer()))
