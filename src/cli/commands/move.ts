import { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import type { MoveProgress } from '../../database/move/move.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { commandLine } from '../../kernel/package-root.ts'
import { startProgressLine } from '../progress-line.ts'
import { report } from '../report.ts'

export const moveCommand = (): Command =>
  new Command('move')
    .description('copy the embedded database into an empty PostgreSQL database, with the server stopped')
    .requiredOption('--to <url>', 'the URL of the empty database, such as postgres://user:password@host:5432/tributary')
    .addHelpText(
      'after',
      `
Copies everything, with the same ids, keys and history, and compares counts, sums and checksums. The embedded database stays
as it is. A move that was broken off goes on when it is run again.`,
    )
    .action(({ to }) => report(() => move(to)))

async function move(databaseUrl: string): Promise<string> {
  const config = readConfig(process.env)
  if (config.databaseUrl)
    throw new OperatorError('DATABASE_URL is set. The database that is moved is the embedded one: unset DATABASE_URL.')
  // The engines are imported on demand, because each costs memory and start-up time.
  const { moveToPostgres } = await import('../../database/move/open.ts')
  const { examine } = await import('../../modules/doctor/service.ts')
  const progress = showProgress()
  const { rows, tables } = await moveToPostgres({
    dataDir: config.dataDir,
    databaseUrl,
    log: pino({ level: 'silent' }),
    onProgress: progress.show,
    check: async (source, target) => {
      progress.end()
      const [before, after] = [await examine({ db: source }), await examine({ db: target })]
      if (after.length > before.length)
        throw new OperatorError(
          `The doctor finds ${after.length} problems in the target, but ${before.length} in the source.`,
        )
      if (before.length > 0)
        console.error(`The doctor finds ${before.length} problems in both databases. See: ${commandLine('doctor')}`)
    },
  }).finally(progress.end)
  const money = tables.flatMap(({ name, digest: { sums } }) =>
    name === 'sales' || name === 'commissions' || name === 'payouts'
      ? [`  ${name}: ${sums?.amount_cents ?? 0} in minor units of all currencies`]
      : [],
  )
  return [
    `Moved ${rows} rows of ${tables.length} tables. Counts, sums and checksums are equal in both databases.`,
    ...money,
    `Set DATABASE_URL to the new database, and start the server. Keep ${config.dataDir}: it has the operator's token and the key that`,
    'encrypts secrets, unless ADMIN_TOKEN and WEBHOOK_KEY are set. The embedded database in it is unchanged.',
  ].join('\n')
}

const barLength = 30

function showProgress() {
  const line = startProgressLine()
  return {
    show({ table, copied, total }: MoveProgress) {
      const share = total === 0 ? 1 : copied / total
      const bar = '#'.repeat(Math.round(share * barLength)).padEnd(barLength, '.')
      line.show(`[${bar}] ${Math.floor(share * 100)} %  ${copied} of ${total} rows, ${table}`)
    },
    end: line.end,
  }
}
