import { LRUCache } from 'lru-cache'
import { statement } from '../../database/client/sql.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/db.ts'
import { holdGroups } from '../affiliates/groups/join.ts'
import { storedActor } from '../history/actor.ts'
import { inOrder } from './choose.ts'
import { isForLeads } from './rewards/all.ts'
import { isOpen, type StoredRule } from './rule.ts'

export type RuleVersion = {
  number: number
  /**
   * Sales that occurred from then on have these rules, unless a newer version holds from earlier than they occurred.
   */
  holdsFrom: Date
  /** Those for sales, in the order in which they are tried. */
  rules: StoredRule[]
  /** Those for leads, in this order too. */
  leadRules: StoredRule[]
}

/** The campaigns whose newest version is kept in memory. Versions never change. */
const newest = new LRUCache<string, RuleVersion>({
  maxSize: 50_000,
  sizeCalculation: ({ rules, leadRules }) => rules.length + leadRules.length + 1,
})

const versionAt = statement<{ number: number; holdsFrom: Date; rules: StoredRule[] }>(
  `select number, holds_from as "holdsFrom", rules from commission_rule_versions
   where program_id = $1::uuid and campaign_id = $2::uuid and holds_from <= $3::timestamptz
   order by number desc limit 1`,
)

/**
 * The rules of a campaign for a sale that occurred at a time: those of the newest version that holds from then or
 * earlier. Null if it had none.
 */
export async function ruleVersionAt(
  sql: Sql,
  { programId, id, rulesVersion }: { programId: string; id: string; rulesVersion: number },
  at: Date,
): Promise<RuleVersion | null> {
  if (rulesVersion === 0) return null
  const key = `${id} ${rulesVersion}`
  const kept = newest.get(key)
  if (kept && kept.holdsFrom <= at) return kept
  const [found] = await sql.query(versionAt, [programId, id, at.toISOString()])
  if (!found) return null
  const version = { ...found, holdsFrom: new Date(found.holdsFrom), ...divided(found.rules) }
  if (version.number === rulesVersion) newest.set(key, version)
  return version
}

/** The rules for sales and those for leads, each in the order in which they are tried. */
export const divided = (rules: readonly StoredRule[]): Pick<RuleVersion, 'rules' | 'leadRules'> => ({
  rules: inOrder(rules.filter((rule) => !isForLeads(rule))),
  leadRules: inOrder(rules.filter(isForLeads)),
})

/** Locks the campaign, and returns the number and the rules of its newest version. */
export async function lockRules(
  tx: Prisma.TransactionClient,
  programId: string,
  campaignId: string,
): Promise<{ number: number; rules: StoredRule[] }> {
  const [campaign] = await tx.$queryRaw<{ number: number }[]>`
    select rules_version as number from campaigns
    where program_id = ${programId}::uuid and id = ${campaignId}::uuid for no key update`
  const number = campaign?.number ?? 0
  if (number === 0) return { number, rules: [] }
  const where = { programId_campaignId_number: { programId, campaignId, number } }
  const { rules } = await tx.commissionRuleVersion.findUniqueOrThrow({ where })
  return { number, rules: rules as StoredRule[] }
}

/**
 * Makes the next version, from now on. The campaign is locked. The groups that open rules name are kept until then.
 * @throws NOT_FOUND if one was deleted
 */
export async function addVersion(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  campaignId: string,
  number: number,
  rules: StoredRule[],
  now: Date,
): Promise<void> {
  const programId = ctx.program.id
  const open = rules.filter((rule) => isOpen(rule, now.toISOString()))
  await holdGroups(tx, programId, [...new Set(open.flatMap(({ conditions }) => conditions.groupIds ?? []))])
  const { actorKind: madeByKind, actorId: madeById } = storedActor(ctx.actor)
  await tx.commissionRuleVersion.create({
    data: { programId, campaignId, number, holdsFrom: now, rules, madeByKind, madeById, createdAt: now },
  })
  await tx.campaign.update({
    where: { programId_id: { programId, id: campaignId } },
    data: { rulesVersion: number },
  })
}
