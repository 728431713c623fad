import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { payoutMethods } from '../payout-methods/addresses.ts'
import type { decimalMarks, leaderboardShows } from './input.ts'

export const PayoutMethodEnum = defineEnum('PayoutMethod', 'How payouts are paid.', {
  paypal: "With PayPal's payout file, to the affiliate's e-mail at PayPal.",
  wise: "With Wise's batch file, to the affiliate's e-mail at Wise.",
  sepa: 'With a SEPA credit transfer file (pain.001.001.09), to a bank account in euro.',
  generic: 'With a file of all fields, for another service.',
  manual: 'By hand: there is no file.',
} satisfies Words<typeof payoutMethods>)

export const LeaderboardShowsEnum = defineEnum('LeaderboardShows', 'What affiliates see of each other in the portal.', {
  nothing: 'Nothing: there is no leaderboard.',
  ranks: 'The ranks and names of those who earned most in a month.',
  amounts: 'Also what they earned.',
} satisfies Words<typeof leaderboardShows>)

export const DecimalMarkEnum = defineEnum('DecimalMark', 'The decimal mark of amounts in files.', {
  point: 'A point: 12.34.',
  comma: 'A comma: 12,34.',
} satisfies Words<typeof decimalMarks>)
