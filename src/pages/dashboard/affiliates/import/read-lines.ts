import { type CsvRecord, readCsv } from '../../csv/read.ts'

/** How many lines are sent at once. The service takes up to 2,000; fewer show how far it is. */
const linesAtOnce = 250

/** A file of affiliates, as it was read in the browser. */
export type ImportFile = { name: string; header: CsvRecord; lines: readonly CsvRecord[] }

/** Null for a file without a header. */
export function readImportFile(name: string, text: string): ImportFile | null {
  const [header, ...lines] = readCsv(text).records
  return header ? { name, header, lines } : null
}

/** A part of the file that is sent at once. */
export type Part = {
  csv: string
  /** How many lines it has. */
  count: number
  /** The line of the file, by the line of the part. */
  lineOf(line: number): number
}

/** The file in parts, each with the header. A part without lines still has its header checked. */
export function partsOf({ header, lines }: Pick<ImportFile, 'header' | 'lines'>): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < Math.max(1, lines.length); at += linesAtOnce) {
    const part = lines.slice(at, at + linesAtOnce)
    const lineOf = new Map<number, number>()
    let line = lengthOf(header) + 1
    for (const record of part) {
      lineOf.set(line, record.line)
      line += lengthOf(record)
    }
    parts.push({
      csv: [header, ...part].map(({ text }) => text).join('\n'),
      count: part.length,
      lineOf: (sent) => lineOf.get(sent) ?? sent,
    })
  }
  return parts
}

/** Quoted values can have line breaks. */
const lengthOf = ({ text }: CsvRecord) => text.split('\n').length
