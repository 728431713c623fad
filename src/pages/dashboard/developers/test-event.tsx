import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { eventGroups } from './event-groups.ts'

const words = texts.developers.webhooks
const options = eventGroups.flatMap(({ name: group, types }) =>
  types.map((type) => ({ value: type, name: type, group })),
)

export function TestEvent({ endpointId, onDone }: { endpointId: string; onDone(): void }) {
  const [sendTestEvent] = useAction(action('sendTestEvent'))
  const show = useToast()
  const form = useFields({ type: 'sale.created' }, () => ({}))
  const submit = form.handleSubmit(async ({ type }) => {
    const outcome = await sendTestEvent({ input: { endpointId, type } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.testSent)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.testAction}>
      <SelectField form={form} name="type" label={words.eventType} options={options} />
    </DialogForm>
  )
}
