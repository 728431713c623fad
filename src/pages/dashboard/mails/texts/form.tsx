import { useState } from 'react'
import {
  type MailTextRowFragment,
  PreviewMailDocument,
  ResetMailTextDocument,
  SendTestMailDocument,
  UpdateMailTextDocument,
} from '../../../../generated/dashboard/mails/texts/graphql.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { AreaField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'
import { Html } from '../mail.tsx'

const words = texts.mails.texts

type Values = { subject: string; text: string; button: string }

/** Edits the text of a kind of mail. It is shown and sent as a test before it is saved. */
export function MailTextForm({ row, onDone }: { row: MailTextRowFragment; onDone(): void }) {
  const { kind, language, subject, text, button, variables, isEdited } = row
  const [update] = useAction(UpdateMailTextDocument)
  const [reset] = useAction(ResetMailTextDocument)
  const [sendTest, isSending] = useAction(SendTestMailDocument)
  const [previewed, setPreviewed] = useState<Values>()
  const show = useToast()
  // What the service rejects is shown at the fields.
  const form = useFields<Values>({ subject, text, button }, () => ({}))
  const inputOf = ({ button: label, ...values }: Values) => ({
    kind,
    language,
    ...values,
    ...(label !== '' && { button: label }),
  })
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: inputOf(values) })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  async function test() {
    const outcome = await sendTest({ input: inputOf(form.getValues()) }, { refreshes: false })
    if (outcome.data) show(words.testSent(outcome.data.sendTestMail.mail.to))
    else showRejection(form, outcome)
  }
  async function restore() {
    const outcome = await reset({ input: { kind, language } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.restored)
    onDone()
  }
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="subject" label={words.subject} />
      <AreaField form={form} name="text" label={words.text} hint={words.hint(variables)} rows={10} />
      {button !== '' && <TextField form={form} name="button" label={words.button} />}
      <div className="actions">
        <button type="button" onClick={() => setPreviewed(form.getValues())}>
          {words.preview}
        </button>
        <button type="button" disabled={isSending} onClick={test}>
          {words.sendTest}
        </button>
        {isEdited && (
          <button type="button" onClick={restore}>
            {words.restore}
          </button>
        )}
      </div>
      {previewed && <Preview variables={inputOf(previewed)} />}
    </DialogForm>
  )
}

type Input = Pick<MailTextRowFragment, 'kind' | 'language' | 'subject' | 'text'> & { button?: string }

function Preview({ variables }: { variables: Input }) {
  const { data, failure, retry } = useData(PreviewMailDocument, variables)
  if (failure) return <FailureNotice message={failure} onRetry={retry} />
  if (!data?.previewMail) return null
  return (
    <>
      <p className="quiet">{data.previewMail.subject}</p>
      <Html html={data.previewMail.html} />
    </>
  )
}
