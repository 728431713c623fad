import { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { report } from '../report.ts'
import { isStopped } from '../stopped.ts'
import { withJson } from './options.ts'

export const upgradeCommand = (): Command =>
  withJson(new Command('upgrade'))
    .description('say what a start of this version would do to the database')
    .requiredOption('--check', 'only say it; a start of the server upgrades')
    .addHelpText('after', '\nExit code 0: the upgrade can begin. 1: not yet, with the reason. Nothing is written.')
    .action(({ json }) => report(() => check(json || !process.stdout.isTTY)))

async function check(asJson: boolean): Promise<string> {
  // Wrong settings end it here, with all of them in one message.
  const config = readConfig(process.env)
  const log = pino({ level: 'silent' })
  if (!config.databaseUrl && !(await isStopped(config.dataDir)))
    throw new OperatorError(
      `There is no stopped database in ${config.dataDir}. Stop its server first, or set DATABASE_URL.`,
    )
  const { checkUpgrade } = await import('../../database/migrations/upgrade-check.ts')
  const { planBackups } = await import('../../database/backup/schedule.ts')
  const upgrade = await checkUpgrade({ ...config, log })
  const backups = planBackups(config, log)
  const backupProblem = backups
    ? await backups.findProblem()
    : 'Backups are not known here: BACKUP_DIR is not set. Make sure that there is a recent one.'
  const ignored = config.warnings.map(({ fields: { variable, meant } }) => ({ variable, meant: meant ?? null }))
  const stops = [upgrade.problem, backups ? backupProblem : null].filter((reason) => reason !== null)
  if (stops.length > 0) process.exitCode = 1
  const ageSeconds = backups ? await backups.ageSeconds() : Number.POSITIVE_INFINITY
  const result = {
    can_upgrade: stops.length === 0,
    version: upgrade.version,
    database_version: upgrade.databaseVersion,
    last_migration: upgrade.lastMigration,
    problem: upgrade.problem,
    pending_migrations: upgrade.pending.map(({ name, effects, canTakeLong }) => ({
      name,
      can_take_long: canTakeLong,
      effects,
    })),
    replaces_functions: upgrade.replacesFunctions,
    new_settings: upgrade.settings?.added ?? null,
    gone_settings: upgrade.settings?.gone ?? null,
    ignored_settings: ignored,
    backup: { age_seconds: Number.isFinite(ageSeconds) ? Math.round(ageSeconds) : null, problem: backupProblem },
  }
  return asJson ? JSON.stringify(result) : textOf(result)
}

type Result = {
  can_upgrade: boolean
  version: string
  database_version: string | null
  last_migration: string | null
  problem: string | null
  pending_migrations: {
    name: string
    can_take_long: boolean
    effects: { table: string; does: string; rows: number }[]
  }[]
  replaces_functions: boolean
  /** Null if the version of the database did not note its settings. */
  new_settings: string[] | null
  gone_settings: string[] | null
  ignored_settings: { variable: string; meant: string | null }[]
  backup: { age_seconds: number | null; problem: string | null }
}

function textOf(result: Result): string {
  const { pending_migrations: pending, backup } = result
  const database =
    result.last_migration === null
      ? 'The database is empty.'
      : `The database is of version ${result.database_version ?? 'unknown'}, with the migrations up to ${result.last_migration}.`
  return [
    `This version is ${result.version}. ${database}`,
    result.problem,
    ...(pending.length > 0
      ? [`Pending migrations: ${pending.length}.`]
      : result.problem
        ? []
        : ['No migration is pending.']),
    ...pending.flatMap(({ name, can_take_long, effects }) => [
      `  ${name}${can_take_long ? ': can take minutes, while others wait' : ''}`,
      ...effects.map(({ table, does, rows }) => `    ${table}: ${does} (about ${Math.round(rows)} rows)`),
    ]),
    result.replaces_functions ? 'Functions, triggers and views are replaced.' : null,
    result.new_settings?.length ? `New settings, none of which is needed: ${result.new_settings.join(', ')}.` : null,
    result.gone_settings?.length
      ? `Settings that are gone: ${result.gone_settings.join(', ')}. They have no effect any more.`
      : null,
    ...result.ignored_settings.map(
      ({ variable, meant }) => `The setting ${variable} is not known${meant ? `: is ${meant} meant?` : '.'}`,
    ),
    backup.problem ?? `The newest backup is ${Math.round((backup.age_seconds ?? 0) / 3_600)} hours old.`,
    result.can_upgrade ? 'The upgrade can begin.' : 'The upgrade should not begin yet.',
  ]
    .filter((line) => line !== null)
    .join('\n')
}
