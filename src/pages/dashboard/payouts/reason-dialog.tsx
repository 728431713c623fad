import type { z } from 'zod'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'

type Rejection = { failure: string; problems: Readonly<Record<string, string>> }

type FormProps = {
  /** What the service checks the reason with. */
  schema: z.ZodObject
  action: string
  /** The words of the button that leaves everything as it is. */
  keep: string
  /** What has to be typed again, as a step that can cost money. */
  again?: { text: string; label: string }
  /** Returns why the service refused, or undefined. */
  onReason(reason: string): Promise<Rejection | undefined>
}

type ReasonDialogProps = FormProps & { title: string; lead: string; isOpen: boolean; onKeep(): void }

/** Asks for the reason of a step back. */
export const ReasonDialog = ({ title, lead, isOpen, onKeep, ...form }: ReasonDialogProps) => (
  <Dialog title={title} lead={lead} isOpen={isOpen} onClose={onKeep}>
    <ReasonForm {...form} />
  </Dialog>
)

function ReasonForm({ schema, action, keep, again, onReason }: FormProps) {
  const check = checkInput<{ reason: string; again: string }>(schema)
  const form = useFields({ reason: '', again: '' }, (values) => {
    if (values.reason.trim() === '') return { reason: texts.payoutRuns.needsReason }
    if (again && values.again.trim() !== again.text) return { again: again.label }
    return check({ reason: values.reason, again: '' })
  })
  const submit = form.handleSubmit(async ({ reason }) => {
    const rejection = await onReason(reason)
    if (rejection) showRejection(form, rejection)
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={action} cancel={keep} isDanger>
      {again && <TextField form={form} name="again" label={again.label} />}
      <TextField form={form} name="reason" label={texts.payoutRuns.reason} hint={texts.payoutRuns.cancelReasonHint} />
    </DialogForm>
  )
}
