import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { importOutcomes } from './csv-import.ts'
import type { affiliateStates } from './input.ts'

const affiliateState: Words<typeof affiliateStates> = {
  active: 'Gets visitors, leads, conversions and commissions.',
  disabled: 'Gets nothing new; what was earned stays.',
  suspicious: 'Under review: gets nothing new until a person decides.',
}

const importOutcome: Words<typeof importOutcomes> = {
  created: 'A new affiliate; in a dry run, it would be one.',
  skipped: 'Is an affiliate already, by e-mail, and stays as they are.',
  invalid: 'Has problems; nothing of the file was made.',
  not_created: 'Has no problem, but another line has: nothing of the file was made.',
}

export const AffiliateStateEnum = defineEnum('AffiliateState', 'Whether an affiliate takes part.', affiliateState)

export const ImportOutcomeEnum = defineEnum('ImportOutcome', 'What came of a line of a file.', importOutcome)
