import { Command } from 'commander'
import { pino } from 'pino'
import { readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import { report } from '../report.ts'

export const replaceKeyCommand = (): Command =>
  new Command('replace-webhook-key')
    .description('use another WEBHOOK_KEY after the old one was lost, with all servers stopped')
    .option('--yes', 'confirm that the old key is lost', false)
    .addHelpText(
      'after',
      `
Uses WEBHOOK_KEY, else the file webhook-key in DATA_DIR, which is created if it does not exist. What was encrypted with the old
key cannot be read any more: affiliate tokens end, people who are signed in are signed out and set up their second factor
again, and webhooks are sent again when the secrets of their endpoints were rotated.`,
    )
    .action(({ yes }) => report(() => replaceKey(yes)))

async function replaceKey(isConfirmed: boolean): Promise<string> {
  const { databaseUrl, dataDir, webhookKey } = readConfig(process.env)
  if (!isConfirmed)
    throw new OperatorError(
      'This ends affiliate tokens and sessions, and removes second factors. If the old key is lost, run it again with --yes.',
    )
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
    ].join('\n')
  } finally {
    await database.close()
  }
}
