import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database } from '../../database/open.ts'
import { OperatorError } from '../../database/operator-error.ts'
import type { AppDb } from '../../kernel/db.ts'
import { readAdminToken } from '../../modules/access/admin-token.ts'
import { encryptStoredSecrets } from '../../modules/access/affiliate-tokens/signing-secret.ts'
import { readWebhookKey } from '../../modules/webhooks/key.ts'
import { isKeyOfDatabase } from '../../modules/webhooks/key-check.ts'

type Settings = { dataDir: string; adminToken?: string | undefined; webhookKey?: string | undefined }

/**
 * The operator token, and the key of the secrets in the database: from the settings, or from files in the data
 * directory, which the first start writes. Closes the database if the key is not its own.
 */
export async function readKeys({ db, close }: Pick<Database, 'db' | 'close'>, settings: Settings, log: Logger) {
  const admin = await readAdminToken(settings.adminToken, settings.dataDir)
  const webhookKey = await readWebhookKey(settings.webhookKey, settings.dataDir)
  await requireKey(db, webhookKey, settings).catch(async (error) => {
    await close()
    throw error
  })
  const encrypted = await encryptStoredSecrets(db, webhookKey)
  if (encrypted > 0) log.info({ count: encrypted }, 'signing secrets of affiliate tokens encrypted')
  return { admin, webhookKey }
}

/** @throws OperatorError if the key is not the one with which the secrets in the database are encrypted */
async function requireKey(db: AppDb, key: Buffer, { webhookKey, dataDir }: Settings): Promise<void> {
  if (await isKeyOfDatabase(db, key, new Date())) return
  const given = webhookKey ? 'WEBHOOK_KEY' : `The key in ${join(dataDir, 'webhook-key')}`
  throw new OperatorError(
    [
      `${given} is not the key with which the secrets in this database were encrypted.`,
      'Set WEBHOOK_KEY to the key of the other servers, or put the file webhook-key back (from the data directory or a backup).',
      'If the key is lost, stop all servers and run: npx tributary replace-webhook-key --help',
    ].join('\n'),
  )
}
