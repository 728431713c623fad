import { copyText, saveFile } from '../copy.ts'
import { say } from '../notice.tsx'
import { fileName, writeCsv, writeTsv } from './files.ts'
import type { Table } from './tables.ts'

/** What can be taken along: the table as it is sorted, and the whole answer. */
export function Downloads({ table, response }: { table: Table | undefined; response: string }) {
  const name = table?.name ?? 'result'
  const copy = async () => {
    if (!table) return
    const done = await copyText(writeTsv(table.columns, table.rows))
    say(done ? `${table.rows.length} rows copied, for a spreadsheet.` : 'The browser did not let us copy.')
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
