import { useNavigate } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import {
  CreatePayoutRunDocument,
  type CreatePayoutRunInput,
  OpenCurrenciesDocument,
  type OpenCurrenciesQuery,
  type PayoutMethod,
  PayoutRunPreviewDocument,
} from '../../../../generated/dashboard/payouts/runs/graphql.ts'
import { byCurrency } from '../../../../kernel/money/currency-order.ts'
import { FailureNotice } from '../../../parts/failure-notice.tsx'
import { formatMoney } from '../../../parts/format.tsx'
import { useAction, useData } from '../../api/use-data.ts'
import { FormFailure, SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, useFields } from '../../form/use-fields.ts'
import { useListState } from '../../list/use-list-state.ts'
import { endOf, today } from '../../money/days.ts'
import { useProgram } from '../../session/use-program.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PayoutTabs } from '../payout-tabs.tsx'
import { LeftOut } from './left-out.tsx'

const words = texts.payoutRuns

/** The first step of a run: which payouts it pays, and how. The address can name payouts, and their currency. */
export function NewPayoutRun() {
  const { data, failure, retry } = useData(OpenCurrenciesDocument, {})
  return (
    <Page title={words.new} lead={words.newLead}>
      <PayoutTabs current="runs" />
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && <Choose open={data.payouts.groupBy} />}
    </Page>
  )
}

const methods = Object.entries(words.methods).map(([value, name]) => ({ value, name }))

type Input = Pick<CreatePayoutRunInput, 'method' | 'currency' | 'asOf' | 'payoutIds' | 'leaveOutDisabled'>
type Fields = { method: PayoutMethod; currency: string; day: string; leaveOutDisabled: boolean }

const checkDay = ({ day }: Fields) => (endOf(day) === undefined || day > today() ? { day: words.asOfNeeded } : {})

function Choose({ open }: { open: OpenCurrenciesQuery['payouts']['groupBy'] }) {
  const { program } = useProgram()
  const { search } = useListState()
  const navigate = useNavigate()
  const [createPayoutRun] = useAction(CreatePayoutRunDocument)
  const payoutIds = search.payouts?.split(',')
  const currencies = open
    .flatMap(({ currency, count }) => (currency ? [{ currency, count }] : []))
    .sort(byCurrency(program.currency))
  const isOpen = (currency: string | undefined) => currencies.some((one) => one.currency === currency)
  const chosen = [search.currency, program.currency].find(isOpen) ?? currencies[0]?.currency ?? program.currency
  const form = useFields<Fields>(
    { method: methods[0]?.value as PayoutMethod, currency: chosen, day: today(), leaveOutDisabled: false },
    checkDay,
  )
  const inputOf = ({ method, currency, day, leaveOutDisabled }: Fields): Input => {
    // The end of today is in the future, which the service refuses.
    const asOf = day === today() ? undefined : endOf(day)
    return { method, currency, asOf, payoutIds, leaveOutDisabled }
  }
  const values = useWatch({ control: form.control }) as Fields
  const submit = form.handleSubmit(async (given) => {
    const outcome = await createPayoutRun({ input: inputOf(given) })
    if (!outcome.data) return showRejection(form, outcome)
    const { id } = outcome.data.createPayoutRun.payoutRun
    await navigate({ to: '/$program/payouts/runs/$id', params: { program: program.slug, id }, replace: true })
  })
  const options = currencies.map(({ currency, count }) => ({
    value: currency,
    name: words.openIn(currency.toUpperCase(), count),
  }))
  return (
    <Card title={words.choose} lead={words.chooseLead}>
      <form onSubmit={submit} noValidate className="narrow">
        {payoutIds && <p>{words.selected(payoutIds.length)}</p>}
        <SelectField form={form} name="method" label={words.method} hint={words.methodHint} options={methods} />
        <SelectField
          form={form}
          name="currency"
          label={texts.money.currency}
          hint={words.currencyHint}
          options={options.length > 0 ? options : [{ value: chosen, name: chosen.toUpperCase() }]}
        />
        <TextField form={form} name="day" type="date" label={words.asOf} hint={words.asOfHint} />
        <label className="check">
          <input type="checkbox" {...form.register('leaveOutDisabled')} /> {words.leaveOutDisabled}
        </label>
        {Object.keys(checkDay(values)).length === 0 && <Preview input={inputOf(values)} />}
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.create}
        </button>
      </form>
    </Card>
  )
}

/** What the run would pay, and whom it would leave out, before it is made. */
function Preview({ input }: { input: Input }) {
  const { data, failure, retry } = useData(PayoutRunPreviewDocument, input)
  // What was shown before is of another choice.
  const preview = failure ? undefined : data?.payoutRunPreview
  return (
    <div className="run-preview" aria-live="polite">
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!preview && !failure && <Skeleton lines={1} />}
      {preview && (
        <>
          <p className="total">
            {preview.payouts > 0
              ? words.checkText(preview.payouts, formatMoney(preview.amountCents, preview.currency))
              : words.empty}
          </p>
          {preview.withheldCents > 0 && (
            <p>{words.withheldText(formatMoney(preview.withheldCents, preview.currency))}</p>
          )}
          {preview.disabledCount > 0 && <p className="warning">{words.disabled(preview.disabledCount)}</p>}
          {preview.shortNames.length > 0 && <p>{words.shortNames(preview.shortNames)}</p>}
          {preview.needsApproval && <p>{words.needsApproval}</p>}
          {preview.skippedCount > 0 && <LeftOut {...preview} />}
        </>
      )}
    </div>
  )
}
