import { defineEnum, type Words } from '../../../graphql/enums.ts'
import type { apiKeyAccesses, apiKeyProfiles, apiKeyWords } from './input.ts'

const apiKeyAccess: Words<typeof apiKeyAccesses> = {
  read: 'The key can read. Mutations and all other writes are rejected.',
  full: 'The key can do everything that the API allows in its program.',
}

export const ApiKeyAccessEnum = defineEnum('ApiKeyAccess', 'What an API key may do.', apiKeyAccess)

const apiKeyProfile: Words<typeof apiKeyProfiles> = {
  contract: 'Exactly the fields of the documented contract.',
  superset: "The contract's fields, and the additional fields that clients of the convention expect.",
}

export const ApiKeyProfileEnum = defineEnum(
  'ApiKeyProfile',
  'Which fields the REST responses to an API key have.',
  apiKeyProfile,
)

const apiKeyWord: Words<typeof apiKeyWords> = {
  contract: "The contract's words: a void commission is `void`, and an open payout is `pending`.",
  convention:
    "The convention's words: a void commission is `voided`, and an open payout is `due` once it meets the minimum of the affiliate's campaign.",
}

export const ApiKeyWordsEnum = defineEnum('ApiKeyWords', 'How states are spelled over REST.', apiKeyWord)
