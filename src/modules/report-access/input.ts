import { z } from 'zod'
import { described, required, text } from '../../kernel/input/fields.ts'

export const reportGrantInput = z.object({
  role: required(
    described(text(), 'The name of the role of PostgreSQL, such as that of a BI tool.', { example: 'bi' }),
  ),
})
