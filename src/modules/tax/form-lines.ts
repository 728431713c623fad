import type { TaxProfile } from '../../generated/prisma/client.ts'
import type { FormField } from './input/forms/field.ts'
import { forms } from './input/forms.ts'

/** The filled lines of a signed form, in the order and the words of the paper. */
export function shownLines({ form, formFields }: Pick<TaxProfile, 'form' | 'formFields'>) {
  const values = formFields as Readonly<Record<string, string | number | boolean | undefined>>
  return Object.entries(form ? forms[form].fields : {}).flatMap(([name, field]) => {
    const value = values[name]
    return value === undefined || value === false
      ? []
      : [{ line: field.line, label: field.label, value: shown(field, value) }]
  })
}

function shown(field: FormField, value: string | number | boolean): string {
  if (field.kind === 'choice') return field.options[String(value)] ?? String(value)
  if (field.kind === 'flag') return 'yes'
  return field.kind === 'percent' ? String(Number(value) / 100) : String(value)
}
