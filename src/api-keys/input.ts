import { z } from 'zod'
import { described, oneOf, optional, required, text } from '../input/fields.ts'

export const apiKeyAccesses = ['read', 'full'] as const

export const createApiKeyInput = z.object({
  name: required(described(text(), 'What the key is for, so that it can be told from others.', { example: 'Billing' })),
  access: optional(described(oneOf('ApiKeyAccess', apiKeyAccesses), 'What the key may do.', { default: 'FULL' })),
})
