import { defineEnum, type Words } from '../../graphql/enums.ts'
import type { decimalMarks, feeBearers, leaderboardShows } from './input.ts'

export const LeaderboardShowsEnum = defineEnum('LeaderboardShows', 'What affiliates see of each other in the portal.', {
  nothing: 'Nothing: there is no leaderboard.',
  ranks: 'The ranks and names of those who earned most in a month.',
  amounts: 'Also what they earned.',
} satisfies Words<typeof leaderboardShows>)

export const PayoutFeeBearerEnum = defineEnum('PayoutFeeBearer', 'Who bears the fees of services that pay by API.', {
  company: 'The affiliate receives the whole amount.',
  affiliate: 'The affiliate receives the amount less the fee.',
} satisfies Words<typeof feeBearers>)

export const DecimalMarkEnum = defineEnum('DecimalMark', 'The decimal mark of amounts in files.', {
  point: 'A point: 12.34.',
  comma: 'A comma: 12,34.',
} satisfies Words<typeof decimalMarks>)
