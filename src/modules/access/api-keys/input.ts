import { z } from 'zod'
import { described, oneOf, optional, required, text, unchangedIfAbsent } from '../../../kernel/input/fields.ts'

export const apiKeyAccesses = ['read', 'full'] as const

export const apiKeyProfiles = ['contract', 'superset'] as const
export const apiKeyWords = ['contract', 'convention'] as const

const name = described(text(), 'A name that says what the key is for.', { example: 'Billing' })
const profile = oneOf('ApiKeyProfile', apiKeyProfiles)
const words = oneOf('ApiKeyWords', apiKeyWords)

export const createApiKeyInput = z.object({
  name: required(name),
  access: optional(
    described(oneOf('ApiKeyAccess', apiKeyAccesses), 'What the key may do. This cannot be changed later.', {
      default: 'FULL',
    }),
  ),
  profile: optional(described(profile, 'Which fields the REST responses to the key have.', { default: 'CONTRACT' })),
  words: optional(
    described(
      words,
      'How states are spelled in the REST responses to the key. `CONVENTION` requires the profile `SUPERSET`.',
      {
        default: 'CONTRACT',
      },
    ),
  ),
})

export const updateApiKeyInput = z.object({
  name: unchangedIfAbsent(name),
  profile: unchangedIfAbsent(
    described(
      profile,
      'Which fields the REST responses to the key have. `CONTRACT` also resets `words` to `CONTRACT`.',
    ),
  ),
  words: unchangedIfAbsent(
    described(
      words,
      'How states are spelled in the REST responses to the key. `CONVENTION` requires the profile `SUPERSET`.',
    ),
  ),
})
