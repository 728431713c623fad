import { defineEnum, type Words } from '../../../graphql/enums.ts'
import type { apiKeyAccesses, apiKeyProfiles, apiKeyWords } from './input.ts'

const apiKeyAccess: Words<typeof apiKeyAccesses> = {
  read: 'It reads; mutations and whatever else changes something are refused.',
  full: 'All that the API can do in its program.',
}

export const ApiKeyAccessEnum = defineEnum('ApiKeyAccess', 'What an API key may do.', apiKeyAccess)

const apiKeyProfile: Words<typeof apiKeyProfiles> = {
  contract: 'Exactly the fields of the documented contract.',
  superset: "The contract's fields, and beside them those that clients of the convention expect.",
}

export const ApiKeyProfileEnum = defineEnum(
  'ApiKeyProfile',
  'Which fields the REST answers to a key have.',
  apiKeyProfile,
)

const apiKeyWord: Words<typeof apiKeyWords> = {
  contract: "The contract's: a commission that was taken back is `void`, an open payout `pending`.",
  convention:
    "The convention's: such a commission is `voided`, an open payout is `due` once it meets the minimum of the affiliate's campaign.",
}

export const ApiKeyWordsEnum = defineEnum('ApiKeyWords', 'Whose words states are in over REST.', apiKeyWord)
