import {
  type EndpointFragment,
  UpdateWebhookEndpointDocument,
} from '../../../../generated/dashboard/developers/graphql.ts'
import { updateWebhookEndpointInput } from '../../../../modules/webhooks/input.ts'
import { useAction } from '../api/use-data.ts'
import { FormFailure } from '../form/fields.tsx'
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
    <form onSubmit={submit} noValidate>
      <EndpointInputs form={form} />
      <FormFailure form={form} />
      <div className="dialog-foot">
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {texts.save}
        </button>
      </div>
    </form>
  )
}
