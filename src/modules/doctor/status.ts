import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type Backlog, counted, readBacklog } from './backlog.ts'

type Counts = {
  databaseVersion: string
  databaseBytes: bigint
  programs: number
  closedPrograms: number
  /** What waits for the service. */
  mails: number
  feedEvents: number
  deliveries: number
  failedMails: number
  failedDeliveries: number
  /** What waits for a person. */
  heldCommissions: number
  applications: number
  unattributedSales: number
  failedPayments: number
  preparedRuns: number
  failedFeedEvents: number
  pausedFeeds: number
  programsWithFindings: number
}

export type Status = Counts & { backlog: Backlog; isEmbedded: boolean }

/** How the installation is, over all programs: what waits for the service, and what for a person. */
export async function readStatus({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<Status> {
  const at = now()
  const since = new Date(at.getTime() - 24 * 3_600_000)
  const [counts] = await db.$queryRaw<[Counts]>`
    select current_setting('server_version') as "databaseVersion", pg_database_size(current_database()) as "databaseBytes",
      (select count(*)::int from programs where deleted_at is null) as programs,
      (select count(*)::int from programs where deleted_at is null and closed_at is not null) as "closedPrograms",
      ${counted(Prisma.sql`mails where state = 'pending'`)} as mails,
      ${counted(Prisma.sql`feed_events where derive_at is not null`)} as "feedEvents",
      ${counted(Prisma.sql`webhook_deliveries where state = 'pending'`)} as deliveries,
      ${counted(Prisma.sql`mails where state = 'failed' and finished_at > ${since}::timestamptz`)} as "failedMails",
      ${counted(Prisma.sql`webhook_deliveries where state = 'failed' and finished_at > ${since}::timestamptz`)} as "failedDeliveries",
      ${counted(Prisma.sql`commissions where held_reason is not null and paid_at is null and voided_at is null`)} as "heldCommissions",
      ${counted(Prisma.sql`applications where state in ('applied', 'suspected_spam')`)} as applications,
      ${counted(Prisma.sql`unattributed_sales where dismissed_at is null and needs_attention`)} as "unattributedSales",
      ${counted(Prisma.sql`payouts where failed_at is not null and paid_at is null`)} as "failedPayments",
      (select count(*)::int from payout_runs where state = 'prepared') as "preparedRuns",
      ${counted(Prisma.sql`feed_events where outcome = 'failed' and created_at > ${since}::timestamptz`)} as "failedFeedEvents",
      (select count(*)::int from feeds where paused_at is not null) as "pausedFeeds",
      (select count(*)::int from data_checks where findings <> '[]') as "programsWithFindings"`
  return { ...counts, isEmbedded: db.sql.isInThread, backlog: await readBacklog(db, at) }
}
