import { Prisma } from '../../generated/prisma/client.ts'

// How PostgreSQL writes the rows of an export: a batch is one text, so no row reaches this process.

export const lineFormats = ['csv', 'ndjson'] as const
export type LineFormat = (typeof lineFormats)[number]

export const decimalMarks = ['point', 'comma'] as const

/** Amounts in CSV are in minor units without a decimal mark, and in units of their currency with one. */
export type LineStyle = { format: LineFormat; decimal?: (typeof decimalMarks)[number] | undefined }

/** A comma of amounts would divide cells. Spreadsheets that expect it divide cells by semicolons. */
export const delimiterOf = (decimal: LineStyle['decimal']) => (decimal === 'comma' ? ';' : ',')

/** The name of a column of an amount in units, and the column with its currency. Null for another column. */
export function unitsOf(column: string): { name: string; currency: string } | null {
  if (!column.endsWith('_cents')) return null
  const name = column.slice(0, -'_cents'.length)
  return { name, currency: name.startsWith('commission_') ? 'commission_currency' : 'currency' }
}

/** A value as SQL. In CSV, null is nothing. JSON is never null; with `isWord`, it lacks its quotes. */
export type Cell = { csv: (delimiter: string) => Prisma.Sql; ndjson: Prisma.Sql; isWord?: boolean; isDecimal?: boolean }

/** The columns of a file, in order, with the tables besides that of the rows, `t1`. */
export type Lines = { columns: Record<string, Cell>; from?: Prisma.Sql }

const { raw } = Prisma
const orNull = (value: Prisma.Sql) => Prisma.sql`coalesce(${value}, 'null')`

/** What a spreadsheet would run as a formula, and what has to be quoted. */
const startsFormula = raw(`'^[-=+@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]'`)
const lineFeed = raw(`E'\\n'`)
const carriageReturn = raw(`E'\\r'`)

/** Whether a text matches one of the two. Most do not; a regular expression takes four times as long. */
const isSpecial = (
  text: Prisma.Sql,
  delimiter: Prisma.Sql,
) => Prisma.sql`(ascii(${text}) in (45, 61, 43, 64, 9, 65309, 65291, 65293, 65312)
  or strpos(${text}, ${delimiter}) > 0 or strpos(${text}, '"') > 0 or strpos(${text}, ${lineFeed}) > 0 or strpos(${text}, ${carriageReturn}) > 0)`

function csvText(text: Prisma.Sql, delimiter: string): Prisma.Sql {
  const isQuoted = raw(`'[${delimiter}"\\r\\n]'`)
  return Prisma.sql`case when ${isSpecial(text, raw(`'${delimiter}'`))} then
    concat(case when ${text} ~ ${isQuoted} then '"' end, case when ${text} ~ ${startsFormula} then '''' end,
      replace(${text}, '"', '""'), case when ${text} ~ ${isQuoted} then '"' end) else ${text} end`
}

/** A value that is never null and has no special characters, such as an id or a state. */
export const word = (value: Prisma.Sql): Cell => ({ csv: () => value, ndjson: value, isWord: true })

/** The same, but it can be null. */
export const wordOrNull = (value: Prisma.Sql): Cell => ({
  csv: () => value,
  ndjson: orNull(Prisma.sql`'"' || ${value} || '"'`),
})

export const number = (value: Prisma.Sql): Cell => ({ csv: () => value, ndjson: value })

export const numberOrNull = (value: Prisma.Sql): Cell => ({
  csv: () => value,
  ndjson: orNull(Prisma.sql`${value}::text`),
})

/** A number that can have decimal places, or null. */
export const decimalOrNull = (value: Prisma.Sql): Cell => ({ ...numberOrNull(value), isDecimal: true })

export const flag = (value: Prisma.Sql): Cell => number(Prisma.sql`(${value})::text`)

const timeText = (value: Prisma.Sql) =>
  Prisma.sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const time = (value: Prisma.Sql): Cell => word(timeText(value))
export const timeOrNull = (value: Prisma.Sql): Cell => wordOrNull(timeText(value))

/** Any text, or null. */
export const text = (value: Prisma.Sql): Cell => ({
  csv: (delimiter) => csvText(value, delimiter),
  ndjson: orNull(Prisma.sql`to_json(${value})::text`),
})

/** The texts of a query of one column, `text`, in order. They contain no spaces. */
export const texts = (rows: Prisma.Sql): Cell => ({
  csv: (delimiter) =>
    Prisma.sql`(select ${csvText(raw('line'), delimiter)} from (select string_agg(text, ' ') as line from (${rows}) texts) lines)`,
  ndjson: Prisma.sql`(select concat('[', string_agg(to_json(text)::text, ','), ']') from (${rows}) texts)`,
})

const lineEnds: Record<LineFormat, string> = { csv: '\r\n', ndjson: '\n' }

/** A query of one row and one column: the line of a row of `t1`, with its end. */
export function lineOf({ columns, from }: Lines, { format, decimal }: LineStyle): Prisma.Sql {
  const parts: Prisma.Sql[] = []
  const delimiter = delimiterOf(decimal)
  let fixed = format === 'csv' ? '' : '{'
  const quote = (cell: Cell) => (format === 'ndjson' && cell.isWord ? '"' : '')
  for (const [index, [name, cell]] of Object.entries(columns).entries()) {
    if (index > 0) fixed += format === 'csv' ? delimiter : ','
    if (format === 'ndjson') fixed += `"${name}":`
    parts.push(raw(`'${fixed}${quote(cell)}'`), format === 'csv' ? csvOf(name, cell, columns, decimal) : cell.ndjson)
    fixed = quote(cell)
  }
  parts.push(raw(`'${fixed}${format === 'csv' ? '' : '}'}${lineEnds[format]}'`))
  return Prisma.sql`select concat(${Prisma.join(parts)}) ${from ? Prisma.sql`from ${from}` : Prisma.empty}`
}

function csvOf(name: string, cell: Cell, columns: Lines['columns'], decimal: LineStyle['decimal']): Prisma.Sql {
  const value = cell.csv(delimiterOf(decimal))
  const units = decimal && unitsOf(name)
  const currency = units && columns[units.currency]?.csv(delimiterOf(decimal))
  const plain = currency ? Prisma.sql`reports.units((${value})::bigint, ${currency})` : value
  if (decimal !== 'comma' || !(currency || cell.isDecimal)) return plain
  return Prisma.sql`replace(${plain}::text, '.', ',')`
}
