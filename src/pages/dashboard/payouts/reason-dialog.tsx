import type { z } from 'zod'
import { checkInput } from '../form/check-input.ts'
import { FormFailure, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'

type Rejection = { failure: string; problems: Readonly<Record<string, string>> }

type ReasonCardProps = {
  title: string
  lead: string
  /** What the service checks the reason with. */
  schema: z.ZodObject
  action: string
  /** The words of the button that leaves everything as it is. */
  keep: string
  onKeep(): void
  /** Returns why the service refused, or undefined. */
  onReason(reason: string): Promise<Rejection | undefined>
}

/** Asks for the reason of a step back. It is a part of the view, so that Escape does not lose what was typed. */
export function ReasonCard({ title, lead, schema, action, keep, onKeep, onReason }: ReasonCardProps) {
  const check = checkInput<{ reason: string }>(schema)
  const form = useFields({ reason: '' }, (values) =>
    values.reason.trim() === '' ? { reason: texts.payoutRuns.needsReason } : check(values),
  )
  const submit = form.handleSubmit(async ({ reason }) => {
    const rejection = await onReason(reason)
    if (rejection) showRejection(form, rejection)
  })
  return (
    <Card title={title} lead={lead}>
      <form onSubmit={submit} noValidate className="narrow">
        <TextField form={form} name="reason" label={texts.payoutRuns.reason} hint={texts.payoutRuns.cancelReasonHint} />
        <FormFailure form={form} />
        <div className="actions">
          <button type="submit" className="danger" disabled={form.formState.isSubmitting}>
            {action}
          </button>
          <button type="button" onClick={onKeep}>
            {keep}
          </button>
        </div>
      </form>
    </Card>
  )
}
