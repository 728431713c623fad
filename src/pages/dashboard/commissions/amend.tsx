import type { AmendCommissionInput } from '../../../generated/dashboard/actions.ts'
import type { CommissionFragment } from '../../../generated/dashboard/commissions/graphql.ts'
import { writeAmount } from '../../parts/amount.ts'
import { formatMoney } from '../../parts/format.tsx'
import { formatDate } from '../../parts/locale.ts'
import { nameOf } from '../affiliate-name.tsx'
import { action } from '../api/action.ts'
import { useAction } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { TextField } from '../form/fields.tsx'
import { showRejection, useFields } from '../form/use-fields.ts'
import { dayOf, endOf, today } from '../money/days.ts'
import { texts } from '../texts.ts'
import { useToast } from '../ui/toast.tsx'

const words = texts.commissions

type AmendProps = { commission: CommissionFragment; onDone(): void }

export const ChangeAmount = ({ commission, onDone }: AmendProps) => {
  const { amountCents, currency } = commission
  return (
    <AmendForm
      commission={commission}
      onDone={onDone}
      lead={words.amendLead(formatMoney(amountCents, currency))}
      label={`${words.newAmount} (${currency.toUpperCase()})`}
      initial={writeAmount(amountCents, currency)}
      problemOf={(text) => amountProblem(text, currency)}
      changeOf={(text) => ({ amountCents: Number(centsOf(text, currency)) })}
      action={words.amend}
      done={words.amended}
    />
  )
}

/** The time of the day stays what it was. */
const atDay = (day: string, instant: string) => {
  const at = new Date(instant)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  at.setFullYear(year, month - 1, date)
  return at.toISOString()
}

export const MoveDueDate = ({ commission, onDone }: AmendProps) => (
  <AmendForm
    commission={commission}
    onDone={onDone}
    lead={words.rescheduleLead(formatDate(commission.dueAt))}
    label={words.newDay}
    initial={dayOf(new Date(commission.dueAt))}
    type="date"
    problemOf={(day) => (endOf(day) ? undefined : texts.money.notDay)}
    changeOf={(day) => ({ dueAt: atDay(day, commission.dueAt) })}
    action={words.reschedule}
    done={words.rescheduled}
  />
)

export const MarkPaid = ({ commission, onDone }: AmendProps) => (
  <AmendForm
    commission={commission}
    onDone={onDone}
    lead={words.markPaidLead(formatMoney(commission.amountCents, commission.currency), nameOf(commission.affiliate))}
    label={words.paidOn}
    initial={today()}
    type="date"
    problemOf={(day) => (!endOf(day) ? texts.money.notDay : day > today() ? words.notFuture : undefined)}
    changeOf={(day) => ({ paidAt: day === today() ? new Date().toISOString() : endOf(day) })}
    action={words.markPaid}
    done={words.wasPaid}
  />
)

type AmendFormProps = AmendProps & {
  /** Names what changes. */
  lead: string
  label: string
  initial: string
  type?: 'text' | 'date'
  problemOf(value: string): string | undefined
  changeOf(value: string): Omit<AmendCommissionInput, 'id'>
  action: string
  done: string
}

/** One value of a commission to change. */
function AmendForm({ commission: { id }, lead, label, type = 'text', onDone, ...props }: AmendFormProps) {
  const [amend] = useAction(action('amendCommission'))
  const show = useToast()
  const form = useFields<{ value: string }>({ value: props.initial }, ({ value }) => {
    const problem = props.problemOf(value)
    return problem === undefined ? {} : { value: problem }
  })
  const submit = form.handleSubmit(async ({ value }) => {
    const outcome = await amend({ input: { id, ...props.changeOf(value) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(props.done)
    onDone()
  })
  return (
    <DialogForm form={form} onSubmit={submit} action={props.action}>
      <p>{lead}</p>
      <TextField
        form={form}
        name="value"
        label={label}
        type={type}
        {...(type === 'text' && { inputMode: 'decimal' })}
      />
    </DialogForm>
  )
}
