import { useState } from 'react'
import { CheckDataDocument, DataCheckDocument } from '../../../generated/dashboard/home/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import { useAction, useData } from '../api/use-data.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formatMoment } from '../ui/moment.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.home.doctor

/** What the last check of the data found. The service checks every day; managers can do it at once. */
export function DataCheck() {
  const { canChange } = useProgram()
  const { data, failure } = useData(DataCheckDocument, {})
  const [checkData, isRunning] = useAction(CheckDataDocument)
  const [isOpen, setOpen] = useState(false)
  const show = useToast()
  const last = data?.dataCheck
  const findings = last?.findings ?? []
  const run = async () => {
    const outcome = await checkData({})
    if (outcome.failure !== undefined) show(outcome.failure)
  }
  const result = last ? words.clean(formatMoment(last.checkedAt)) : words.none
  return (
    <li className="data-check">
      {findings.length > 0 && (
        <button type="button" className="need" onClick={() => setOpen(true)}>
          <strong>{formatNumber(findings.length)}</strong> <span>{words.findings(findings.length)}</span>
        </button>
      )}
      <p role="status" className="quiet">
        {failure ??
          (isRunning
            ? words.running
            : findings.length > 0 && last
              ? words.asOf(formatMoment(last.checkedAt))
              : data && result)}
        {!isRunning && last && last.unchecked > 0 && ` ${words.unchecked}`}
      </p>
      {canChange && (
        <button type="button" onClick={run} disabled={isRunning}>
          {words.button}
        </button>
      )}
      <Dialog title={words.title} lead={words.findingsLead} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ul className="entries">
          {findings.map(({ rowId, promise, detail }) => (
            <li key={`${rowId} ${promise}`}>
              <div>
                <p className="entry-title">{promise}</p>
                <p className="quiet">
                  <code>{rowId}</code> {detail}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </Dialog>
    </li>
  )
}
