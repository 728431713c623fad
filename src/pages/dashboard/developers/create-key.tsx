import { useState } from 'react'
import { type ApiKeyAccess, CreateApiKeyDocument } from '../../../generated/dashboard/developers/graphql.ts'
import { createApiKeyInput } from '../../../modules/access/api-keys/input.ts'
import { serviceUrl } from '../address.ts'
import { useAction } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'
import { accessOptions, consistent, type ResponseFields, ResponseSelects } from './key-fields.tsx'

const words = texts.developers.keys

type Fields = ResponseFields & { access: ApiKeyAccess }

/** The form of a new key, and then its secret, which is shown this once. */
export function CreateKey({ onDone }: { onDone(): void }) {
  const { program } = useProgram()
  const [createApiKey] = useAction(CreateApiKeyDocument)
  const [secret, setSecret] = useState<string>()
  const form = useFields<Fields>(
    { name: '', access: 'FULL', profile: 'CONTRACT', words: 'CONTRACT' },
    checkInput(createApiKeyInput),
  )
  const submit = form.handleSubmit(async (values) => {
    const outcome = await createApiKey({ input: { ...consistent(values), programId: program.id } })
    if (outcome.data) setSecret(outcome.data.createApiKey.secret)
    else showRejection(form, outcome)
  })
  if (secret !== undefined) return <NewSecret secret={secret} onDone={onDone} />
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <TextField form={form} name="name" label={texts.fields.name} hint={words.nameHint} />
      <SelectField form={form} name="access" label={words.access} hint={words.accessHint} options={accessOptions} />
      <ResponseSelects form={form} />
    </DialogForm>
  )
}

const NewSecret = ({ secret, onDone }: { secret: string; onDone(): void }) => (
  <ShownOnce said={words.created} text={secret} name={words.secret} warning={words.onlyNow} onDone={onDone}>
    <p className="quiet">{words.tryIt}</p>
    <pre>
      <code>{`curl ${serviceUrl('v1/affiliates')} \\\n  -H 'Authorization: Bearer ${secret}'`}</code>
    </pre>
  </ShownOnce>
)
