import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { Outcome } from './batch.ts'
import type { importKinds } from './input.ts'

const importKind: Words<typeof importKinds> = {
  campaign: 'A campaign.',
  affiliate: 'An affiliate, with links told inside.',
  affiliate_link: 'A link of an affiliate.',
  affiliate_coupon: 'A coupon of an affiliate.',
  referral: 'A referral, with its customer.',
  payout: 'A payout, with the ids of its commissions.',
  commission: 'A commission, with its sale.',
  sale: 'A sale; it comes inside a commission.',
}

export const ImportKindEnum = defineEnum('ImportKind', 'What is brought over from another server.', importKind)

export const ImportRecordOutcomeEnum = defineEnum('ImportRecordOutcome', 'What came of a record of another server.', {
  created: 'It is new here; in a dry run, it would be.',
  updated: 'It was here, and was caught up with.',
  unchanged: 'It was here, and stays as it is.',
  left_out: 'It has a problem, and is not here.',
  unresolved: 'In a dry run: it names records that are not here yet.',
} satisfies Record<Outcome, string>)
