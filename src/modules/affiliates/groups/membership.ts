import type { AffiliateGroupMembership } from '../../../generated/prisma/client.ts'

export type Membership = Pick<AffiliateGroupMembership, 'groupId' | 'fromAt' | 'untilAt'>

/** The ids of the groups that an affiliate was in at a time. A change holds from its own instant on. */
export const groupsAt = (memberships: readonly Membership[], at: Date): string[] =>
  memberships
    .filter(({ fromAt, untilAt }) => fromAt <= at && (untilAt === null || untilAt > at))
    .map(({ groupId }) => groupId)
