import { useState } from 'react'
import { useClient } from 'urql'
import {
  PayoutFileDocument,
  type PayoutFileFormat,
  type PayoutFileQuery,
} from '../../../generated/dashboard/payouts/graphql.ts'
import { saveFile } from '../../parts/save-file.ts'
import { nameOf } from '../affiliates/affiliate.tsx'
import { failureOf } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField } from '../form/fields.tsx'
import { useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'

const words = texts.payouts

type WalletFileProps = {
  /** The payouts in the file; empty for all open ones. Undefined while the dialog is closed. */
  ids: readonly string[] | undefined
  currencies: readonly string[]
  onClose(): void
}

/** A file that pays open payouts with a wallet. */
export const WalletFile = ({ ids, currencies, onClose }: WalletFileProps) => (
  <Dialog title={words.fileTitle} lead={words.fileLead} isOpen={!!ids} onClose={onClose}>
    {ids && <FileForm ids={ids} currencies={currencies} onDone={onClose} />}
  </Dialog>
)

const formats = Object.entries(words.formats).map(([value, name]) => ({ value, name }))

type Run = PayoutFileQuery['payoutFile']
type Fields = { format: PayoutFileFormat; currency: string }

function FileForm({
  ids,
  currencies,
  onDone,
}: {
  ids: readonly string[]
  currencies: readonly string[]
  onDone(): void
}) {
  const client = useClient()
  const [file, setFile] = useState<Run>()
  const form = useFields<Fields>({ format: 'WALLET_A', currency: currencies[0] ?? '' }, () => ({}))
  const submit = form.handleSubmit(async ({ format, currency }) => {
    const which = ids.length > 0 ? { ids } : { state: ['PENDING'] }
    const variables = { format, currency: currency || null, ...which }
    const { data, error } = await client
      .query<PayoutFileQuery>(PayoutFileDocument.toString(), variables, { requestPolicy: 'network-only' })
      .toPromise()
    if (!data) return form.setError('root', { message: failureOf(error) })
    setFile(data.payoutFile)
    if (data.payoutFile.rows > 0) save(data.payoutFile)
  })
  if (file) return <Result file={file} onDone={onDone} />
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <p>{ids.length > 0 ? words.fileOf(ids.length) : words.fileOfAll}</p>
      <SelectField form={form} name="format" label={words.format} options={formats} />
      {currencies.length > 1 && (
        <SelectField
          form={form}
          name="currency"
          label={texts.money.currency}
          hint={words.currencyHint}
          options={[
            ...currencies.map((value) => ({ value, name: value.toUpperCase() })),
            { value: '', name: texts.list.all },
          ]}
        />
      )}
    </DialogForm>
  )
}

const save = ({ fileName, csv }: Run) => saveFile(fileName, 'text/csv', csv)

type Skipped = Run['skipped'][number]

function byReason(skipped: readonly Skipped[]): Map<Skipped['reason'], string[]> {
  const names = new Map<Skipped['reason'], string[]>()
  for (const { reason, payout } of skipped) names.set(reason, [...(names.get(reason) ?? []), nameOf(payout.affiliate)])
  return names
}

const mostNames = 5

const namesOf = (names: readonly string[]) =>
  [
    ...names.slice(0, mostNames),
    ...(names.length > mostNames ? [words.moreSkipped(names.length - mostNames)] : []),
  ].join(', ')

const Result = ({ file, onDone }: { file: Run; onDone(): void }) => {
  const { rows, fileName, skipped, skippedCount } = file
  return (
    <>
      <p role="status">{rows > 0 ? words.fileRows(rows, fileName) : words.fileEmpty}</p>
      {skippedCount > 0 && (
        <div className="warning">
          <p>{words.skipped(skippedCount)}</p>
          <ul className="plain-list">
            {[...byReason(skipped)].map(([reason, names]) => (
              <li key={reason}>{words.skippedFor(names.length, words.skipReasons[reason], namesOf(names))}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="dialog-foot">
        {rows > 0 && (
          <button type="button" onClick={() => save(file)}>
            {words.download}
          </button>
        )}
        <button type="button" className="primary" onClick={onDone}>
          {texts.done}
        </button>
      </div>
    </>
  )
}
