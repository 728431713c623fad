import { Command } from 'commander'
import { pino } from 'pino'
import type { Config } from '../../config.ts'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { findServer, operate } from '../operate.ts'
import { report } from '../report.ts'
import { isStopped } from '../stopped.ts'

export const replaceKeyCommand = (): Command =>
  new Command('replace-webhook-key')
    .description('use another WEBHOOK_KEY after the old one was lost, with all servers stopped')
    .option('--yes', 'confirm that the old key is lost', false)
    .addHelpText(
      'after',
      `
Uses WEBHOOK_KEY, else the file webhook-key in DATA_DIR, which is created if it does not exist. What was encrypted with the old
key cannot be read any more: affiliate tokens end, people who are signed in are signed out and set up their second factor
again, and webhooks are sent again when the secrets of their endpoints were rotated. The secrets of feeds, the credentials of payout
services and the tax ids have to be entered again. The next month of statements is signed with a new key.`,
    )
    .action(({ yes }) => report(() => replaceKey(yes)))

async function replaceKey(isConfirmed: boolean): Promise<string> {
  const config = readConfig(process.env)
  const { databaseUrl, dataDir, webhookKey } = config
  if (!isConfirmed)
    throw new OperatorError(
      'This ends affiliate tokens and sessions, and removes second factors. If the old key is lost, run it again with --yes.',
    )
  if (!databaseUrl && !(await isStopped(dataDir))) return answerOfServer(config)
  // The engines are imported on demand, because each costs memory and start-up time.
  const { openDatabase } = await import('../../database/open.ts')
  const { readWebhookKey } = await import('../../modules/webhooks/key.ts')
  const { isKeyOfDatabase, replaceLostKey } = await import('../../modules/webhooks/key-check.ts')
  const database = await openDatabase({ dataDir, log: pino({ level: 'silent' }), ...(databaseUrl && { databaseUrl }) })
  try {
    const key = await readWebhookKey(webhookKey, dataDir)
    const now = new Date()
    if (await isKeyOfDatabase(database.db, key, now)) return 'This is the key of the database. Nothing was changed.'
    const { programs, people, endpoints } = await replaceLostKey(database.db, key, now)
    return [
      'The database has the new key. Give it to every server, and keep a copy of it with the backups.',
      `Signing secrets of affiliate tokens that were deleted: ${programs}. Second factors that were removed: ${people}.`,
      `Webhook endpoints whose secret has to be rotated: ${endpoints} (rotate-webhook-secret).`,
      'Enter the secrets of feeds, the credentials of payout services and the tax ids again.',
    ].join('\n')
  } finally {
    await database.close()
  }
}

/** A server starts only with the key of its database. */
async function answerOfServer(config: Config): Promise<string> {
  const server = await findServer(config)
  await operate('{ __typename }').catch((error: Error) => {
    throw new OperatorError(
      `${error.message} The key of an embedded database is replaced in its DATA_DIR, with the server stopped. For PostgreSQL, set DATABASE_URL as the servers have it.`,
    )
  })
  return `The server at ${server} runs with the key of its database, so the key is not lost. Nothing was changed.`
}
