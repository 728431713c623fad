import { Command } from 'commander'
import { operate } from '../operate.ts'
import { reportResult } from '../report.ts'
import { withJson } from './options.ts'

export const statusCommand = (): Command =>
  withJson(new Command('status'))
    .description('show version, database, backups, queues, and what waits for a person, of all programs')
    .action((options) => reportResult(options, readStatus))

const query = `{ status: installationStatus {
  version newer_version: newerVersion programs
  database { is_embedded: isEmbedded version bytes free_bytes: freeBytes row_security: hasRowSecurity }
  backups { every_seconds: everySeconds age_seconds: ageSeconds problem }
  queues { webhook_lag_seconds: webhookLagSeconds sweep_lag_seconds: sweepLagSeconds deliveries mails feed_events: feedEvents
    uncounted_visits: uncountedVisits analytics_deltas: analyticsDeltas }
  waiting { held_commissions: heldCommissions applications proposals unattributed_sales: unattributedSales prepared_runs: preparedRuns failed_scheduled_runs: failedScheduledRuns
    failed_payments: failedPayments paused_feeds: pausedFeeds failed_feed_events: failedFeedEvents failed_mails: failedMails
    failed_deliveries: failedDeliveries closed_programs: closedPrograms programs_with_findings: programsWithFindings
    overdue_months: overdueMonths }
} }`

type Status = { backups: object | null; database: object; queues: object; waiting: object; [name: string]: unknown }

/** Each part is a record of its own, so that people read one screen. */
async function readStatus() {
  const { status } = await operate<{ status: Status }>(query)
  const { database, backups, queues, waiting, ...installation } = status
  return { installation, database, ...(backups && { backups }), queues, waiting_for_a_person: waiting }
}
