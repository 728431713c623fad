import {
  TaxSettingsDocument,
  type TaxSettingsFragment,
  UpdateTaxSettingsDocument,
} from '../../../generated/dashboard/settings/graphql.ts'
import { updateTaxSettingsInput } from '../../../modules/tax/input/settings.ts'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { useAction, useData } from '../api/use-data.ts'
import { checkInput } from '../form/check-input.ts'
import { FormFailure, SelectField, TextField } from '../form/fields.tsx'
import { AskToLeave } from '../form/leave.tsx'
import { basisPointsOf, percentProblem, percentText } from '../form/percent.ts'
import { showRejection, showStored, useFields } from '../form/use-fields.ts'
import { useProgram } from '../session/use-program.ts'
import { texts } from '../texts.ts'
import { Card } from '../ui/card.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { countryOptions } from './countries.ts'

const words = texts.settings.tax

/** Whether payouts need a tax profile, and the company that pays. */
export function TaxSettings() {
  const { data, failure, retry } = useData(TaxSettingsDocument, {})
  const { canPay } = useProgram()
  return (
    <Card title={words.title} lead={words.lead}>
      {failure && <FailureNotice message={failure} onRetry={retry} />}
      {!data && !failure && <Skeleton />}
      {data && <TaxForm settings={data.program.taxSettings} isDisabled={!canPay} />}
    </Card>
  )
}

const lines = [
  'payerName',
  'payerStreet',
  'payerPostalCode',
  'payerCity',
  'payerRegion',
  'payerVatId',
  'payerTaxId',
] as const

const valuesOf = (settings: TaxSettingsFragment) => ({
  withholdingPercent: percentText(settings.withholdingBasisPoints),
  needsProfileForPayouts: settings.needsProfileForPayouts ? ('yes' as const) : ('no' as const),
  payerCountry: settings.payerCountry ?? '',
  ...(Object.fromEntries(lines.map((name) => [name, settings[name] ?? ''])) as Record<(typeof lines)[number], string>),
})

type Values = ReturnType<typeof valuesOf>

/** What is empty is removed. */
const linesOf = ({ needsProfileForPayouts, withholdingPercent: _, ...values }: Values) => ({
  needsProfileForPayouts: needsProfileForPayouts === 'yes',
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim() || null])),
})

const checkLines = checkInput<Record<string, unknown>>(updateTaxSettingsInput.omit({ withholdingBasisPoints: true }))

function check(values: Values) {
  const problem = percentProblem(values.withholdingPercent)
  return { ...checkLines(linesOf(values)), ...(problem !== undefined && { withholdingPercent: problem }) }
}

function TaxForm({ settings, isDisabled }: { settings: TaxSettingsFragment; isDisabled: boolean }) {
  const show = useToast()
  const [update] = useAction(UpdateTaxSettingsDocument)
  const form = useFields<Values>(valuesOf(settings), check)
  const submit = form.handleSubmit(async (values) => {
    const withholdingBasisPoints = basisPointsOf(values.withholdingPercent)
    const outcome = await update({ input: { ...linesOf(values), withholdingBasisPoints } })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    showStored(form, values, valuesOf(outcome.data.updateTaxSettings.taxSettings))
  })
  return (
    <>
      <form onSubmit={submit} noValidate>
        <fieldset className="form-fields" disabled={isDisabled}>
          <SelectField
            form={form}
            name="needsProfileForPayouts"
            label={words.needsProfileForPayouts}
            hint={words.needHint}
            options={yesOrNo}
          />
          <SelectField
            form={form}
            name="payerCountry"
            label={words.payerCountry}
            hint={words.countryHint}
            options={countryOptions()}
          />
          {lines.map((name) => (
            <TextField key={name} form={form} name={name} label={words[name]} />
          ))}
          <TextField
            form={form}
            name="withholdingPercent"
            label={words.withholding}
            hint={words.withholdingHint}
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

const { flags } = texts.settings.history
const yesOrNo = [
  { value: 'no' as const, name: flags.false },
  { value: 'yes' as const, name: flags.true },
]
