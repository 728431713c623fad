import { useState } from 'react'
import { ExportTaxTotalsDocument, TaxYearDocument } from '../../../generated/dashboard/settings/graphql.ts'
import { exportTaxTotalsInput } from '../../../modules/tax/input/totals.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { formatNumber } from '../../parts/locale.ts'
import { saveFile } from '../../parts/save-file.ts'
import { useAction, useData } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'

const words = texts.settings.taxYear

const yearsBack = 8

/** What affiliates were paid in a year, as a file: with masked tax ids, or in full with a reason. */
export function TaxYear() {
  const thisYear = new Date().getFullYear()
  const [year, setYear] = useState(thisYear)
  const [isExporting, setExporting] = useState(false)
  const { data, failure, retry } = useData(TaxYearDocument, { year })
  const found = data?.taxYear
  const isOfYear = found?.year === year
  return (
    <Card
      title={words.title}
      lead={words.lead}
      actions={
        <select aria-label={words.year} value={year} onChange={(event) => setYear(Number(event.target.value))}>
          {Array.from({ length: yearsBack }, (_, index) => thisYear - index).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      }
    >
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {isOfYear && (
        <>
          <p>{words.recipients(formatNumber(found.recipients))}</p>
          <p className="quiet">
            {words.threshold(formatMoney(found.thresholdCents, 'usd'))} {!found.isThresholdKnown && words.unknown}
          </p>
          {found.recipients > 0 && (
            <div className="actions">
              <button type="button" onClick={() => saveFile(`tax-totals-${year}.csv`, 'text/csv', found.csv)}>
                {words.save}
              </button>
              <button type="button" onClick={() => setExporting(true)}>
                {words.withIds}
              </button>
            </div>
          )}
        </>
      )}
      <Dialog title={words.withIds} isOpen={isExporting} onClose={() => setExporting(false)}>
        <Export year={year} onDone={() => setExporting(false)} />
      </Dialog>
    </Card>
  )
}

/** Asks why the tax ids are read, and saves the file. */
function Export({ year, onDone }: { year: number; onDone(): void }) {
  const [exportTotals] = useAction(ExportTaxTotalsDocument)
  const form = useFields({ year, reason: '' }, checkInput(exportTaxTotalsInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await exportTotals({ input })
    if (!outcome.data) return showRejection(form, outcome)
    const { fileName, csv } = outcome.data.exportTaxTotals
    saveFile(fileName, 'text/csv', csv)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.withIds}>
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}
