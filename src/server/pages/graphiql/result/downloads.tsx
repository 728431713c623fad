import { copyText } from '../clipboard.ts'
import { showNotice } from '../notice.tsx'
import { saveFile } from './save-file.ts'
import { fileName, writeCsv, writeTsv } from './spreadsheet.ts'
import type { Table } from './tables.ts'

/** Buttons that export the table with its sort order, and the whole response. */
export function Downloads({ table, response }: { table: Table | undefined; response: string }) {
  const name = table?.name ?? 'result'
  const copy = async () => {
    if (!table) return
    const isCopied = await copyText(writeTsv(table.columns, table.rows))
    showNotice(
      isCopied ? `${table.rows.length} rows copied. Paste them into a spreadsheet.` : 'The browser blocked copying.',
    )
  }
  return (
    <div className="downloads">
      <button type="button" disabled={!table} onClick={copy}>
        Copy table
      </button>
      <button
        type="button"
        disabled={!table}
        aria-label="Download as CSV"
        onClick={() => {
          if (table) saveFile(fileName(name, 'csv', new Date()), 'text/csv', writeCsv(table.columns, table.rows))
        }}
      >
        CSV
      </button>
      <button
        type="button"
        disabled={!response}
        aria-label="Download as JSON"
        onClick={() => saveFile(fileName(name, 'json', new Date()), 'application/json', response)}
      >
        JSON
      </button>
    </div>
  )
}
