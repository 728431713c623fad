import { isDeepStrictEqual } from 'node:util'
import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { mailTexts, rewardNewsTexts, rewardTexts } from '../../texts/texts.ts'
import { say, writerFor } from '../../texts/writer.ts'
import { packedEarnings, readSeenRewards, type SeenReward, withNews } from '../rules/known-rewards.ts'
import { readStandings } from '../rules/reward.ts'
import {
  boundariesOf,
  changesOf,
  type Earnings,
  earningsOf,
  newsLine,
  type RewardChange,
} from '../rules/reward-news.ts'
import { ruleVersionAt } from '../rules/versions.ts'
import { mailLanguage, mailLocale, type NewMail } from './compose.ts'
import type { ManagerMail } from './managers.ts'
import { queueMails } from './queue.ts'
import { type Addressee, mailToAffiliate } from './to-affiliate.ts'

type Writing = ManagerMail & { now: Date }
/** `until` is null if nothing is known yet. */
type Marks = { until: Date | null; nextAt: Date | null }
type Seen = { affiliateId: string; earnings: Earnings; known: SeenReward | undefined; changes: RewardChange[] }

/** A slice is a transaction. */
const sliceSize = 500

/** Whether what affiliates of the program `p` earn may have changed: `n` has its marks. */
export function mayHaveRewardNews(until: Date): Prisma.Sql {
  const within = (column: string) =>
    Prisma.sql`${Prisma.raw(column)} >= n.rewards_until and ${Prisma.raw(column)} < ${until}::timestamptz`
  return Prisma.sql`(n.rewards_until is null or n.rewards_next_at <= ${until}::timestamptz
    or exists (select from campaigns where program_id = p.id and ${within('updated_at')})
    or exists (select from commission_rule_versions where program_id = p.id and ${within('created_at')})
    or exists (select from affiliates where program_id = p.id and ${within('updated_at')})
    or exists (select from affiliate_group_memberships where program_id = p.id
      and id >= least_id(n.rewards_until) and id < least_id(${until}::timestamptz))
    or exists (select from affiliate_group_memberships where program_id = p.id and ${within('until_at')}))`
}

/**
 * Notes what affiliates earn, and for whom it has changed: as news in the portal, and as a mail. Who was not seen
 * before has no news. A slice can be written again: what is noted already is no news.
 * @param until before it, transactions have ended, so that the next run begins there
 */
export async function writeRewardNews(db: AppDb, writing: Writing, until: Date): Promise<void> {
  const programId = writing.program.id
  const [marks] = await db.$queryRaw<Marks[]>`
    select rewards_until as until, rewards_next_at as "nextAt" from mail_notices where program_id = ${programId}::uuid`
  if (!marks) return
  const { campaignIds, nextAt, latest } = await readCampaigns(db, writing, marks)
  const ids = await findAffected(db, programId, marks, campaignIds)
  for (let from = 0; from < ids.length; from += sliceSize)
    await writeSlice(db, writing, ids.slice(from, from + sliceSize), latest)
  const data = { rewardsUntil: until, rewardsNextAt: nextAt }
  await db.mailNotices.update({ where: { programId }, data })
}

/**
 * The campaigns whose terms or rules may have changed since the last time, when a rule begins or ends next, and when
 * one did last, in each campaign.
 */
async function readCampaigns(db: AppDb, { program, now }: Writing, { until }: Marks) {
  const campaigns = await db.campaign.findMany({ where: { programId: program.id } })
  const campaignIds: string[] = []
  const latest = new Map<string, Date>()
  let nextAt: Date | null = null
  for (const campaign of campaigns) {
    const version = await ruleVersionAt(db.sql, campaign, now)
    const boundaries = boundariesOf(version)
    const next = boundaries.find((at) => at > now)
    if (next && (!nextAt || next < nextAt)) nextAt = next
    if (!until) continue
    const times = [...boundaries, ...(version ? [version.holdsFrom] : [])].filter((at) => at >= until && at <= now)
    if (times.length > 0) latest.set(campaign.id, new Date(Math.max(...times.map(Number))))
    if (times.length > 0 || campaign.updatedAt >= until) campaignIds.push(campaign.id)
  }
  return { campaignIds, nextAt, latest }
}

