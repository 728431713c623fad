import { z } from 'zod'
import { countries } from '../countries.ts'
import { textInput } from './fields.ts'
import { withWire } from './wire.ts'

const message = 'must be a country as two letters of ISO 3166, such as DE'

/** A country, in capitals. */
export const country = () =>
  withWire(
    textInput(message).pipe(
      z
        .string()
        .toUpperCase()
        .refine((code) => countries.includes(code), { error: message }),
    ),
    { type: 'string', minLength: 2, maxLength: 2, example: 'DE' },
  )
