import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { importOutcomes } from './csv-import.ts'
import type { affiliateStates, recipientTypes } from './input.ts'

const affiliateState: Words<typeof affiliateStates> = {
  active: 'The affiliate gets visitors, leads, conversions and commissions.',
  disabled: 'The affiliate gets nothing new and cannot sign in. Earned commissions stay.',
  suspicious: 'The affiliate is under review: they get nothing new and cannot sign in until a person decides.',
}

const importOutcome: Words<typeof importOutcomes> = {
  created: 'A new affiliate was created, or would be in a dry run.',
  skipped: 'An affiliate with this e-mail already exists and was not changed.',
  invalid: 'The line has problems. No affiliate of the file was created.',
  not_created: 'The line is valid, but another line has problems. No affiliate of the file was created.',
}

export const AffiliateStateEnum = defineEnum(
  'AffiliateState',
  'Whether an affiliate takes part in the program.',
  affiliateState,
)

export const ImportOutcomeEnum = defineEnum(
  'ImportOutcome',
  'The result for one line of an imported file.',
  importOutcome,
)

export const RecipientTypeEnum = defineEnum('RecipientType', 'Whom a payment is made to.', {
  person: 'A person.',
  business: 'A business.',
} satisfies Words<typeof recipientTypes>)
