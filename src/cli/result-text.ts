import { printable } from './import/printable.ts'

/** A result for people: lists are tables, records have one field a line. */
export function resultText(result: unknown): string {
  const parts = Object.entries(result as Record<string, unknown>).map(([name, value]) => {
    if (Array.isArray(value)) return tableText(name, value)
    return isRecord(value) ? recordText(name, value) : `${inWords(name)}: ${cellText(value)}`
  })
  return parts.join('\n\n')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function recordText(name: string, record: Record<string, unknown>): string {
  const fields = Object.entries(record)
  const width = Math.max(...fields.map(([field]) => field.length))
  return [inWords(name), ...fields.map(([field, value]) => `  ${field.padEnd(width)}  ${cellText(value)}`)].join('\n')
}

function tableText(name: string, rows: readonly Record<string, unknown>[]): string {
  const [first] = rows
  if (!first) return `No ${inWords(name).toLowerCase()}.`
  const columns = Object.keys(first)
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column])))]
  const widths = columns.map((_, n) => Math.max(...cells.map((line) => (line[n] as string).length)))
  const lines = cells.map((line) =>
    line
      .map((cell, n) => cell.padEnd(widths[n] as number))
      .join('  ')
      .trimEnd(),
  )
  return lines.join('\n')
}

const inWords = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ')

const cellText = (value: unknown) => (value === null || value === undefined ? '-' : printable(String(value)))
