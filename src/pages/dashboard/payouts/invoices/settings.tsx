import {
  type InvoiceSettingsFragment,
  UpdateInvoiceSettingsDocument,
} from '../../../../generated/dashboard/payouts/invoices/graphql.ts'
import { invoiceWordInput, updateInvoiceSettingsInput } from '../../../../modules/invoices/input.ts'
import { type Column, Table } from '../../../parts/table.tsx'
import { useAction } from '../../api/use-data.ts'
import { checkInput } from '../../form/check-input.ts'
import { FormFailure, SelectField, TextField } from '../../form/fields.tsx'
import { showRejection, showStored, useFields } from '../../form/use-fields.ts'
import { countryOptions } from '../../settings/countries.ts'
import { texts } from '../../texts.ts'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'

const words = texts.invoices.settings
const { flags } = texts.settings.history

type Props = { settings: InvoiceSettingsFragment }
type Word = InvoiceSettingsFragment['words'][number]

/** Numbers, value added tax, and sentences of the program's own. */
export const InvoiceSettings = ({ settings }: Props) => (
  <Card title={words.title} lead={words.lead}>
    <Numbers settings={settings} />
    <h3>{words.words}</h3>
    <p className="quiet">{words.wordsLead}</p>
    <Words settings={settings} />
  </Card>
)

const valuesOf = ({ numberPrefix, isVatIncluded }: InvoiceSettingsFragment) => ({
  numberPrefix,
  isVatIncluded: isVatIncluded ? 'yes' : 'no',
})
type Values = ReturnType<typeof valuesOf>

const inputOf = ({ numberPrefix, isVatIncluded }: Values) => ({
  numberPrefix: numberPrefix || null,
  isVatIncluded: isVatIncluded === 'yes',
})
const check = checkInput<Record<string, unknown>>(updateInvoiceSettingsInput)

function Numbers({ settings }: Props) {
  const show = useToast()
  const [update] = useAction(UpdateInvoiceSettingsDocument)
  const form = useFields<Values>(valuesOf(settings), (values) => check(inputOf(values)))
  const submit = form.handleSubmit(async (values) => {
    const outcome = await update({ input: inputOf(values) })
    if (!outcome.data) return showRejection(form, outcome)
    show(texts.saved)
    showStored(form, values, valuesOf(outcome.data.updateInvoiceSettings.invoiceSettings))
  })
  return (
    <form onSubmit={submit} noValidate>
      <div className="form-fields">
        <TextField form={form} name="numberPrefix" label={words.numberPrefix} hint={words.prefixHint} />
        <SelectField
          form={form}
          name="isVatIncluded"
          label={words.isVatIncluded}
          hint={words.vatHint}
          options={[
            { value: 'no', name: flags.false },
            { value: 'yes', name: flags.true },
          ]}
        />
        <FormFailure form={form} />
        <button type="submit" className="primary" disabled={form.formState.isSubmitting}>
          {words.save}
        </button>
      </div>
    </form>
  )
}

const kinds = Object.entries(words.kinds).map(([value, name]) => ({ value, name }))
const sameAs = (word: Pick<Word, 'country' | 'kind'>) => (one: Pick<Word, 'country' | 'kind'>) =>
  one.country === word.country && one.kind === word.kind

/** Each change sends all of them. */
function Words({ settings }: Props) {
  const [update] = useAction(UpdateInvoiceSettingsDocument)
  const form = useFields({ country: '', kind: 'SELF_BILLING', text: '' }, checkInput(invoiceWordInput))
  const send = (chosen: readonly Word[]) =>
    update({ input: { words: chosen.map(({ country, kind, text }) => ({ country, kind, text })) } })
  const submit = form.handleSubmit(async (entered) => {
    const word = entered as Word
    const outcome = await send([...settings.words.filter((one) => !sameAs(word)(one)), word])
    if (!outcome.data) return showRejection(form, outcome)
    form.reset({ country: '', kind: 'SELF_BILLING', text: '' })
  })
  const columns: Column<Word>[] = [
    { name: words.country, cell: ({ country }) => country },
    { name: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { name: words.text, cell: ({ text }) => text },
    {
      name: texts.actions,
      isPlain: true,
      cell: (word) => (
        <button type="button" onClick={() => void send(settings.words.filter((one) => !sameAs(word)(one)))}>
          {words.remove}
          <span className="unseen">
            {' '}
            ({word.country}, {words.kinds[word.kind]})
          </span>
        </button>
      ),
    },
  ]
  return (
    <>
      {settings.words.length > 0 && (
        <Table
          caption={words.words}
          columns={columns}
          rows={settings.words}
          keyOf={({ country, kind }) => `${country} ${kind}`}
        />
      )}
      <form onSubmit={submit} noValidate>
        <div className="form-fields">
          <SelectField form={form} name="country" label={words.country} options={countryOptions()} />
          <SelectField form={form} name="kind" label={words.kind} options={kinds} />
          <TextField form={form} name="text" label={words.text} />
          <FormFailure form={form} />
          <button type="submit" disabled={form.formState.isSubmitting}>
            {words.add}
          </button>
        </div>
      </form>
    </>
  )
}
