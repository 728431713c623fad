import {
  PayoutSettingsDocument,
  type PayoutSettingsFragment,
  UpdatePayoutSettingsDocument,
} from '../../../generated/dashboard/settings/graphql.ts'
import { addressedMethods } from '../../../modules/payout-methods/addresses.ts'
import { updateProgramInput } from '../../../modules/programs/input.ts'
import { writeAmount } from '../../parts/amount.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { amountProblem, centsOf } from '../form/amount.ts'
import { checkInput } from '../form/check-input.ts'
import { FormFailure, SelectField, TextField } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { showRejection, showStored, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'

const words = texts.settings.payouts

type Program = PayoutSettingsFragment

/** How payouts are made: the default method, who approves, the account that is paid from, and how files are written. */
export function PayoutSettings() {
  const { data, failure, retry } = useData(PayoutSettingsDocument, {})
  const { canChange } = useProgram()
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && <PayoutForm program={data.program} isDisabled={!canChange} />}
    </Card>
  )
}

const valuesOf = ({ currency, ...program }: Program) => ({
  defaultPayoutMethod: program.defaultPayoutMethod,
  payoutApprovalAboveCents:
    program.payoutApprovalAboveCents === null ? '' : writeAmount(program.payoutApprovalAboveCents, currency),
  payoutHoldHours: String(program.payoutHoldHours),
  payoutFeeBearer: program.payoutFeeBearer,
  debtorName: program.debtorName ?? '',
  debtorIban: program.debtorIban ?? '',
  debtorBic: program.debtorBic ?? '',
  payoutFileDecimalMark: program.payoutFileDecimalMark,
  hasPayoutFileMark: program.hasPayoutFileMark ? ('yes' as const) : ('no' as const),
})

type Values = ReturnType<typeof valuesOf>

/** What is empty is removed. */
function inputOf(values: Values, currency: string) {
  const { payoutApprovalAboveCents: above, payoutHoldHours: hours } = values
  return {
    defaultPayoutMethod: values.defaultPayoutMethod,
    payoutApprovalAboveCents: above.trim() === '' ? null : Number(centsOf(above, currency) ?? Number.NaN),
    payoutHoldHours: hours.trim() === '' ? Number.NaN : Number(hours),
    payoutFeeBearer: values.payoutFeeBearer,
    debtorName: values.debtorName.trim() || null,
    debtorIban: values.debtorIban.trim() || null,
    debtorBic: values.debtorBic.trim() || null,
    payoutFileDecimalMark: values.payoutFileDecimalMark,
    hasPayoutFileMark: values.hasPayoutFileMark === 'yes',
  }
}

const checkSchema = checkInput<Record<string, unknown>>(updateProgramInput)

function PayoutForm({ program, isDisabled }: { program: Program; isDisabled: boolean }) {
  const show = useToast()
  const [updateProgram] = useAction(UpdatePayoutSettingsDocument)
  const { id, currency } = program
  const form = useFields<Values>(valuesOf(program), (values) => {
    const { payoutApprovalAboveCents: above } = values
    const problem = above.trim() === '' ? undefined : amountProblem(above, currency)
    return { ...checkSchema(inputOf(values, currency)), ...(problem && { payoutApprovalAboveCents: problem }) }
  })
  const submit = form.handleSubmit(async (values) => {
    const outcome = await updateProgram({ input: { id, ...inputOf(values, currency) } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    showStored(form, values, valuesOf(outcome.data.updateProgram.program))
  })
  const fields = texts.settings.history.fields
  return (
    <>
      <form onSubmit={submit} noValidate>
        <fieldset className="form-fields" disabled={isDisabled}>
          <SelectField
            form={form}
            name="defaultPayoutMethod"
            label={fields.defaultPayoutMethod}
            hint={words.defaultHint}
            options={methods}
          />
          <TextField
            form={form}
            name="payoutApprovalAboveCents"
            label={words.above(currency.toUpperCase())}
            hint={words.aboveHint}
            inputMode="decimal"
          />
          <TextField
            form={form}
            name="payoutHoldHours"
            label={fields.payoutHoldHours}
            hint={words.holdHint}
            inputMode="numeric"
          />
          <SelectField
            form={form}
            name="payoutFeeBearer"
            label={fields.payoutFeeBearer}
            hint={words.feeBearerHint}
            options={feeBearers}
          />
          <TextField form={form} name="debtorName" label={words.debtorName} hint={words.debtorNameHint} />
          <TextField form={form} name="debtorIban" label={words.debtorIban} hint={words.debtorHint} />
          <TextField form={form} name="debtorBic" label={words.debtorBic} />
          <SelectField form={form} name="payoutFileDecimalMark" label={fields.payoutFileDecimalMark} options={marks} />
          <SelectField
            form={form}
            name="hasPayoutFileMark"
            label={fields.hasPayoutFileMark}
            hint={words.markHint}
            options={yesOrNo}
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

const methods = addressedMethods.map(({ method }) => {
  const value = method.toUpperCase() as Uppercase<typeof method>
  return { value, name: texts.payoutRuns.methods[value] }
})
const feeBearers = (['COMPANY', 'AFFILIATE'] as const).map((value) => ({ value, name: words.feeBearers[value] }))
const marks = (['POINT', 'COMMA'] as const).map((value) => ({ value, name: words.marks[value] }))
const { flags } = texts.settings.history
const yesOrNo = [
  { value: 'no', name: flags.false },
  { value: 'yes', name: flags.true },
]
