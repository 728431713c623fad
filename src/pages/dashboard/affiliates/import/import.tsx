import { useId, useState } from 'react'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { readFileText } from '../../csv/read.ts'
import { Cancel } from '../../form/dialog-form.tsx'
import { texts } from '../../texts.ts'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Definition } from '../own-fields.tsx'
import type { useCampaigns } from '../use-campaigns.ts'
import { Preview, Problems } from './preview.tsx'
import { type ImportFile, readImportFile } from './read-lines.ts'
import { type ImportReport, useImport } from './use-import.ts'

const words = texts.affiliates.import

/** The columns that the service reads. */
const columns =
  'email, first_name, last_name, token, coupon, campaign, groups, paypal_email, wise_email, billing_customer_id'

/** Reads a file, has the service check every line, and imports what is right. */
export function ImportAffiliates({
  campaigns,
  definitions,
  onDone,
}: {
  campaigns: ReturnType<typeof useCampaigns>
  definitions: readonly Definition[]
  onDone(): void
}) {
  const id = useId()
  const show = useToast()
  const [send, sent] = useImport()
  const [file, setFile] = useState<ImportFile>()
  const [campaignId, setCampaignId] = useState<string>()
  const [recordEvents, setRecordEvents] = useState(false)
  const [checked, setChecked] = useState<ImportReport>()
  const [running, setRunning] = useState<'check' | 'import'>()
  const [failure, setFailure] = useState<string>()
  const chosen = campaignId ?? campaigns.defaultId
  const options = chosen === '' ? {} : { campaignId: chosen }

  async function check(read: ImportFile, campaign: string) {
    setChecked(undefined)
    setFailure(undefined)
    setRunning('check')
    const report = await send(read, { ...(campaign !== '' && { campaignId: campaign }), dryRun: true })
    if (!report) return
    setRunning(undefined)
    setChecked(report)
    setFailure(report.failure)
  }
  async function choose(given: File | undefined) {
    setChecked(undefined)
    setFailure(undefined)
    const text = given && (await readFileText(given))
    const read = given && typeof text === 'string' ? readImportFile(given.name, text) : undefined
    setFile(read ?? undefined)
    if (text === null) setFailure(texts.notText)
    if (read) await check(read, chosen)
  }
  async function start() {
    if (!file || !checked) return
    const failed = new Set(checked.problems.map(({ line }) => line))
    setRunning('import')
    setFailure(undefined)
    const lines = file.lines.filter(({ line }) => !failed.has(line))
    const report = await send({ ...file, lines }, { ...options, recordEvents })
    if (!report) return
    setRunning(undefined)
    if (report.failure === undefined && report.failed === 0) {
      show(words.done(report))
      return onDone()
    }
    setChecked(report)
    setFailure(`${report.failure ?? ''} ${words.done(report)} ${words.stopped}`.trim())
  }

  const count = file?.lines.length ?? 0
  // Existing affiliates join the groups of their line.
  const hasGroups = file?.header.values.some((name) => /^\s*groups?\s*$/i.test(name)) ?? false
  const canImport = checked && !failure && (checked.created > 0 || (hasGroups && checked.skipped > 0))
  return (
    <div className="form">
      <p className="hint">
        {words.columns}: <code className="wraps">{[columns, ...definitions.map(({ name }) => name)].join(', ')}</code>
      </p>
      <div className="field">
        <label htmlFor={`${id}-file`}>{words.file}</label>
        <input
          id={`${id}-file`}
          type="file"
          accept=".csv,text/csv"
          disabled={running !== undefined}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-campaign`}>{words.campaign}</label>
        <select
          id={`${id}-campaign`}
          value={chosen}
          disabled={running !== undefined}
          onChange={({ target }) => {
            setCampaignId(target.value)
            if (file) void check(file, target.value)
          }}
        >
          {campaigns.active.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={recordEvents}
          disabled={running !== undefined}
          onChange={({ target }) => setRecordEvents(target.checked)}
        />{' '}
        {words.sendEvents}
      </label>
      {file && <Preview file={file} />}
      {running && <Progress label={running === 'check' ? words.checking : words.importing} done={sent} count={count} />}
      {failure && <FailureNotice message={failure} />}
      {checked && !checked.failure && count > 0 && !failure && <p role="status">{words.checked(checked)}</p>}
      {checked && checked.problems.length > 0 && <Problems problems={checked.problems} />}
      <div className="dialog-foot">
        {canImport && checked.failed > 0 && <p className="quiet">{words.withoutFailed}</p>}
        <Cancel />
        {canImport && (
          <button type="button" className="primary" disabled={running !== undefined} onClick={() => void start()}>
            {words.action(checked.created)}
          </button>
        )}
      </div>
    </div>
  )
}
