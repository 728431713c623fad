export type Cell = string | number | null

/** Spreadsheets run text that begins with one of these as a formula. */
const isFormulaLike = (text: string) => /^[=+\-@\t\r]/.test(text)

/** Writes CSV as of RFC 4180, with the byte order mark by which spreadsheets know UTF-8. */
export const writeCsv = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(textOf).join(',')}\r\n`).join('')}`

function textOf(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '')
  const text = isFormulaLike(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
