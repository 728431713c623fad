import { useState } from 'react'
import { CreateWebhookEndpointDocument, type WebhookFormat } from '../../../generated/dashboard/developers/graphql.ts'
import { createWebhookEndpointInput } from '../../../modules/webhooks/input.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { ShownOnce } from '../ui/secret.tsx'
import { EndpointInputs } from './endpoint-fields.tsx'
import { checkEndpoint, type EndpointFields, emptyFields, inputOf } from './endpoint-values.ts'

const words = texts.developers.webhooks

type Fields = EndpointFields & { format: WebhookFormat }
const formats = Object.entries(words.formats).map(([value, name]) => ({ value, name }))

/** The form of a new endpoint, and then its secret, which is shown this once. */
export function CreateEndpoint({ onDone }: { onDone(): void }) {
  const [createEndpoint] = useAction(CreateWebhookEndpointDocument)
  const [secret, setSecret] = useState<string>()
  const { program } = useProgram()
  const form = useFields<Fields>(
    { ...emptyFields(program.currency), format: 'STANDARD' },
    checkEndpoint(createWebhookEndpointInput),
  )
  const submit = form.handleSubmit(async (values) => {
    const outcome = await createEndpoint({ input: inputOf(values) })
    if (outcome.data) setSecret(outcome.data.createWebhookEndpoint.secret)
    else showRejection(form, outcome)
  })
  if (secret !== undefined)
    return (
      <ShownOnce
        said={words.created}
        text={secret}
        name={words.secret}
        warning={texts.developers.keys.onlyNow}
        onDone={onDone}
      />
    )
  return (
    <DialogForm form={form} onSubmit={submit} action={words.create}>
      <EndpointInputs form={form} />
      <SelectField form={form} name="format" label={words.format} hint={words.formatHint} options={formats} />
    </DialogForm>
  )
}
