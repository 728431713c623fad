import { builder, type ObjectFields, publicOnly } from '../../graphql/builder.ts'
import { operatorScope } from '../../graphql/context.ts'
import { version } from '../../kernel/package-root.ts'
import { hasRowSecurity } from './service.ts'
import { readStatus, type Status } from './status.ts'

/** Fields for numbers, by their descriptions. */
const counts =
  <Name extends string>(descriptions: Record<Name, string>, read: (status: Status, name: Name) => number) =>
  (t: ObjectFields<Status>) =>
    Object.fromEntries(
      Object.entries<string>(descriptions).map(([name, description]) => [
        name,
        t.int({ description, resolve: (status) => read(status, name as Name) }),
      ]),
    )

const StatusDatabase = builder.objectRef<Status>('StatusDatabase').implement({
  description: 'The database of the installation.',
  subGraphs: publicOnly,
  fields: (t) => ({
    isEmbedded: t.exposeBoolean('isEmbedded', { description: 'Whether it is the embedded database.' }),
    version: t.exposeString('databaseVersion', { description: 'The version of PostgreSQL.' }),
    bytes: t.field({
      type: 'SafeInt',
      description: 'Its size on disk, in bytes.',
      resolve: ({ databaseBytes }) => databaseBytes,
    }),
    freeBytes: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The free space of its disk, in bytes. Null on PostgreSQL, whose disk the service does not see.',
      resolve: async (_status, _args, ctx) => (await ctx.freeBytes?.()) ?? null,
    }),
    hasRowSecurity: t.boolean({
      nullable: true,
      description: 'Whether row-level security separates programs. Null on the embedded database.',
      resolve: (_status, _args, ctx) => hasRowSecurity(ctx),
    }),
  }),
})

const StatusBackups = builder.objectRef<Status>('StatusBackups').implement({
  description: 'The scheduled backups.',
  subGraphs: publicOnly,
  fields: (t) => ({
    everySeconds: t.int({
      description: 'How often a backup is due, in seconds.',
      resolve: (_status, _args, { backups }) => backups?.everySeconds ?? 0,
    }),
    ageSeconds: t.int({
      nullable: true,
      description: 'How old the newest backup is, in seconds. Null before the first.',
      resolve: async (_status, _args, { backups }) => {
        const age = (await backups?.ageSeconds()) ?? Number.POSITIVE_INFINITY
        return Number.isFinite(age) ? Math.round(age) : null
      },
    }),
    problem: t.string({
      nullable: true,
      description: 'Why there is no recent backup, in a sentence. Null if there is one.',
      resolve: (_status, _args, { backups }) => backups?.findProblem() ?? null,
    }),
  }),
})

const StatusQueues = builder.objectRef<Status>('StatusQueues').implement({
  description: 'What waits for the service. Numbers above 10,000 are counted as 10,000.',
  subGraphs: publicOnly,
  fields: (t) => ({
    webhookLagSeconds: t.float({
      description: 'How long the oldest event or due delivery has been waiting for its endpoint, in seconds.',
      resolve: ({ backlog }) => backlog.deliveryLagSeconds,
    }),
    sweepLagSeconds: t.float({
      description: 'How long ago the oldest commission became due whose event is not recorded yet, in seconds.',
      resolve: ({ backlog }) => backlog.sweepLagSeconds,
    }),
    ...counts(
      {
        deliveries: 'Deliveries of webhooks that are to be tried.',
        mails: 'Mails that are to be sent.',
        feedEvents: 'Events of feeds that are to be derived.',
      },
      (status, name) => status[name],
    )(t),
    ...counts(
      {
        uncountedVisits: 'Visits that are not in the counters of their affiliates yet.',
        analyticsDeltas: 'Changes that are not folded into analytics yet.',
      },
      ({ backlog }, name) => backlog[name],
    )(t),
  }),
})

const StatusWaiting = builder.objectRef<Status>('StatusWaiting').implement({
  description: 'What waits for a person, in all programs. Numbers above 10,000 are counted as 10,000.',
  subGraphs: publicOnly,
  fields: counts(
    {
      heldCommissions: 'Commissions that a person has to approve.',
      applications: 'Applications without a decision.',
      proposals: 'Proposals that a person has to confirm or reject.',
      unattributedSales: 'Sales without an affiliate that a person should look at.',
      preparedRuns: 'Payout runs that are prepared and not approved or sent.',
      failedScheduledRuns: 'Scheduled payout runs that could not be made, or not be sent, in the last 24 hours.',
      failedPayments: 'Payouts whose payment failed.',
      pausedFeeds: 'Feeds that are paused.',
      failedFeedEvents: 'Events of feeds that failed in the last 24 hours.',
      failedMails: 'Mails that failed in the last 24 hours.',
      failedDeliveries: 'Deliveries of webhooks that failed for good in the last 24 hours.',
      closedPrograms: 'Programs that reject writes.',
      overdueMonths:
        'Programs whose last month should have been closed two hours ago: differences wait to be accepted, or the log says why.',
      programsWithFindings: 'Programs in which the daily check of the data found something.',
    },
    (status, name) => status[name],
  ),
})

const InstallationStatus = builder.objectRef<Status>('InstallationStatus').implement({
  description: 'How the installation is.',
  subGraphs: publicOnly,
  fields: (t) => ({
    version: t.string({ description: 'The version of the service.', resolve: () => version }),
    newerVersion: t.string({
      nullable: true,
      description: 'The newest version of the service. Null if it runs, or if `UPGRADE_CHECK_URL` is not set.',
      resolve: (_status, _args, ctx) => ctx.newerVersion?.() ?? null,
    }),
    programs: t.exposeInt('programs', { description: 'The number of programs.' }),
    database: t.field({ type: StatusDatabase, description: 'The database.', resolve: (status) => status }),
    backups: t.field({
      type: StatusBackups,
      nullable: true,
      description: 'The scheduled backups. Null without `BACKUP_DIR`.',
      resolve: (status, _args, { backups }) => (backups ? status : null),
    }),
    queues: t.field({
      type: StatusQueues,
      description: 'What waits for the service.',
      resolve: (status) => status,
    }),
    waiting: t.field({ type: StatusWaiting, description: 'What waits for a person.', resolve: (status) => status }),
  }),
})

builder.queryField('installationStatus', (t) =>
  t.field({
    type: InstallationStatus,
    forRole: 'operator',
    description: 'How the installation is, over all programs. Only for the operator.',
    subGraphs: publicOnly,
    resolve: (_root, _args, ctx) => readStatus(operatorScope(ctx)),
  }),
)
