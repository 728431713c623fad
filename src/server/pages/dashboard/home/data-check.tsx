import { useState } from 'react'
import { DoctorDocument } from '../../../../generated/dashboard/home/graphql.ts'
import { formatNumber } from '../../parts/locale.ts'
import { useData } from '../api/use-data.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'

const words = texts.home.doctor

/** For operators: looks for inconsistent data. It reads every row of the service, so it runs only when it is asked to. */
export function DataCheck() {
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { data, failure, isLoading, retry } = useData(DoctorDocument, {}, { pause: !isAsked })
  const findings = data?.doctor.findings ?? []
  const run = () => (isAsked ? retry() : setAsked(true))
  return (
    <li className="data-check">
      {data && findings.length > 0 ? (
        <button type="button" className="need" onClick={() => setOpen(true)}>
          <strong>{formatNumber(findings.length)}</strong> <span>{words.findings(findings.length)}</span>
        </button>
      ) : (
        <p role="status" className="quiet">
          {failure ?? (isAsked && isLoading ? words.running : data ? words.clean(data.doctor.invariants) : words.lead)}
        </p>
      )}
      <button type="button" onClick={run} disabled={isAsked && isLoading}>
        {words.button}
      </button>
      <Dialog title={words.title} lead={words.findingsLead} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ul className="entries">
          {findings.slice(0, 50).map(({ id, promise, detail }) => (
            <li key={`${id} ${promise}`}>
              <div>
                <p className="entry-title">{promise}</p>
                <p className="quiet">
                  <code>{id}</code> {detail}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </Dialog>
    </li>
  )
}
