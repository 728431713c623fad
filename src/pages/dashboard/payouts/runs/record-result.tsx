import type { PaymentFragment, PayoutItemState } from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { payoutResultInput } from '../../../../modules/payouts/runs/input.ts'
import { outcomeOf } from '../../../../modules/payouts/runs/outcome.ts'
import { nameOf } from '../../affiliate-name.tsx'
import { action } from '../../api/action.ts'
import { useAction } from '../../api/use-data.ts'
import { amountProblem, centsOf } from '../../form/amount.ts'
import { checkInput } from '../../form/check-input.ts'
import { DialogForm } from '../../form/dialog-form.tsx'
import { SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { texts } from '../../texts.ts'
import { useToast } from '../../ui/toast.tsx'

const words = texts.payoutRuns

type Fields = { state: PayoutItemState; amount: string; reference: string; reason: string }

const check = checkInput<Fields>(payoutResultInput.pick({ reference: true, reason: true }))

const results = ['paid', 'failed', 'returned', 'unclaimed', 'cancelled'] as const

/** What can still be recorded of a payment. */
export const resultsAfter = (state: PayoutItemState): PayoutItemState[] =>
  results
    .filter((result) => {
      const outcome = outcomeOf(state.toLowerCase() as Lowercase<PayoutItemState>, result)
      return typeof outcome === 'string' && outcome !== 'unchanged'
    })
    .map((result) => result.toUpperCase() as PayoutItemState)

const option = (value: PayoutItemState) => ({ value, name: words.itemStates[value] })

type RecordResultProps = { runId: string; payment: PaymentFragment; onDone(): void }

/** Records by hand what became of one payment. */
export function RecordResult({ runId, payment: { payoutId, affiliate, state, currency }, onDone }: RecordResultProps) {
  const show = useToast()
  const [recordResults] = useAction(action('recordPayoutResults'))
  const possible = resultsAfter(state)
  const form = useFields<Fields>({ state: possible[0] ?? state, amount: '', reference: '', reason: '' }, (values) => {
    const problem = values.amount.trim() === '' ? undefined : amountProblem(values.amount, currency)
    return problem ? { amount: problem } : check(values)
  })
  const submit = form.handleSubmit(async ({ amount, reference, reason, state: result }) => {
    const amountCents = amount.trim() === '' ? null : Number(centsOf(amount, currency))
    const one = { payoutId, state: result, amountCents, reference: reference || null, reason: reason || null }
    const outcome = await recordResults({ input: { runId, results: [one] } })
    if (!outcome.data) return showRejection(form, outcome)
    show(words.recorded(nameOf(affiliate)))
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={words.record}>
      <SelectField form={form} name="state" label={words.result} options={possible.map(option)} />
      <TextField form={form} name="amount" label={words.partAmount} hint={words.partAmountHint} />
      <TextField form={form} name="reason" label={words.reason} hint={words.resultReasonHint} />
      <TextField form={form} name="reference" label={words.paymentReference} />
    </DialogForm>
  )
}
