import { z } from 'zod'
import { described, email, required } from '../../kernel/input/fields.ts'

export const personInput = z.object({
  email: required(described(email(), 'The e-mail address of the customer or the affiliate.')),
})
