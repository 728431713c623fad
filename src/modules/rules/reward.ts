import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { RewardLine } from '../../texts/en/reward.ts'
import { groupsAt } from '../affiliates/groups/membership.ts'
import { type Earner, rewardLines } from './reward-lines.ts'
import { type RuleVersion, ruleVersionAt } from './versions.ts'

/** What sales of affiliates earn now in their campaigns, as lines. @param ids of affiliates of the program */
export async function readRewards(ctx: ProgramCtx, ids: readonly string[]): Promise<RewardLine[][]> {
  const programId = ctx.program.id
  const now = ctx.now()
  const affiliates = await ctx.db.affiliate.findMany({
    where: { programId, id: { in: [...ids] } },
    include: { campaign: true, groupMemberships: { where: { untilAt: null } } },
  })
  return Promise.all(
    ids.map(async (id) => {
      const affiliate = affiliates.find((one) => one.id === id)
      if (!affiliate) return []
      const { campaign, groupMemberships } = affiliate
      const version = await ruleVersionAt(ctx.db.sql, campaign, now)
      const groupIds = groupsAt(groupMemberships, now)
      const codes = await codesFor(ctx, version, id)
      return rewardLines(campaign, version, { affiliateId: id, groupIds, codes }, now)
    }),
  )
}

/** What somebody who joins a campaign now earns. */
export async function readNewcomerReward(ctx: ProgramCtx, campaign: Campaign): Promise<RewardLine[]> {
  const now = ctx.now()
  const version = await ruleVersionAt(ctx.db.sql, campaign, now)
  const newcomer: Earner = { affiliateId: null, groupIds: [], codes: await codesFor(ctx, version, null) }
  return rewardLines(campaign, version, newcomer, now)
}

/** The codes that rules name, without those that belong to other affiliates. */
async function codesFor(
  { db, program }: ProgramCtx,
  version: RuleVersion | null,
  affiliateId: string | null,
): Promise<Map<string, string>> {
  const keys = [...new Set((version?.rules ?? []).flatMap(({ conditions }) => conditions.couponTokens ?? []))]
  if (keys.length === 0) return new Map()
  const owned = await db.affiliateCoupon.findMany({
    where: { programId: program.id, tokenKey: { in: keys } },
    select: { tokenKey: true, token: true, affiliateId: true },
  })
  const byKey = new Map(owned.map((coupon) => [coupon.tokenKey, coupon]))
  return new Map(
    keys.flatMap((key) => {
      const coupon = byKey.get(key)
      return coupon && coupon.affiliateId !== affiliateId ? [] : [[key, coupon?.token ?? key.toUpperCase()]]
    }),
  )
}
