import { Prisma } from '../../generated/prisma/client.ts'

// How PostgreSQL writes the rows of an export: a batch is one text, so no row reaches this process.

export const lineFormats = ['csv', 'ndjson'] as const
export type LineFormat = (typeof lineFormats)[number]

/** A value as SQL. In CSV, null is nothing. JSON is never null; with `isWord`, it lacks its quotes. */
export type Cell = { csv: Prisma.Sql; ndjson: Prisma.Sql; isWord?: boolean }

/** The columns of a file, in order, with the tables besides that of the rows, `t1`. */
export type Lines = { columns: Record<string, Cell>; from?: Prisma.Sql }

const { raw } = Prisma
const orNull = (value: Prisma.Sql) => Prisma.sql`coalesce(${value}, 'null')`

/** What a spreadsheet would run as a formula, and what has to be quoted. */
const startsFormula = raw(`'^[-=+@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]'`)
const isQuoted = raw(`'[,"\\r\\n]'`)
const lineFeed = raw(`E'\\n'`)
const carriageReturn = raw(`E'\\r'`)

/** Whether a text matches one of the two. Most do not; a regular expression takes four times as long. */
const isSpecial = (text: Prisma.Sql) => Prisma.sql`(ascii(${text}) in (45, 61, 43, 64, 9, 65309, 65291, 65293, 65312)
  or strpos(${text}, ',') > 0 or strpos(${text}, '"') > 0 or strpos(${text}, ${lineFeed}) > 0 or strpos(${text}, ${carriageReturn}) > 0)`

const csvText = (text: Prisma.Sql) => Prisma.sql`case when ${isSpecial(text)} then
  concat(case when ${text} ~ ${isQuoted} then '"' end, case when ${text} ~ ${startsFormula} then '''' end,
    replace(${text}, '"', '""'), case when ${text} ~ ${isQuoted} then '"' end) else ${text} end`

/** A value that is never null and has no special characters, such as an id or a state. */
export const word = (value: Prisma.Sql): Cell => ({ csv: value, ndjson: value, isWord: true })

/** The same, but it can be null. */
export const wordOrNull = (value: Prisma.Sql): Cell => ({
  csv: value,
  ndjson: orNull(Prisma.sql`'"' || ${value} || '"'`),
})

export const number = (value: Prisma.Sql): Cell => ({ csv: value, ndjson: value })

export const numberOrNull = (value: Prisma.Sql): Cell => ({ csv: value, ndjson: orNull(Prisma.sql`${value}::text`) })

const timeText = (value: Prisma.Sql) =>
  Prisma.sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const time = (value: Prisma.Sql): Cell => word(timeText(value))
export const timeOrNull = (value: Prisma.Sql): Cell => wordOrNull(timeText(value))

/** Any text, or null. */
export const text = (value: Prisma.Sql): Cell => ({
  csv: csvText(value),
  ndjson: orNull(Prisma.sql`to_json(${value})::text`),
})

/** The texts of a query of one column, `text`, in order. They contain no spaces. */
export const texts = (rows: Prisma.Sql): Cell => ({
  csv: Prisma.sql`(select ${csvText(raw('line'))} from (select string_agg(text, ' ') as line from (${rows}) texts) lines)`,
  ndjson: Prisma.sql`(select concat('[', string_agg(to_json(text)::text, ','), ']') from (${rows}) texts)`,
})

const lineEnds: Record<LineFormat, string> = { csv: '\r\n', ndjson: '\n' }

/** A query of one row and one column: the line of a row of `t1`, with its end. */
export function lineOf({ columns, from }: Lines, format: LineFormat): Prisma.Sql {
  const parts: Prisma.Sql[] = []
  let fixed = format === 'csv' ? '' : '{'
  const quote = (cell: Cell) => (format === 'ndjson' && cell.isWord ? '"' : '')
  for (const [index, [name, cell]] of Object.entries(columns).entries()) {
    if (index > 0) fixed += ','
    if (format === 'ndjson') fixed += `"${name}":`
    parts.push(raw(`'${fixed}${quote(cell)}'`), cell[format])
    fixed = quote(cell)
  }
  parts.push(raw(`'${fixed}${format === 'csv' ? '' : '}'}${lineEnds[format]}'`))
  return Prisma.sql`select concat(${Prisma.join(parts)}) ${from ? Prisma.sql`from ${from}` : Prisma.empty}`
}
