import { z } from 'zod'
import { described, required, text } from '../input/fields.ts'

export const createApiKeyInput = z.object({
  name: required(described(text(), 'What the key is for, so that it can be told from others.', { example: 'Billing' })),
})
