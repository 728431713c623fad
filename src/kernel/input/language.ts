import { defaultLanguage, languageOf, languages } from '../languages.ts'
import { text } from './fields.ts'
import { wireOf, withWire } from './wire.ts'

/** One of the languages that affiliates read. `de-AT` is `de`. */
export const language = () =>
  withWire(
    text(35)
      .refine((tag) => languageOf(tag) !== null, { error: `must be one of: ${languages.join(', ')}` })
      .transform((tag) => languageOf(tag) ?? defaultLanguage),
    wireOf(text(35)),
  )
