import type { KeyFragment } from '../../../generated/dashboard/developers/graphql.ts'
import { updateApiKeyInput } from '../../../modules/access/api-keys/input.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { consistent, type ResponseFields, ResponseSelects } from './key-fields.tsx'

/** Changes of a key take effect with its next request. */
export function EditKey({ apiKey, onDone }: { apiKey: KeyFragment; onDone(): void }) {
  const [updateApiKey] = useAction(action('updateApiKey'))
  const show = useToast()
  const { name, profile, words } = apiKey
  const form = useFields<ResponseFields>({ name, profile, words }, checkInput(updateApiKeyInput))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await updateApiKey({ input: { id: apiKey.id, ...consistent(values) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <TextField form={form} name="name" label={texts.fields.name} />
      <ResponseSelects form={form} />
    </DialogForm>
  )
}
