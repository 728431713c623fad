import {
  type EndpointFragment,
  UpdateWebhookEndpointDocument,
} from '../../../generated/dashboard/developers/graphql.ts'
import { updateWebhookEndpointInput } from '../../../modules/webhooks/input.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'
import { checkEndpoint, type EndpointFields, EndpointInputs, inputOf } from './endpoint-fields.tsx'

export function EditEndpoint({ endpoint, onDone }: { endpoint: EndpointFragment; onDone(): void }) {
  const [update] = useAction(UpdateWebhookEndpointDocument)
  const show = useToast()
  const { url, description, eventTypes, where } = endpoint
  const form = useFields<EndpointFields>(
    { url, description: description ?? '', eventTypes: [...eventTypes], where: where ?? '' },
    checkEndpoint(updateWebhookEndpointInput),
  )
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: { id: endpoint.id, ...inputOf(values) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      <EndpointInputs form={form} />
    </DialogForm>
  )
}
