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

function ReasonForm({ schema, action, keep, onReason }: FormProps) {
  const check = checkInput<{ reason: string }>(schema)
  const form = useFields({ reason: '' }, (values) =>
    values.reason.trim() === '' ? { reason: texts.payoutRuns.needsReason } : check(values),
  )
  const submit = form.handleSubmit(async ({ reason }) => {
    const rejection = await onReason(reason)
    if (rejection) showRejection(form, rejection)
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={action} cancel={keep} isDanger>
      <TextField form={form} name="reason" label={texts.payoutRuns.reason} hint={texts.payoutRuns.cancelReasonHint} />
    </DialogForm>
  )
}
