import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { describeCause, OperatorError } from '../../../database/operator-error.ts'
import { decodeText, notText, readDialect } from '../../../kernel/csv-dialect.ts'
import { columns, type ExportList, needed } from './columns.ts'

/** A line of an export. `place` names it in messages. */
export type Line = {
  place: string
  /** The first value that is not blank of the columns of a field. */
  get(field: string): string | undefined
  /** All of them: a reference can have an id and an e-mail address. */
  all(field: string): string[]
}

/** Reads a file. @throws OperatorError if it is unreadable, or lacks a column */
export async function readExport(list: ExportList, path: string): Promise<Line[]> {
  const name = basename(path)
  const bytes = await readFile(path).catch((error) => {
    throw new OperatorError(`${path} cannot be read: ${describeCause(error)}`)
  })
  const csv = decodeText(bytes)
  if (csv === null) throw new OperatorError(`${path} cannot be read. ${notText}`)
  const [header, ...records] = recordsOf(name, csv)
  if (!header) throw new OperatorError(`${name} is empty.`)
  const names = header.record.map(wordsOf)
  const places = Object.fromEntries(
    Object.entries(columns[list]).map(([field, wanted]) => [
      field,
      (wanted as readonly string[]).map((one) => names.indexOf(one)).filter((index) => index >= 0),
    ]),
  )
  for (const field of needed[list]) {
    if (places[field]?.length) continue
    const wanted = (columns[list] as Record<string, readonly string[]>)[field] ?? []
    throw new OperatorError(`${name} has no column for the ${field}. Name it ${wanted.slice(0, 3).join(' or ')}.`)
  }
  return records.map(({ record, line }) => {
    const all = (field: string) =>
      (places[field] ?? []).map((index) => record[index]?.trim() ?? '').filter((value) => value !== '')
    return { place: `${name}, line ${line}`, all, get: (field) => all(field)[0] }
  })
}

/** "Promoter Email" is promoter_email. */
const wordsOf = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '_')
    .replace(/^_|_$/g, '')

function recordsOf(name: string, csv: string): { record: string[]; line: number }[] {
  const { text, separator } = readDialect(csv)
  try {
    const records = parse(text, {
      delimiter: separator,
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return records.map(({ record, info }) => ({
      record,
      line: info.lines - (record.join('').split('\n').length - 1),
    }))
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(`${name} is not valid CSV: ${error.message}.`)
    throw error
  }
}
