import { Link } from '@tanstack/react-router'
import {
  type PayoutMethod,
  ScheduleDocument,
  type ScheduleFragment,
  UpdatePayoutScheduleDocument,
} from '../../../generated/dashboard/settings/graphql.ts'
import { addressedMethods } from '../../../modules/payout-methods/addresses.ts'
import { writeAmount } from '../../parts/amount.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { formatMoney } from '../../parts/format.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { ChecksField, FormFailure, TextField } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { showRejection, showStored, useFields } from '../form/use-fields.ts'
import { Fact } from '../money/fact.tsx'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Moment } from '../ui/moment.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.schedule

/** On which days runs are made without a person, and what became of the last ones. */
export function Schedule() {
  const { data, failure, retry } = useData(ScheduleDocument, {})
  const { canManageKeys: isOwner } = useProgram()
  return (
    <Card title={words.title} lead={data && words.lead(data.program.timeZone)}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && !isOwner && <p className="quiet">{words.ownersOnly}</p>}
      {data && <ScheduleForm schedule={data.payoutSchedule} isDisabled={!isOwner} />}
      {data?.payoutSchedule && <LastDays schedule={data.payoutSchedule} />}
    </Card>
  )
}

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const valuesOf = (schedule: ScheduleFragment | null, currency: string) => {
  const written = (cents: number | null | undefined) => (cents ? writeAmount(cents, currency) : '')
  return {
    daysOfMonth: schedule?.daysOfMonth.join(', ') ?? '',
    weekdays: [...(schedule?.weekdays ?? [])] as string[],
    methods: [...(schedule?.methods ?? [])] as string[],
    currencies: (schedule?.currencies ?? [currency]).join(', ').toUpperCase(),
    minimumCents: written(schedule?.minimumCents),
    sendUpToCents: written(schedule?.sendUpToCents),
  }
}

type Values = ReturnType<typeof valuesOf>
const amounts = ['minimumCents', 'sendUpToCents'] as const

function ScheduleForm({ schedule, isDisabled }: { schedule: ScheduleFragment | null; isDisabled: boolean }) {
  const show = useToast()
  const { currency } = useProgram().program
  const [update] = useAction(UpdatePayoutScheduleDocument)
  const form = useFields<Values>(valuesOf(schedule, currency), (values) =>
    Object.fromEntries(
      amounts.flatMap((name) => {
        const problem = values[name].trim() === '' ? undefined : amountProblem(values[name], currency)
        return problem ? [[name, problem]] : []
      }),
    ),
  )
  const cents = (text: string) => (text.trim() === '' ? null : Number(centsOf(text, currency)))
  const submit = form.handleSubmit(async (values) => {
    const input = {
      daysOfMonth: listOf(values.daysOfMonth).map(Number),
      weekdays: values.weekdays as ScheduleFragment['weekdays'],
      methods: values.methods as PayoutMethod[],
      currencies: listOf(values.currencies.toLowerCase()),
      minimumCents: cents(values.minimumCents),
      sendUpToCents: cents(values.sendUpToCents),
    }
    const outcome = await update({ input })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    showStored(form, values, valuesOf(outcome.data.updatePayoutSchedule.payoutSchedule, currency))
  })
  const code = currency.toUpperCase()
  return (
    <>
      <form onSubmit={submit} noValidate aria-label={words.title}>
        <fieldset className="form-fields" disabled={isDisabled}>
          <TextField form={form} name="daysOfMonth" label={words.daysOfMonth} hint={words.daysHint} />
          <ChecksField form={form} name="weekdays" label={words.weekdays} options={weekdays} />
          <ChecksField form={form} name="methods" label={words.methods} options={methods} />
          {form.formState.errors.methods?.message && <p className="error">{form.formState.errors.methods.message}</p>}
          <TextField form={form} name="currencies" label={words.currencies} hint={words.currenciesHint} />
          <TextField
            form={form}
            name="minimumCents"
            label={words.minimum(code)}
            hint={words.minimumHint}
            inputMode="decimal"
          />
          <TextField
            form={form}
            name="sendUpToCents"
            label={words.sendUpTo(code)}
            hint={words.sendUpToHint}
            inputMode="decimal"
          />
          <FormFailure form={form} />
          {!isDisabled && (
            <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
              {words.save}
            </button>
          )}
        </fieldset>
      </form>
      <AskToLeave form={form} />
    </>
  )
}

function LastDays({ schedule: { nextAt, runs } }: { schedule: ScheduleFragment }) {
  const { program } = useProgram()
  return (
    <>
      <dl className="facts">
        <Fact name={words.next}>{nextAt ? <Moment at={nextAt} /> : words.none}</Fact>
      </dl>
      {runs.length > 0 && (
        <table>
          <caption>{words.last}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.method}</th>
              <th scope="col">{words.outcome}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map(({ day, method, currency, state, reason, payoutRun }) => (
              <tr key={`${day} ${method} ${currency}`}>
                <td>{day}</td>
                <td>
                  {texts.payoutRuns.methods[method]}, {currency.toUpperCase()}
                </td>
                <td>
                  {payoutRun ? (
                    <Link
                      to={'/$program/payouts/runs/$id' as '/$program/payouts'}
                      params={{ program: program.slug, id: payoutRun.id } as { program: string }}
                    >
                      {words.states[state]}, {formatMoney(payoutRun.amountCents, currency)}
                    </Link>
                  ) : (
                    words.states[state]
                  )}
                  {reason && `. ${reason}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

const weekdays = Object.entries(words.weekday).map(([value, name]) => ({ value, name }))
const methods = [...addressedMethods.map(({ method }) => method), 'generic' as const].map((method) => {
  const value = method.toUpperCase() as Uppercase<typeof method>
  return { value, name: texts.payoutRuns.methods[value] }
})
