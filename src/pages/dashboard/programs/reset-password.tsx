import { useState } from 'react'
import {
  CreatePasswordResetLinkDocument,
  type CreatePasswordResetLinkMutation,
} from '../../../generated/dashboard/programs/graphql.ts'
import { createPasswordResetLinkInput } from '../../../modules/people/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'

const words = texts.programs

/** Asks whose password was forgotten, and then shows the link, this once. */
export function ResetPassword({ onDone }: { onDone(): void }) {
  const [createLink] = useAction(CreatePasswordResetLinkDocument)
  const [created, setCreated] = useState<CreatePasswordResetLinkMutation['createPasswordResetLink']>()
  const form = useFields({ email: '' }, checkInput(createPasswordResetLinkInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await createLink({ input })
    if (outcome.data) setCreated(outcome.data.createPasswordResetLink)
    else showRejection(form, outcome)
  })
  if (created) {
    return (
      <ShownOnce
        said={words.resetFor(created.person.name, created.isMailed)}
        text={created.url}
        name={words.link}
        warning={texts.settings.people.onlyNow}
        onDone={onDone}
      />
    )
  }
  return (
    <DialogForm form={form} onSubmit={submit} action={words.createLink}>
      <TextField form={form} name="email" label={texts.fields.email} type="email" />
    </DialogForm>
  )
}
