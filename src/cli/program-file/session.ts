import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { type Config, readConfig } from '../../config.ts'
import { OperatorError } from '../../database/operator-error.ts'
import type { Store } from '../../database/program-file/open.ts'
import { startProgressLine } from '../progress-line.ts'

export type Session = Store & { config: Config }

/** Opens the database of the settings for one command, and closes it. @throws OperatorError */
export async function withStore<T>(run: (session: Session) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  // The engines are imported on demand, because each costs memory and start-up time.
  const { openStore } = await import('../../database/program-file/open.ts')
  const store = await openStore({ ...config, log: pino({ level: 'silent' }) })
  try {
    return await run({ ...store, config })
  } finally {
    await store.close()
  }
}

/** The key that encrypts the secrets of this installation. @throws OperatorError if it is not that of the database */
export async function keyOfInstallation({ config, db }: Session): Promise<Buffer> {
  const { readWebhookKey } = await import('../../modules/webhooks/key.ts')
  const { isKeyOfDatabase } = await import('../../modules/webhooks/key-check.ts')
  const key = await readWebhookKey(config.webhookKey, config.dataDir)
  if (await isKeyOfDatabase(db, key, new Date())) return key
  throw new OperatorError(
    'WEBHOOK_KEY (or the file webhook-key in DATA_DIR) is not the key with which the secrets in this database were encrypted. Set it to the key of the servers.',
  )
}

const shortestKey = 16

/** The key of a program's file, made of the text in a file. @throws OperatorError */
export async function readFileKey(keyFile: string): Promise<Buffer> {
  const text = await readFile(keyFile, 'utf8').catch(() => {
    throw new OperatorError(`Cannot read ${keyFile}, the file with the key.`)
  })
  if (text.trim().length < shortestKey)
    throw new OperatorError(
      `The key in ${keyFile} has fewer than ${shortestKey} characters. Make one: openssl rand -base64 32`,
    )
  return createHash('sha256').update(text.trim()).digest()
}

export function showProgress() {
  const line = startProgressLine()
  return {
    show: ({ table, copied, total }: { table: string; copied: number; total: number }) =>
      line.show(`${copied} of ${total} rows, ${table}`),
    end: line.end,
  }
}

/** What operators do on the command line, as the history of the installation has it. */
export const operatorOnCommandLine = { actor: { kind: 'operator' }, requestId: 'command-line' } as const
