import type { ReactNode } from 'react'
import { fileName, writeCsv, writeTsv } from '../../parts/result/spreadsheet.ts'
import { rowsIn, type Table } from '../../parts/result/tables.ts'
import { saveFile } from '../../parts/save-file.ts'
import { copyText } from '../clipboard.ts'
import { showNotice } from '../notice.tsx'

const isPart = ({ rows, total = rows.length }: Table) => rows.length < total
const partNote = (table: Table) => (isPart(table) ? 'Choose "All rows" to include the others. ' : '')

type Props = { table: Table | undefined; response: string; children: ReactNode }

/** Buttons that export the table with its sort order, and the whole response. */
export function Downloads({ table, response, children }: Props) {
  const name = table?.name ?? 'result'
  const copy = async () => {
    if (!table) return
    const isCopied = await copyText(writeTsv(table.columns, table.rows))
    showNotice(
      isCopied
        ? `${rowsIn(table)} copied. ${partNote(table)}Paste them into a spreadsheet.`
        : 'The browser blocked copying.',
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
          if (!table) return
          saveFile(fileName(name, 'csv', new Date()), 'text/csv', writeCsv(table.columns, table.rows))
          showNotice(`${rowsIn(table)} saved. ${partNote(table)}`)
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
      {children}
    </div>
  )
}
