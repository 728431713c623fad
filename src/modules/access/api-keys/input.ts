import { z } from 'zod'
import { described, kept, oneOf, optional, required, text } from '../../../kernel/input/fields.ts'

export const apiKeyAccesses = ['read', 'full'] as const

export const apiKeyProfiles = ['contract', 'superset'] as const
export const apiKeyWords = ['contract', 'convention'] as const

const name = described(text(), 'What the key is for, so that it can be told from others.', { example: 'Billing' })
const profile = oneOf('ApiKeyProfile', apiKeyProfiles)
const words = oneOf('ApiKeyWords', apiKeyWords)

export const createApiKeyInput = z.object({
  name: required(name),
  access: optional(described(oneOf('ApiKeyAccess', apiKeyAccesses), 'What the key may do.', { default: 'FULL' })),
  profile: optional(described(profile, 'Which fields its REST answers have.', { default: 'CONTRACT' })),
  words: optional(
    described(
      words,
      "Whose words the states in its REST answers are in; others than the contract's need the superset.",
      {
        default: 'CONTRACT',
      },
    ),
  ),
})

export const updateApiKeyInput = z.object({
  name: kept(name),
  profile: kept(described(profile, 'Which fields its REST answers have from now on.')),
  words: kept(described(words, 'Whose words the states in its REST answers are in from now on.')),
})
