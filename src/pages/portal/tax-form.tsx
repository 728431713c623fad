import type { TaxForm } from '../../generated/prisma/enums.ts'
import { countries } from '../../kernel/countries.ts'
import type { FormField } from '../../modules/tax/input/forms/field.ts'
import { forms } from '../../modules/tax/input/forms.ts'
import { CheckField, SelectField, TextField } from './fields.tsx'
import { currentLanguage, texts } from './texts.ts'
import type { Entered, Problems } from './use-save.ts'

type Values = Readonly<Record<string, unknown>>

/** What the names of the form's fields begin with, beside those of the profile. */
const prefix = 'form.'

/** Parts what was entered into the profile and the fields of the form. */
export function takeForm(entered: Entered, sent: FormData) {
  const core: Record<string, string | null> = {}
  const fields: Record<string, string | true> = {}
  for (const [name, value] of Object.entries(entered)) {
    if (!name.startsWith(prefix)) core[name] = value
    else if (value !== null) fields[name.slice(prefix.length)] = sent.get(name) === 'on' ? true : value
  }
  return { core, fields }
}

/** Countries by their names in the language of the page. */
export function countryOptions(): [code: string, name: string][] {
  const language = currentLanguage()
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const named = countries.map((code): [string, string] => [code, names.of(code) ?? code])
  return [['', texts.tax.choose], ...named.sort(([, a], [, b]) => a.localeCompare(b, language))]
}

/** The fields of a form of the IRS, in its words, and what is signed. */
export function TaxFormFields({ name, values, problems }: { name: TaxForm; values: Values; problems: Problems }) {
  const form = forms[name]
  return (
    <>
      <p className="quiet">{texts.tax.formIsEnglish}</p>
      <h3 lang="en">
        {form.title} ({form.revision})
      </h3>
      {Object.entries(form.fields).map(([field, definition]) => (
        <OneField
          key={field}
          name={prefix + field}
          field={definition}
          value={values[field]}
          problem={problems[prefix + field]}
        />
      ))}
      {problems.form && <p className="error">{problems.form}</p>}
      <div lang="en">
        {form.certification.split('\n').map((paragraph) => (
          <p key={paragraph} className="quiet">
            {paragraph}
          </p>
        ))}
      </div>
    </>
  )
}

type OneFieldProps = { name: string; field: FormField; value: unknown; problem: string | undefined }

function OneField({ name, field, value, problem }: OneFieldProps) {
  const label = `${field.line} ${field.label}`
  const shared = { name, label, problem }
  if (field.kind === 'flag') return <CheckField name={name} label={label} isChecked={value === true} />
  if (field.kind === 'choice') {
    const options = [['', texts.tax.choose] as const, ...Object.entries(field.options)]
    return <SelectField {...shared} value={String(value ?? '')} options={options} />
  }
  if (field.kind === 'country')
    return <SelectField {...shared} value={String(value ?? '')} options={countryOptions()} />
  const shown = field.kind === 'percent' && value !== undefined ? String(Number(value) / 100) : value
  return <TextField {...shared} value={shown === undefined ? null : String(shown)} />
}