/** The affiliates of campaigns, and those who were changed themselves or are new. Before the first time: all. */
async function findAffected(db: AppDb, programId: string, { until }: Marks, campaignIds: readonly string[]) {
  const of = Prisma.sql`program_id = ${programId}::uuid`
  const rows = await (until
    ? db.$queryRaw<{ id: string }[]>`
        select id::text from affiliates where ${of} and campaign_id = any (${[...campaignIds]}::uuid[])
        union select id::text from affiliates where ${of} and updated_at >= ${until}::timestamptz
        union select affiliate_id::text from affiliate_group_memberships
          where ${of} and (id >= least_id(${until}::timestamptz) or until_at >= ${until}::timestamptz)
        order by 1`
    : db.$queryRaw<{ id: string }[]>`select id::text from affiliates where ${of} order by id`)
  return rows.map(({ id }) => id)
}

async function writeSlice(db: AppDb, writing: Writing, ids: string[], latest: ReadonlyMap<string, Date>) {
  const { program, now } = writing
  const known = await readSeenRewards(db, program.id, ids)
  const standings = await readStandings({ db, program, now: () => now }, ids)
  const changed = standings.flatMap((standing, index): Seen[] => {
    const affiliateId = ids[index] as string
    if (!standing) return []
    const of = known.get(affiliateId)
    const before = of?.earnings
    const earnings = earningsOf(standing, now)
    if (before && isDeepStrictEqual(before, earnings)) return []
    const since = latest.get(standing.campaign.id) ?? now
    const changes = before ? changesOf(before, earnings, now, since) : []
    return [{ affiliateId, earnings, known: of, changes }]
  })
  if (changed.length === 0) return
  await withTransaction(db, async (tx) => {
    const written = new Set(await writeKnown(tx, writing, changed))
    const withNewReward = changed.filter(({ affiliateId, changes }) => changes.length > 0 && written.has(affiliateId))
    await queueMails(tx, { program }, await mailsTo(tx, writing, withNewReward), now)
  })
}

/** @returns the affiliates for whom no other writer was faster */
async function writeKnown(tx: Prisma.TransactionClient, { program, now }: Writing, seen: readonly Seen[]) {
  const rows = seen.map(({ affiliateId, earnings, known, changes }) => ({
    affiliate_id: affiliateId,
    revision: known?.revision ?? 0,
    ...packedEarnings(earnings),
    news: withNews(known?.news ?? [], changes, now),
  }))
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into known_rewards as k (program_id, affiliate_id, form, lines, planned, news, revision, updated_at)
    select ${program.id}::uuid, r.affiliate_id, r.form, r.lines, nullif(r.planned, 'null'), r.news, r.revision + 1, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
      (affiliate_id uuid, revision int, form int, lines jsonb, planned jsonb, news jsonb)
    on conflict (program_id, affiliate_id) do update set form = excluded.form, lines = excluded.lines,
      planned = excluded.planned, news = excluded.news, revision = excluded.revision, updated_at = excluded.updated_at
    where k.revision = excluded.revision - 1
    returning affiliate_id::text as id`
  return written.map(({ id }) => id)
}

/** One mail for all changes of an affiliate who wants such mails. */
async function mailsTo(tx: Prisma.TransactionClient, writing: Writing, told: readonly Seen[]): Promise<NewMail[]> {
  if (told.length === 0) return []
  const byId = new Map(told.map((one) => [one.affiliateId, one]))
  const affiliates = await tx.$queryRaw<Addressee[]>`
    select a.id::text as "affiliateId", a.email, a.first_name as "firstName", a.language from affiliates a
      left join mail_choices m on m.program_id = a.program_id and m.affiliate_id = a.id
    where a.program_id = ${writing.program.id}::uuid and a.id = any (${[...byId.keys()]}::uuid[]) and a.state = 'active'
      and coalesce(m.gets_reward_mails, true)
    order by a.id`
  return affiliates.map((row) => mailOf(writing, (byId.get(row.affiliateId) as Seen).changes, row))
}

function mailOf(writing: Writing, changes: readonly RewardChange[], row: Addressee): NewMail {
  const { program } = writing
  const language = mailLanguage(program, row.language)
  const writer = writerFor(mailLocale(program, language), program.timeZone)
  const { lines, before } = changes.at(-1) as RewardChange
  const said = (all: RewardChange['lines']) => all.map((line) => say(rewardTexts[language], line, writer)).join('\n')
  const values = {
    change: changes.map((change) => say(rewardNewsTexts[language], newsLine(change), writer)).join('\n'),
    reward: said(lines),
    before: before.length === 0 ? '' : mailTexts[language].rewardBefore(said(before)),
  }
  return mailToAffiliate(writing, 'reward_changed', row, values)
}
