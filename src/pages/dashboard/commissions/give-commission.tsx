import { createCommissionInput } from '../../../modules/commissions/input.ts'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import { currencyOptions } from '../form/currency-options.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { SelectField, TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.commissions.give

type What = keyof typeof words.kinds
type Fields = { what: What; amountCents: string; currency: string; reason: string }

/** The amount is typed without a sign: what it is says whether it is deducted. */
function inputOf({ what, amountCents, currency, reason }: Fields) {
  const cents = Number(centsOf(amountCents, currency.toLowerCase()) ?? Number.NaN)
  return {
    kind: what === 'bonus' ? ('BONUS' as const) : ('CORRECTION' as const),
    amountCents: what === 'deducts' ? -cents : cents,
    currency: currency.toLowerCase(),
    reason,
  }
}

const check = checkInput<object>(createCommissionInput.omit({ affiliateId: true }))

type Props = { affiliate: { id: string } & Parameters<typeof nameOf>[0]; onDone(): void }

/** A bonus, or an amount that is added or deducted, for an affiliate. */
export function GiveCommission({ affiliate, onDone }: Props) {
  const { program } = useProgram()
  const show = useToast()
  const [give] = useAction(action('createCommission'))
  const form = useFields<Fields>(
    { what: 'bonus', amountCents: '', currency: program.currency.toUpperCase(), reason: '' },
    (values) => {
      const amount = amountProblem(values.amountCents, values.currency.toLowerCase())
      return { ...check(inputOf(values)), ...(amount && { amountCents: amount }) }
    },
  )
  const submit = form.handleSubmit(async (values) => {
    const input = inputOf(values)
    const outcome = await give({ input: { affiliateId: affiliate.id, ...input } })
    if (!outcome.data) return showRejection(form, outcome)
    show(input.kind === 'BONUS' ? words.bonusDone(nameOf(affiliate)) : words.correctionDone(nameOf(affiliate)))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.action}>
      <p className="quiet">{words.lead}</p>
      <SelectField
        form={form}
        name="what"
        label={words.what}
        options={Object.entries(words.kinds).map(([value, name]) => ({ value, name }))}
      />
      <div className="field-pair">
        <TextField form={form} name="amountCents" label={texts.money.amount} inputMode="decimal" />
        <SelectField
          form={form}
          name="currency"
          label={texts.money.currency}
          options={currencyOptions(program.currency)}
        />
      </div>
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
    </DialogForm>
  )
}
