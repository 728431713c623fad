import { useState } from 'react'
import { useClient } from 'urql'
import {
  InvoicePaperDocument,
  type InvoicePaperQuery,
  type InvoiceRowFragment,
  ReadInvoicePdfDocument,
} from '../../../../generated/dashboard/payouts/invoices/graphql.ts'
import { cancelInvoiceInput, readInvoicePdfInput } from '../../../../modules/invoices/input.ts'
import { bytesOfBase64, saveFile } from '../../../parts/save-file.ts'
import { action } from '../../api/action.ts'
import { failureOf, useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.invoices

const savePdf = ({ number }: InvoiceRowFragment, base64: string) =>
  saveFile(`${number.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`, 'application/pdf', bytesOfBase64(base64))

/** The paper of an invoice, with the full tax number for a reason, and its cancellation. */
export function InvoiceActions({ invoice }: { invoice: InvoiceRowFragment }) {
  const { canPay } = useProgram()
  const client = useClient()
  const [failure, setFailure] = useState('')
  const [asked, setAsked] = useState<'cancel' | 'taxId' | null>(null)
  const of = <span className="unseen"> ({invoice.number})</span>
  const save = async () => {
    const query = InvoicePaperDocument.toString()
    const read = client.query<InvoicePaperQuery>(query, { id: invoice.id }, { requestPolicy: 'network-only' })
    const { data, error } = await read.toPromise()
    setFailure(data && !error ? '' : failureOf(error))
    if (data?.invoice && !error) savePdf(invoice, data.invoice.pdf)
  }
  if (!canPay) return null
  return (
    <>
      <button type="button" onClick={() => void save()}>
        PDF{of}
      </button>{' '}
      {invoice.hasSupplierTaxId && (
        <button type="button" onClick={() => setAsked('taxId')}>
          {words.taxId.action}
          {of}
        </button>
      )}{' '}
      {invoice.kind === 'INVOICE' && !invoice.isCancelled && (
        <button type="button" onClick={() => setAsked('cancel')}>
          {words.cancel.action}
          {of}
        </button>
      )}
      <span role="status">{failure}</span>
      <Dialog title={words.cancel.title(invoice.number)} isOpen={asked === 'cancel'} onClose={() => setAsked(null)}>
        <Cancel invoice={invoice} onDone={() => setAsked(null)} />
      </Dialog>
      <Dialog title={words.taxId.action} isOpen={asked === 'taxId'} onClose={() => setAsked(null)}>
        <ReadTaxId invoice={invoice} onDone={() => setAsked(null)} />
      </Dialog>
    </>
  )
}

type Props = { invoice: InvoiceRowFragment; onDone(): void }

function Cancel({ invoice: { id, number }, onDone }: Props) {
  const [cancel] = useAction(action('cancelInvoice'))
  const show = useToast()
  const form = useFields({ id, reason: '' }, checkInput(cancelInvoiceInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await cancel({ input })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.cancel.done(number))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.cancel.send} cancel={texts.close} isDanger>
      <p>{words.cancel.lead}</p>
      <TextField form={form} name="reason" label={words.cancel.reason} />
    </DialogForm>
  )
}

function ReadTaxId({ invoice, onDone }: Props) {
  const [read] = useAction(ReadInvoicePdfDocument)
  const form = useFields({ id: invoice.id, reason: '' }, checkInput(readInvoicePdfInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await read({ input })
    if (!outcome.data) return showRejection(form, outcome)
    savePdf(invoice, outcome.data.readInvoicePdf.pdf)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.taxId.action}>
      <TextField form={form} name="reason" label={words.taxId.reason} hint={words.taxId.hint} />
    </DialogForm>
  )
}
