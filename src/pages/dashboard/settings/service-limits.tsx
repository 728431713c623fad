import type { ConnectedServiceFragment } from '../../../generated/dashboard/settings/graphql.ts'
import { writeAmount } from '../../parts/amount.ts'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.services

const names = ['mostPerRunCents', 'mostPerDayCents', 'mostPerPayeeCents'] as const
type Values = Record<(typeof names)[number], string>

/** The most that a service sends. An empty field is no limit. */
export function ServiceLimits({ service, onDone }: { service: ConnectedServiceFragment; onDone(): void }) {
  const show = useToast()
  const { currency } = useProgram().program
  const [update] = useAction(action('updatePayoutService'))
  const written = (cents: number | null) => (cents === null ? '' : writeAmount(cents, currency))
  const form = useFields<Values>(
    {
      mostPerRunCents: written(service.mostPerRunCents),
      mostPerDayCents: written(service.mostPerDayCents),
      mostPerPayeeCents: written(service.mostPerPayeeCents),
    },
    (values) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const problem = values[name].trim() === '' ? undefined : amountProblem(values[name], currency)
          return problem ? [[name, problem]] : []
        }),
      ),
  )
  const submit = form.handleSubmit(async (values) => {
    const limits = names.map((name) => [
      name,
      values[name].trim() === '' ? null : Number(centsOf(values[name], currency)),
    ])
    const outcome = await update({ input: { id: service.id, ...Object.fromEntries(limits) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={texts.save}>
      {names.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={words.most[name](currency.toUpperCase())}
          inputMode="decimal"
        />
      ))}
    </DialogForm>
  )
}
