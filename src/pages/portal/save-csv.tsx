import { useContext, useState } from 'react'
import { toMajorUnits } from '../../kernel/money/decimals.ts'
import type { Cell } from '../parts/result/spreadsheet.ts'
import { saveFile } from '../parts/save-file.ts'
import { QueryError, type RunQuery } from './query.ts'
import { texts } from './texts.ts'
import { QueryContext } from './use-query.ts'

/** The largest page of the service. */
const size = 100

type Page<Node> = { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }

type SaveCsvProps<Node> = {
  /** The name of the file, without its ending. */
  name: string
  headings: readonly string[]
  cells(node: Node): Cell[]
  load(runQuery: RunQuery, variables: { first: number; after?: string }): Promise<Page<Node>>
}

/** An amount in major units, and its currency. */
export const moneyCells = (amountCents: number, currency: string): Cell[] => [
  { digits: toMajorUnits(BigInt(amountCents), currency) },
  currency.toUpperCase(),
]

/** Saves all rows of a list as CSV, not only those of the page. */
export function SaveCsv<Node>({ name, headings, cells, load }: SaveCsvProps<Node>) {
  const runQuery = useContext(QueryContext)
  const [isSaving, setSaving] = useState(false)
  const [status, setStatus] = useState('')
  async function save() {
    if (isSaving) return
    setSaving(true)
    setStatus('')
    try {
      const rows: Cell[][] = [[...headings]]
      for (let after: string | undefined; ; ) {
        const { nodes, pageInfo } = await load(runQuery, { first: size, ...(after !== undefined && { after }) })
        rows.push(...nodes.map(cells))
        after = pageInfo.endCursor ?? undefined
        if (!pageInfo.hasNextPage || after === undefined) break
      }
      const { fileName, writeCells } = await import('../parts/result/spreadsheet.ts')
      saveFile(fileName(name, 'csv', new Date()), 'text/csv', writeCells(rows, { bom: true }))
    } catch (error) {
      setStatus(texts.failures[error instanceof QueryError ? error.failure : 'unreachable'])
    }
    setSaving(false)
  }
  return (
    <div className="form-foot save-csv">
      <button type="button" aria-disabled={isSaving || undefined} onClick={save}>
        {texts.csv.save}
        <span className="unseen"> ({name})</span>
      </button>
      <p role="status" className="form-status">
        {status}
      </p>
    </div>
  )
}
