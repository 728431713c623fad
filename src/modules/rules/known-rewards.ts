import type { KnownReward } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import type { Earnings, RewardChange } from './reward-news.ts'
import { linesForm, packLines, unpackLines } from './stored-lines.ts'

/** What was seen of an affiliate. `earnings` is null if it was stored in another form. */
export type SeenReward = { earnings: Earnings | null; news: StoredNews[]; revision: number }

/** `saidAt` is when it became news. */
type StoredNews = { at: string; saidAt: string; form: number; lines: unknown; before: unknown }

/** News of longer ago are not shown. */
const shownForMs = 60 * 86_400_000
const mostNews = 5

/** What was seen of affiliates last. */
export async function readSeenRewards(db: Db, programId: string, ids: string[]): Promise<Map<string, SeenReward>> {
  const rows = await db.knownReward.findMany({ where: { programId, affiliateId: { in: ids } } })
  return new Map(rows.map((row) => [row.affiliateId, knownOf(row)]))
}

const newsOf = ({ news }: Pick<KnownReward, 'news'>) => news as StoredNews[]

const knownOf = ({ form, lines, planned, news, revision }: KnownReward): SeenReward => {
  const next = planned as { at: string; lines: unknown } | null
  const earnings = {
    lines: form === linesForm ? unpackLines(lines) : [],
    planned: next && { at: new Date(next.at), lines: unpackLines(next.lines) },
  }
  return { earnings: form === linesForm ? earnings : null, news: newsOf({ news }), revision }
}

/** As the columns of `known_rewards` hold it. */
export const packedEarnings = ({ lines, planned }: Earnings) => ({
  form: linesForm,
  lines: packLines(lines),
  planned: planned && { at: planned.at.toISOString(), lines: packLines(planned.lines) },
})

/** The newest first. What was announced for later makes room for what is announced now. */
export function withNews(news: readonly StoredNews[], changes: readonly RewardChange[], now: Date): StoredNews[] {
  if (changes.length === 0) return [...news]
  const saidAt = now.toISOString()
  const added = changes.map(({ at, lines, before }) => ({
    at: at.toISOString(),
    saidAt,
    form: linesForm,
    lines: packLines(lines),
    before: packLines(before),
  }))
  return [...added.reverse(), ...news.filter(({ at }) => at <= saidAt)].slice(0, mostNews)
}

/** What is news to affiliates, the newest first. @param ids of affiliates */
export async function readRewardNews({ db, program, now }: ProgramCtx, ids: readonly string[]) {
  const where = { programId: program.id, affiliateId: { in: [...ids] } }
  const rows = await db.knownReward.findMany({ where, select: { affiliateId: true, news: true } })
  const since = new Date(now().getTime() - shownForMs).toISOString()
  const byId = new Map(rows.map((row) => [row.affiliateId, newsOf(row)]))
  return ids.map((id): RewardChange[] =>
    (byId.get(id) ?? [])
      .filter(({ form, at, saidAt }) => form === linesForm && (saidAt >= since || at >= since))
      .map(({ at, lines, before }) => ({
        at: new Date(at),
        lines: unpackLines(lines),
        before: unpackLines(before),
      })),
  )
}
