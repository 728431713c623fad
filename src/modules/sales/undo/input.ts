import { z } from 'zod'
import { described, required, text } from '../../../kernel/input/fields.ts'

export const undoAttributionInput = z.object({
  reason: required(
    described(text(), 'Why, for the history of the sale and of its commission.', { example: 'The wrong Pedro' }),
  ),
})
