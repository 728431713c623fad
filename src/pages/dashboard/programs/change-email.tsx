import { useState } from 'react'
import {
  CreateEmailChangeLinkDocument,
  type CreateEmailChangeLinkMutation,
} from '../../../generated/dashboard/programs/graphql.ts'
import { createEmailChangeLinkInput } from '../../../modules/people/input.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'

const words = texts.programs

/** Asks whose address changes, and then shows the link, this once. */
export function ChangeEmail({ onDone }: { onDone(): void }) {
  const [createLink] = useAction(CreateEmailChangeLinkDocument)
  const [created, setCreated] = useState<CreateEmailChangeLinkMutation['createEmailChangeLink']>()
  const form = useFields({ email: '', newEmail: '' }, checkInput(createEmailChangeLinkInput))
  const submit = form.handleSubmit(async (input) => {
    const outcome = await createLink({ input })
    if (outcome.data) setCreated(outcome.data.createEmailChangeLink)
    else showRejection(form, outcome)
  })
  if (created)
    return (
      <ShownOnce
        said={words.changeEmailFor(created.person.name, created.isMailed)}
        text={created.url}
        name={words.link}
        warning={texts.settings.people.onlyNow}
        onDone={onDone}
      />
    )
  return (
    <DialogForm form={form} onSubmit={submit} action={words.createLink}>
      <TextField form={form} name="email" label={words.presentEmail} type="email" />
      <TextField form={form} name="newEmail" label={texts.account.profile.newEmail} type="email" />
    </DialogForm>
  )
}
