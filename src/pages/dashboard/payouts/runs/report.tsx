import { useId, useState } from 'react'
import {
  ImportPayoutResultsDocument,
  type ImportPayoutResultsMutation,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { useAction } from '../../api/use-data.ts'
import { readFileText } from '../../csv/read.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'

const words = texts.payoutRuns

type Imported = NonNullable<ImportPayoutResultsMutation['importPayoutResults']>

/** Reads the report of the service, which says what became of each payment. */
export function Report({ runId }: { runId: string }) {
  const id = useId()
  const [importResults, isRunning] = useAction(ImportPayoutResultsDocument)
  const [given, setGiven] = useState<File>()
  const [failure, setFailure] = useState<string>()
  const [imported, setImported] = useState<Imported>()
  async function read() {
    setImported(undefined)
    setFailure(given ? undefined : words.needsReport)
    if (!given) return
    const file = await readFileText(given)
    let changed = 0
    for (;;) {
      const { data, failure: failed } = await importResults({ input: { runId, file } })
      if (!data) return setFailure(failed)
      const result = data.importPayoutResults
      changed += result.changed
      if (result.remaining > 0) continue
      return setImported({ ...result, changed })
    }
  }
  return (
    <Card title={words.results} lead={words.resultsLead}>
      <form
        noValidate
        className="narrow"
        onSubmit={(event) => {
          event.preventDefault()
          void read()
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-file`}>{words.report}</label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".csv,text/csv"
            onChange={({ target }) => setGiven(target.files?.[0])}
          />
        </div>
        {failure && <FailureNotice message={failure} />}
        <button type="submit" disabled={isRunning}>
          {words.upload}
        </button>
      </form>
      {imported && (
        <div role="status">
          <p>{words.imported(imported.changed, imported.unchanged)}</p>
          {imported.unmatched.length > 0 && <Unmatched rows={imported.unmatched} />}
        </div>
      )}
    </Card>
  )
}

const Unmatched = ({ rows }: { rows: Imported['unmatched'] }) => (
  <div className="warning">
    <p>{words.unmatched(rows.length)}</p>
    <ul className="plain-list">
      {rows.map(({ line, text, reason }) => (
        <li key={line}>{words.row(line, text, reason)}</li>
      ))}
    </ul>
  </div>
)
