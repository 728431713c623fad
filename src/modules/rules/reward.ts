import type { Campaign } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { RewardLine } from '../../texts/en/reward.ts'
import { groupsAt } from '../affiliates/groups/membership.ts'
import type { Earner } from './conditions/condition.ts'
import { rewardLines } from './reward-lines.ts'
import { type RuleVersion, ruleVersionAt } from './versions.ts'

type Reading = Pick<ProgramCtx, 'db' | 'program' | 'now'>

/** What decides the reward of an affiliate. */
export type RewardBasis = { campaign: Campaign; version: RuleVersion | null; earner: Earner }

/** What sales of affiliates earn now in their campaigns, as lines. @param ids of affiliates of the program */
export async function readRewards(ctx: Reading, ids: readonly string[]): Promise<RewardLine[][]> {
  const now = ctx.now()
  const standings = await readStandings(ctx, ids)
  return standings.map((one) => (one ? rewardLines(one.campaign, one.version, one.earner, now) : []))
}

/** What decides the rewards of affiliates now. Null for one that is not there. */
export async function readStandings(ctx: Reading, ids: readonly string[]): Promise<(RewardBasis | null)[]> {
  const programId = ctx.program.id
  const now = ctx.now()
  const affiliates = await ctx.db.affiliate.findMany({
    where: { programId, id: { in: [...ids] } },
    include: { campaign: true, groupMemberships: { where: { untilAt: null } } },
  })
  const campaigns = new Map(affiliates.map(({ campaign }) => [campaign.id, campaign]))
  const rules = new Map<string, { version: RuleVersion | null; codes: NamedCode[] }>()
  for (const campaign of campaigns.values()) rules.set(campaign.id, await readRulesOf(ctx, campaign, now))
  const byId = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]))
  return ids.map((affiliateId) => {
    const affiliate = byId.get(affiliateId)
    const found = affiliate && rules.get(affiliate.campaignId)
    if (!found) return null
    const groupIds = groupsAt(affiliate.groupMemberships, now)
    const earner: Earner = { affiliateId, groupIds, codes: codesFor(found.codes, affiliateId) }
    return { campaign: affiliate.campaign, version: found.version, earner }
  })
}

/** What somebody who joins a campaign now earns. */
export async function readNewcomerReward(ctx: ProgramCtx, campaign: Campaign): Promise<RewardLine[]> {
  const now = ctx.now()
  const { version, codes } = await readRulesOf(ctx, campaign, now)
  const newcomer: Earner = { affiliateId: null, groupIds: [], codes: codesFor(codes, null) }
  return rewardLines(campaign, version, newcomer, now)
}

/** A code that a rule names, by its key. `affiliateId` is undefined if it is nobody's. */
type NamedCode = { key: string; code: string; affiliateId?: string | undefined }

async function readRulesOf({ db, program }: Reading, campaign: Campaign, now: Date) {
  const version = await ruleVersionAt(db.sql, campaign, now)
  const keys = [...new Set((version?.rules ?? []).flatMap(({ conditions }) => conditions.couponTokens ?? []))]
  if (keys.length === 0) return { version, codes: [] }
  const owned = await db.affiliateCoupon.findMany({
    where: { programId: program.id, tokenKey: { in: keys } },
    select: { tokenKey: true, token: true, affiliateId: true },
  })
  const byKey = new Map(owned.map((coupon) => [coupon.tokenKey, coupon]))
  const codes = keys.map((key): NamedCode => {
    const coupon = byKey.get(key)
    return { key, code: coupon?.token ?? key.toUpperCase(), affiliateId: coupon?.affiliateId }
  })
  return { version, codes }
}

/** Without the codes that belong to other affiliates. */
const codesFor = (codes: readonly NamedCode[], affiliateId: string | null): Map<string, string> =>
  new Map(
    codes
      .filter((one) => one.affiliateId === undefined || one.affiliateId === affiliateId)
      .map(({ key, code }) => [key, code]),
  )
