import type { ProposalFragment } from '../../../generated/dashboard/proposals/graphql.ts'
import { rejectProposalInput } from '../../../modules/proposals/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { AreaField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.proposals

type FormProps = { proposal: ProposalFragment; onDone(): void }

/** Makes the change. If its effect has changed meanwhile, the service says so, and the list shows the new one. */
export function ConfirmForm({ proposal: { id, refusal, needsSecondPerson }, onDone }: FormProps) {
  const [confirm] = useAction(action('confirmProposal'))
  const show = useToast()
  const form = useFields({}, () => ({}))
  const submit = form.handleSubmit(async () => {
    const outcome = await confirm({ input: { id } }, { refreshes: true })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.confirmed)
    onDone()
  })
  const note = refusal ?? (needsSecondPerson ? words.twoPeople : undefined)
  return <DialogForm form={form} onSubmit={submit} action={words.confirm} isDisabled={refusal !== null} note={note} />
}

export function RejectForm({ proposal: { id }, onDone }: FormProps) {
  const [reject] = useAction(action('rejectProposal'))
  const show = useToast()
  const form = useFields({ reason: '' }, checkInput(rejectProposalInput))
  const submit = form.handleSubmit(async ({ reason }) => {
    const outcome = await reject({ input: { id, reason: reason || null } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.rejected)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.reject} isDanger>
      <AreaField form={form} name="reason" label={words.columns.reason} hint={words.rejectHint} rows={3} />
    </DialogForm>
  )
}

export function ChangeForm({ proposal, onDone }: FormProps) {
  const [update] = useAction(action('updateProposal'))
  const show = useToast()
  const form = useFields({ arguments: JSON.stringify(proposal.arguments, null, 2) }, ({ arguments: text }) =>
    parsed(text) ? {} : { arguments: words.notJson },
  )
  const submit = form.handleSubmit(async ({ arguments: text }) => {
    const outcome = await update({ input: { id: proposal.id, arguments: parsed(text) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.changed)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <AreaField form={form} name="arguments" label={words.arguments} hint={words.argumentsHint} rows={10} />
    </DialogForm>
  )
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
