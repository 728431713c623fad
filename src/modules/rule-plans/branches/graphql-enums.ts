import type { BranchAttribution, BranchState } from '../../../generated/prisma/enums.ts'
import { defineEnum } from '../../../graphql/enums.ts'

export const BranchStateEnum = defineEnum('BranchState', 'What was decided about a branch.', {
  open: 'Nothing yet.',
  accepted: 'Its differences are corrections in the open month.',
  discarded: 'It was thrown away.',
} satisfies Record<BranchState, string>)

export const BranchAttributionEnum = defineEnum('BranchAttribution', 'Which signal decides first in a branch.', {
  coupon_first: 'A coupon of an active affiliate, also if a referral id led to another one.',
} satisfies Record<BranchAttribution, string>)
