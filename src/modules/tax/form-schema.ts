import { z } from 'zod'
import { country } from '../../kernel/input/country.ts'
import { flag, oneOf, optional, percent, required, text } from '../../kernel/input/fields.ts'
import type { Form, FormField } from './input/forms/field.ts'

/** The form of a day, which exists: `2026-02-30` does not. People can be born before 1970. */
const birthDate = () =>
  text(10).refine(
    (value) => /^(19|20)\d\d-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value) === true,
    { error: 'must be a date, such as 1990-12-31' },
  )

function schemaOfField(field: FormField) {
  if (field.kind === 'text') return text(field.length)
  if (field.kind === 'choice') return oneOf('', Object.keys(field.options) as [string, ...string[]])
  if (field.kind === 'flag') return flag()
  if (field.kind === 'country') return country()
  if (field.kind === 'date') return birthDate()
  return percent()
}

/** The schema of the fields of a form. Percentages are basis points. */
export const schemaOf = ({ fields }: Form): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const value = schemaOfField(field)
        return [name, field.isRequired ? required(value) : optional(value)]
      }),
    ),
  )
