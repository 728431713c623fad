import { useId, useState } from 'react'
import {
  ImportPayoutResultsDocument,
  type ImportPayoutResultsMutation,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { formatNumber } from '../../../parts/locale.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useAction } from '../../api/use-data.ts'
import { readFileText } from '../../csv/read.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import type { Run } from './run-type.ts'

const words = texts.payoutRuns

type Imported = NonNullable<ImportPayoutResultsMutation['importPayoutResults']>

/** Reads the report of the service, and shows what it says of each payment before that is recorded. */
export function Report({ run }: { run: Pick<Run, 'id' | 'currency'> }) {
  const id = useId()
  const [importResults, isRunning] = useAction(ImportPayoutResultsDocument)
  const [given, setGiven] = useState<File>()
  const [failure, setFailure] = useState<string>()
  const [shown, setShown] = useState<{ file: string; result: Imported }>()
  async function send(file: string, dryRun: boolean) {
    setFailure(undefined)
    let changed = 0
    for (;;) {
      const { data, failure: failed } = await importResults({ input: { runId: run.id, file, dryRun } })
      if (!data) return setFailure(failed)
      const result = data.importPayoutResults
      changed += result.changed
      if (result.remaining > 0) continue
      return setShown({ file, result: { ...result, changed } })
    }
  }
  async function check() {
    setShown(undefined)
    const text = given && (await readFileText(given))
    if (typeof text === 'string') await send(text, true)
    else setFailure(given ? texts.notText : words.needsReport)
  }
  return (
    <Card title={words.results} lead={words.resultsLead}>
      <form
        noValidate
        className="narrow"
        onSubmit={(event) => {
          event.preventDefault()
          void check()
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-file`}>{words.report}</label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".csv,text/csv"
            onChange={({ target }) => {
              setGiven(target.files?.[0])
              setShown(undefined)
            }}
          />
        </div>
        {failure && <FailureNotice message={failure} />}
        <button type="submit" disabled={isRunning}>
          {words.upload}
        </button>
      </form>
      {shown?.result.dryRun && (
        <section aria-label={words.preview}>
          <Preview result={shown.result} currency={run.currency} />
          <div className="actions">
            {shown.result.changed > 0 && (
              <button
                type="button"
                className="primary"
                disabled={isRunning}
                onClick={() => void send(shown.file, false)}
              >
                {words.apply(shown.result.changed)}
              </button>
            )}
            <button type="button" disabled={isRunning} onClick={() => setShown(undefined)}>
              {words.discard}
            </button>
          </div>
        </section>
      )}
      {shown && !shown.result.dryRun && (
        <div role="status">
          <p>{words.imported(shown.result.changed, shown.result.unchanged)}</p>
          <Unmatched rows={shown.result.unmatched} />
        </div>
      )}
    </Card>
  )
}

type Total = Imported['totals'][number]

const totalColumns = (currency: string): Column<Total>[] => [
  { name: words.result, isPlain: true, cell: ({ state }) => words.itemStates[state] },
  { name: words.payments, isNumber: true, cell: ({ payouts }) => formatNumber(payouts) },
  { name: words.total, isNumber: true, cell: ({ amountCents }) => formatMoney(amountCents, currency) },
]

const Preview = ({ result, currency }: { result: Imported; currency: string }) => (
  <>
    <p role="status">{result.changed > 0 ? words.previewLead(result.changed) : words.nothingNew}</p>
    {result.totals.length > 0 && (
      <Table
        caption={words.previewCaption}
        columns={totalColumns(currency)}
        rows={result.totals}
        keyOf={({ state }) => state}
      />
    )}
    <Unmatched rows={result.unmatched} />
  </>
)

const Unmatched = ({ rows }: { rows: Imported['unmatched'] }) =>
  rows.length > 0 && (
    <div className="warning">
      <p>{words.unmatched(rows.length)}</p>
      <ul className="plain-list">
        {rows.map(({ line, text, reason }) => (
          <li key={line}>{words.row(line, text, reason)}</li>
        ))}
      </ul>
    </div>
  )
