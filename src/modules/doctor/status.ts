import { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { openProposal, waits } from '../mails/what-waits.ts'
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
  proposals: number
  unattributedSales: number
  failedPayments: number
  preparedRuns: number
  failedScheduledRuns: number
  failedFeedEvents: number
  pausedFeeds: number
  programsWithFindings: number
  overdueMonths: number
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
      ${counted(Prisma.sql`commissions where ${waits.held}`)} as "heldCommissions",
      ${counted(Prisma.sql`applications where state in ('applied', 'suspected_spam')`)} as applications,
      ${counted(Prisma.sql`proposals where ${openProposal(Prisma.sql`${at}::timestamptz`)}`)} as proposals,
      ${counted(Prisma.sql`unattributed_sales where ${waits.unattributed}`)} as "unattributedSales",
      ${counted(Prisma.sql`payouts where failed_at is not null and paid_at is null`)} as "failedPayments",
      (select count(*)::int from payout_runs where state = 'prepared') as "preparedRuns",
      (select count(*)::int from scheduled_runs where state = 'failed' and created_at > ${since}::timestamptz) as "failedScheduledRuns",
      ${counted(Prisma.sql`feed_events where outcome = 'failed' and created_at > ${since}::timestamptz`)} as "failedFeedEvents",
      (select count(*)::int from feeds where paused_at is not null) as "pausedFeeds",
      (select count(*)::int from data_checks where findings <> '[]') as "programsWithFindings",
      (select count(*)::int from programs p where deleted_at is null and closed_at is null and not is_shadow
        and closes_months_after_days is not null
        and coalesce((select max(until_at) from statement_months m where m.program_id = p.id),
            date_trunc('month', created_at, time_zone))
          + make_interval(months => 1, days => closes_months_after_days, hours => 2) < ${at}::timestamptz) as "overdueMonths"`
  return { ...counts, isEmbedded: db.sql.isInThread, backlog: await readBacklog(db, at) }
}
