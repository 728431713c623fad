import {
  ConnectPayoutServiceDocument,
  type PayoutServicesQuery,
} from '../../../generated/dashboard/settings/graphql.ts'
import { useAction } from '../api/use-data.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.services

type Available = PayoutServicesQuery['availablePayoutServices'][number]

/** Takes the credentials of a service. The service tries them before it keeps them. */
export function ConnectService({ available, onDone }: { available: Available; onDone(): void }) {
  const show = useToast()
  const [connect] = useAction(ConnectPayoutServiceDocument)
  const { service, credentials } = available
  const empty = Object.fromEntries(credentials.map(({ key }) => [key, '']))
  const form = useFields<Record<string, string>>(empty, (values) =>
    Object.fromEntries(
      credentials.flatMap(({ key, isRequired }) =>
        isRequired && !values[key]?.trim() ? [[key, words.needed(key)]] : [],
      ),
    ),
  )
  const submit = form.handleSubmit(async (values) => {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
    const outcome = await connect({ input: { service, credentials: Object.fromEntries(given) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(outcome.data.connectPayoutService.payoutService.canPay)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.tryAndKeep}>
      {credentials.map(({ key, description }) => (
        <TextField key={key} form={form} name={key} label={words.keys[key] ?? key} hint={description} />
      ))}
    </DialogForm>
  )
}
