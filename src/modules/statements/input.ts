import { z } from 'zod'
import { currency, described, optional, reference, required, text } from '../../kernel/input/fields.ts'
import { mostAtOnce, several } from '../../kernel/input/lists.ts'
import { pageFields } from '../../listing/page-fields.ts'

export const monthInput = required(
  described(text(), "A month of the program's time zone: its year and its number.", { example: '2026-10' }),
)

export const listStatementsInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only statements of the affiliate with this id.')),
  month: optional(described(text(), 'Only statements of this month, such as `2026-10`.')),
})

export const rotateStatementKeyInput = z.object({
  reason: optional(described(text(), 'Why the key is replaced, for the history.')),
})

export const closeMonthInput = z.object({ month: monthInput })

export const acceptReconciliationInput = z.object({
  month: monthInput,
  currency: optional(
    described(currency(), 'Only the differences in this currency. Default: all, also events, which have no currency.'),
  ),
  keys: optional(
    described(
      several(text(), mostAtOnce),
      'Only these differences, by their `key`. Refused if one of them has changed. Default: all.',
    ),
  ),
  reason: required(described(text(1_000), 'Why the differences are accepted. It is kept with them.')),
})
