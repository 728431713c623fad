import { config, type z } from 'zod'
import { readFields } from '../../../kernel/input/parse.ts'
import type { Check } from './use-fields.ts'

// zod compiles schemas with `new Function`, which the page's Content-Security-Policy does not allow.
config({ jitless: true })

/** Checks the values of a form with the schema that the service checks them with. */
export const checkInput =
  <Values extends object>(schema: z.ZodObject): Check<Values> =>
  (values) =>
    Object.fromEntries(
      readFields(schema, values).problems.map(({ field = '', message }) => [field, message]),
    ) as ReturnType<Check<Values>>
