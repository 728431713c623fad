import { useState } from 'react'
import {
  type AffiliateWhere,
  MailToAffiliatesDocument,
  SendMailDocument,
  SendTestOfMailDocument,
} from '../../../../generated/dashboard/mails/write/graphql.ts'
import { messageVariables } from '../../../../modules/mails/input.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { AreaField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Html } from '../mail.tsx'

const words = texts.mails.write

type Values = { subject: string; text: string }
type Checked = Values & { recipients: number }

/** A button that opens the dialog. @param where who gets the mail */
export function WriteMail({ where, onDone }: { where: AffiliateWhere; onDone?: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {words.open} …
      </button>
      <Dialog title={words.title} lead={words.lead} isOpen={isOpen} onClose={() => setOpen(false)}>
        <WriteForm
          where={where}
          onDone={() => {
            setOpen(false)
            onDone?.()
          }}
        />
      </Dialog>
    </>
  )
}

/** The first click shows the mail and says to how many it goes; the second sends it. */
function WriteForm({ where, onDone }: { where: AffiliateWhere; onDone(): void }) {
  const [send] = useAction(SendMailDocument)
  const [sendTest, isTesting] = useAction(SendTestOfMailDocument)
  const [checked, setChecked] = useState<Checked>()
  const show = useToast()
  const form = useFields<Values>({ subject: '', text: '' }, () => ({}))
  const given = form.watch()
  const isChecked = checked?.subject === given.subject && checked.text === given.text
  const submit = form.handleSubmit(async (values) => {
    const outcome = await send({ input: { where, ...values, dryRun: !isChecked } }, { refreshes: isChecked })
    if (!outcome.data) return showRejection(form, outcome)
    const { recipients } = outcome.data.sendMailToAffiliates
    if (!isChecked) return setChecked({ ...values, recipients })
    show(words.sent(recipients))
    onDone()
  })
  async function test() {
    const outcome = await sendTest({ input: { where, ...form.getValues() } }, { refreshes: false })
    if (outcome.data) show(texts.mails.texts.testSent(outcome.data.sendTestOfMail.mail.to))
    else showRejection(form, outcome)
  }
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={isChecked ? words.send(checked.recipients) : words.check}
      isDisabled={isChecked && checked.recipients === 0}
    >
      <TextField form={form} name="subject" label={texts.mails.subject} />
      <AreaField form={form} name="text" label={texts.mails.texts.text} hint={words.hint(messageVariables)} rows={8} />
      <div className="actions">
        <button type="button" disabled={isTesting} onClick={() => void test()}>
          {words.test}
        </button>
      </div>
      {isChecked && (
        <div aria-live="polite">
          <p>
            <strong>{words.to(checked.recipients)}</strong>
          </p>
          {checked.recipients > 0 && <Preview where={where} values={checked} />}
        </div>
      )}
    </DialogForm>
  )
}

function Preview({ where, values: { subject, text } }: { where: AffiliateWhere; values: Values }) {
  const { data, failure, retry } = useData(MailToAffiliatesDocument, { where, subject, text })
  if (failure) return <FailureNotice message={failure} onRetry={retry} />
  if (!data?.previewMailToAffiliates) return null
  return (
    <>
      <p className="quiet">{words.preview}</p>
      <p>{data.previewMailToAffiliates.subject}</p>
      <Html html={data.previewMailToAffiliates.html} />
    </>
  )
}
