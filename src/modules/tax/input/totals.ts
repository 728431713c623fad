import { z } from 'zod'
import { described, required, text, wholeNumber } from '../../../kernel/input/fields.ts'

const year = required(
  described(wholeNumber(2000, 2199), "The year, by the calendar of the program's time zone.", { example: 2026 }),
)

export const taxTotalsInput = z.object({ year })

export const exportTaxTotalsInput = z.object({
  year,
  reason: required(
    described(text(1_000), 'Why the tax ids are read. It is in the history of each affiliate.', {
      example: '1099-NEC of 2026',
    }),
  ),
})
