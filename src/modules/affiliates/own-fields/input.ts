import { z } from 'zod'
import {
  clearable,
  described,
  oneOf,
  optional,
  required,
  text,
  unchangedIfAbsent,
} from '../../../kernel/input/fields.ts'
import { listed, references, several } from '../../../kernel/input/lists.ts'
import { wireOf, withWire } from '../../../kernel/input/wire.ts'
import { mostAffiliates } from '../groups/input.ts'

export const affiliateFieldTypes = ['text', 'number', 'date', 'choice'] as const
export const mostFields = 50
const mostChoices = 100
export const longestValue = 2_000

const fieldName = () => {
  const message = 'may hold lower-case letters, digits and underscores, and starts with a letter'
  return withWire(
    text(50).refine((name) => /^[a-z][a-z0-9_]*$/.test(name), { error: message }),
    wireOf(text(50)),
  )
}

const label = described(text(200), 'What people read.', { example: 'Size of the audience' })
const choices = described(several(text(200), mostChoices), 'The values of a `CHOICE`, in order. Other types have none.')

export const createAffiliateFieldInput = z.object({
  name: required(
    described(fieldName(), 'How requests, filters and files call it. It never changes.', { example: 'audience' }),
  ),
  label: required(label),
  type: optional(
    described(oneOf('AffiliateFieldType', affiliateFieldTypes), 'What it holds. It never changes.', {
      default: 'TEXT',
    }),
  ),
  choices: optional(choices),
})

const nameOfField = required(described(text(50), 'The name of the field.', { example: 'audience' }))

export const updateAffiliateFieldInput = z.object({
  name: nameOfField,
  label: unchangedIfAbsent(label),
  choices: unchangedIfAbsent(
    described(
      several(text(200), mostChoices),
      'The values of a `CHOICE`, in order. Affiliates keep a value that is left out, but it cannot be chosen again.',
    ),
  ),
})

export const deleteAffiliateFieldInput = z.object({ name: nameOfField })

export const ownFieldInput = z.object({
  name: required(described(text(50), 'The name of a field of `affiliateFields`.', { example: 'audience' })),
  value: clearable(
    described(
      text(longestValue),
      'The value: a text, a number such as `12.5`, a date such as `2026-01-31`, or one of the choices. Null or empty removes it.',
    ),
  ),
})

export const ownFields = described(
  listed('OwnFieldInput', ownFieldInput, mostFields),
  "Values of the program's own fields. Fields that are not named stay as they are.",
)

export const setOwnFieldsInput = z.object({
  affiliateIds: required(
    described(references(mostAffiliates), `1 to ${mostAffiliates} affiliates. All or none are changed.`),
  ),
  ownFields: required(ownFields),
})
