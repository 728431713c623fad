import type { AffiliateGroupMembership, Campaign, Change, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { groupsAt } from '../../affiliates/groups/membership.ts'
import { rowAsOf } from '../../history/point-in-time.ts'
import type { StoredRule } from '../../rules/rule.ts'
import { divided, type RuleVersion } from '../../rules/versions.ts'

/** What held at the time of each sale: the campaign, its rules, and the groups of the affiliate. */
export type OfTime = {
  campaignAt(campaignId: string, at: Date): Campaign
  versionAt(campaignId: string, at: Date): RuleVersion | null
  groupsAt(affiliateId: string, at: Date): string[]
  versionsOf(campaignId: string): readonly RuleVersion[]
}

/** Reads everything at once, so that a thousand sales take a few statements. */
export async function readOfTime(
  { program }: Pick<ProgramCtx, 'program'>,
  tx: Prisma.TransactionClient,
  campaignIds: string[],
  affiliateIds: string[],
): Promise<OfTime> {
  const programId = program.id
  const campaigns = await tx.campaign.findMany({ where: { programId, id: { in: campaignIds } } })
  const changes: Change[] = await tx.change.findMany({
    where: { programId, subject: 'campaign', subjectId: { in: campaignIds } },
  })
  const rows = await tx.commissionRuleVersion.findMany({
    where: { programId, campaignId: { in: campaignIds } },
    orderBy: { number: 'desc' },
  })
  const versions = rows.map(({ campaignId, number, holdsFrom, rules }) => {
    return { campaignId, number, holdsFrom, ...divided(rules as StoredRule[]) }
  })
  const memberships: AffiliateGroupMembership[] = await tx.affiliateGroupMembership.findMany({
    where: { programId, affiliateId: { in: affiliateIds } },
  })
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const changesOf = groupBy(changes, ({ subjectId }) => subjectId)
  const versionsOf = groupBy(versions, ({ campaignId }) => campaignId)
  const membershipsOf = groupBy(memberships, ({ affiliateId }) => affiliateId)
  return {
    campaignAt: (id, at) => rowAsOf('campaign', byId.get(id) as Campaign, changesOf.get(id) ?? [], at),
    versionAt: (id, at) => versionsOf.get(id)?.find(({ holdsFrom }) => holdsFrom <= at) ?? null,
    groupsAt: (id, at) => groupsAt(membershipsOf.get(id) ?? [], at),
    versionsOf: (id) => versionsOf.get(id) ?? [],
  }
}
