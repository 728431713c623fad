import type { EndpointFragment } from '../../../generated/dashboard/developers/graphql.ts'
import type { PersonFragment } from '../../../generated/dashboard/picker/graphql.ts'
import { updateWebhookEndpointInput } from '../../../modules/webhooks/input.ts'
import { writeAmount } from '../../parts/amount.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { readCondition } from './condition.ts'
import { EndpointInputs } from './endpoint-fields.tsx'
import { checkEndpoint, type EndpointFields, emptyFields, inputOf } from './endpoint-values.ts'
import { useConditionNames } from './use-condition-names.ts'

type Props = { endpoint: EndpointFragment; onDone(): void }

/** The form opens once the affiliate of the condition has a name. */
export function EditEndpoint({ endpoint, onDone }: Props) {
  const { affiliate, isLoading } = useConditionNames(readCondition(endpoint.where))
  return isLoading ? <Skeleton /> : <EditForm endpoint={endpoint} affiliate={affiliate} onDone={onDone} />
}

function EditForm({ endpoint, affiliate, onDone }: Props & { affiliate: PersonFragment | null }) {
  const [update] = useAction(action('updateWebhookEndpoint'))
  const show = useToast()
  const { program } = useProgram()
  const form = useFields<EndpointFields>(
    fieldsOf(endpoint, affiliate, program.currency),
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

function fieldsOf(endpoint: EndpointFragment, affiliate: PersonFragment | null, ownCurrency: string): EndpointFields {
  const { url, description, eventTypes, where } = endpoint
  const condition = readCondition(where)
  const { campaignId = '', leastCents, currency = ownCurrency } = condition ?? {}
  return {
    ...emptyFields(currency),
    url,
    description: description ?? '',
    eventTypes: [...eventTypes],
    campaignId,
    affiliate,
    least: leastCents === undefined ? '' : writeAmount(leastCents, currency),
    keepsCondition: condition ? 'no' : 'yes',
  }
}
